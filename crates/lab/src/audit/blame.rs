//! Positions where a policy made the search miss a better move, and the reduced moves on the way to it.

use std::collections::BTreeMap;

use cozy_chess::Move;
use lmrlab_engine::engine::Report;
use lmrlab_engine::limits::Limits;
use lmrlab_engine::search::observer::{Decision, Events, MadeBy, Observer};
use lmrlab_policy::Policy;
use lmrlab_results::rows::audit::BlameRow;
use lmrlab_results::written_score::WrittenScore;

use crate::explanation::steps_text;
use crate::notation::{rule_names, uci, uci_line};
use crate::positions::LabPosition;
use crate::search::{SearchLimit, search, search_observed};
use crate::variant::Variant;
use crate::workers::Workers;

/// Compares each variant with the same search without reductions: `blames[variant]`, in the order of the positions. The
/// unreduced search goes to the depth that the policy's search completed. A position is listed when the unreduced
/// search finds a move that is better by `margin` centipawns or more.
pub fn blame(
    variants: &[Variant],
    positions: &[LabPosition],
    limit: SearchLimit,
    margin: i32,
    workers: &Workers,
) -> Vec<Vec<BlameRow>> {
    let found = workers.map(positions, |position| {
        // The unreduced search is the same for all variants that reached the same depth.
        let mut references = BTreeMap::new();
        let compared = variants
            .iter()
            .map(|variant| compare(variant, position, limit, margin, &mut references));
        compared.collect::<Vec<_>>()
    });
    let mut blames = vec![Vec::new(); variants.len()];
    for rows in found {
        for (of_variant, row) in blames.iter_mut().zip(rows) {
            of_variant.extend(row);
        }
    }
    blames
}

fn compare(
    variant: &Variant,
    position: &LabPosition,
    limit: SearchLimit,
    margin: i32,
    references: &mut BTreeMap<u32, Report>,
) -> Option<BlameRow> {
    let (start, unreduced) = (&position.position, variant.unreduced());
    let played = search(variant, start, &limit.limits());
    let to_depth = Limits::depth(played.depth);
    let reference = (references.entry(played.depth)).or_insert_with(|| search(&unreduced, start, &to_depth));
    let (choice, missed) = (played.best?, reference.best?);
    if choice == missed {
        return None;
    }
    let only = Limits {
        search_moves: vec![choice],
        ..to_depth
    };
    let alone = search(&unreduced, start, &only);
    if reference.score - alone.score < margin {
        return None;
    }
    let line = uci_line(start, &reference.pv);
    let mut tracker = Tracker {
        policy: &variant.policy,
        line: &reference.pv,
        words: &line,
        path: vec![None; reference.pv.len()],
        seen: vec![None; reference.pv.len()],
    };
    search_observed(variant, start, &limit.limits(), &mut tracker);
    let (reduced, why): (Vec<_>, Vec<_>) = tracker.seen.into_iter().flatten().unzip();
    let (played_score_cp, played_mate_in) = WrittenScore::from(alone.score).cells();
    let (missed_score_cp, missed_mate_in) = WrittenScore::from(reference.score).cells();
    Some(BlameRow {
        policy: variant.name.clone(),
        position: position.name.clone(),
        fen: start.to_string(),
        depth: played.depth,
        played: uci(start, choice),
        played_score_cp,
        played_mate_in,
        missed: uci(start, missed),
        missed_score_cp,
        missed_mate_in,
        line: line.join(" "),
        reduced_on_the_way: reduced.join(" "),
        why: why.join("; "),
    })
}

/// Follows one line through a search.
struct Tracker<'l> {
    policy: &'l Policy,
    line: &'l [Move],
    /// The moves of the line as UCI writes them.
    words: &'l [String],
    /// The moves that lead to the node that is being searched.
    path: Vec<Option<Move>>,
    /// For each move of the line that was reduced: the last reduction as the list writes it, and its steps.
    seen: Vec<Option<(String, String)>>,
}

impl Observer for Tracker<'_> {
    fn events(&self) -> Events {
        Events::REDUCTIONS.and(Events::NODES)
    }

    fn on_move_made(&mut self, ply: u32, mv: Option<Move>, _made_by: MadeBy) {
        if let Some(place) = self.path.get_mut(ply as usize) {
            *place = mv;
        }
    }

    fn on_decision(&mut self, decision: &Decision<'_>) {
        let ply = decision.ply as usize;
        let on_the_line = ply < self.line.len() && (0..=ply).all(|ply| self.path[ply] == Some(self.line[ply]));
        if on_the_line && decision.reduction > 0 {
            let word = self.words.get(ply).map_or("", String::as_str);
            let rules = rule_names(self.policy, decision.rules(), ":", "+");
            let reduced = format!("{ply}:{word}:-{}@{}{rules}", decision.reduction, decision.depth);
            let why = self.policy.explain(&decision.facts);
            self.seen[ply] = Some((reduced, why.as_ref().map_or_else(String::new, steps_text)));
        }
    }
}
