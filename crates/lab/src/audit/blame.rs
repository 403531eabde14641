//! Positions where a policy made the search miss a better move, and the reduced moves on the way to it.

use std::collections::{BTreeMap, BTreeSet};

use cozy_chess::Move;
use lmrlab_engine::engine::Report;
use lmrlab_engine::limits::Limits;
use lmrlab_engine::score::Score;
use lmrlab_engine::search::observer::{Decision, Events, MadeBy, Observer};
use lmrlab_policy::Policy;
use lmrlab_policy::rule::RuleSet;

use crate::explanation::steps_text;
use crate::positions::LabPosition;
use crate::search::{SearchLimit, search, search_observed};
use crate::variant::Variant;
use crate::workers::Workers;

/// A position where the search without reductions finds a better move at the same depth.
#[derive(Debug, Clone, PartialEq)]
pub struct Blame {
    /// Index of the position.
    pub position: usize,
    /// Depth of both searches, in plies.
    pub depth: u32,
    /// The choice of the search with the policy.
    pub played: Move,
    /// Its score by the search without reductions, for the side to move.
    pub played_score: Score,
    /// The choice of the search without reductions.
    pub missed: Move,
    /// Its score, for the side to move.
    pub missed_score: Score,
    /// The line that the search without reductions expects, the missed move first.
    pub line: Vec<Move>,
    /// The moves of that line that the policy reduced on the way, in their order.
    pub suspects: Vec<Suspect>,
}

/// A move of the missed line that the policy reduced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suspect {
    /// Its place in the line: distance of its node from the root, in plies.
    pub ply: usize,
    /// The last time it was reduced: remaining depth of its node, in plies.
    pub depth: u32,
    /// The plies that it lost that time.
    pub reduction: i32,
    /// The rules that applied that time.
    pub rules: RuleSet,
    /// The steps of that reduction: the value of `reduce`, and what each rule added.
    pub why: String,
}

/// Compares each variant with the same search without reductions: `blames[variant]`, in the order of the positions. The
/// unreduced search goes to the depth that the policy's search completed. A position is listed when the unreduced
/// search finds a move that is better by `margin` centipawns or more.
pub fn blame(
    variants: &[Variant],
    positions: &[LabPosition],
    limit: SearchLimit,
    margin: i32,
    workers: &Workers,
) -> Vec<Vec<Blame>> {
    let Some(unreduced) = variants.first().map(Variant::unreduced) else {
        return Vec::new();
    };
    let jobs = variants
        .iter()
        .flat_map(|variant| (0..positions.len()).map(move |index| (variant, index)));
    let jobs: Vec<(&Variant, usize)> = jobs.collect();
    let played = workers.map(&jobs, |(variant, index)| {
        search(variant, &positions[*index].position, &limit.limits())
    });
    let jobs: Vec<((&Variant, usize), Report)> = jobs.into_iter().zip(played).collect();
    // The unreduced search is the same for all variants that reached the same depth.
    let keys: BTreeSet<(usize, u32)> = jobs.iter().map(|((_, index), report)| (*index, report.depth)).collect();
    let keys: Vec<(usize, u32)> = keys.into_iter().collect();
    let reports = workers.map(&keys, |(index, depth)| {
        search(&unreduced, &positions[*index].position, &Limits::depth(*depth))
    });
    let references: BTreeMap<(usize, u32), Report> = keys.into_iter().zip(reports).collect();
    let found = workers.map(&jobs, |((variant, index), report)| {
        let reference = references.get(&(*index, report.depth))?;
        compare(
            variant,
            &unreduced,
            *index,
            &positions[*index],
            limit,
            report,
            reference,
            margin,
        )
    });
    let mut found = found.into_iter();
    variants
        .iter()
        .map(|_| found.by_ref().take(positions.len()).flatten().collect())
        .collect()
}

#[allow(clippy::too_many_arguments, reason = "two searches and what they are of")]
fn compare(
    variant: &Variant,
    unreduced: &Variant,
    index: usize,
    position: &LabPosition,
    limit: SearchLimit,
    played: &Report,
    reference: &Report,
    margin: i32,
) -> Option<Blame> {
    let (choice, missed) = (played.best?, reference.best?);
    if choice == missed {
        return None;
    }
    let only = Limits {
        search_moves: vec![choice],
        ..Limits::depth(played.depth)
    };
    let alone = search(unreduced, &position.position, &only);
    if reference.score - alone.score < margin {
        return None;
    }
    let mut tracker = Tracker::new(&variant.policy, &reference.pv);
    search_observed(variant, &position.position, &limit.limits(), &mut tracker);
    Some(Blame {
        position: index,
        depth: played.depth,
        played: choice,
        played_score: alone.score,
        missed,
        missed_score: reference.score,
        line: reference.pv.clone(),
        suspects: tracker.seen.into_iter().flatten().collect(),
    })
}

/// Follows one line through a search.
struct Tracker<'l> {
    policy: &'l Policy,
    line: &'l [Move],
    /// The moves that lead to the node that is being searched.
    path: Vec<Option<Move>>,
    /// One for each move of the line that was reduced.
    seen: Vec<Option<Suspect>>,
}

impl<'l> Tracker<'l> {
    fn new(policy: &'l Policy, line: &'l [Move]) -> Self {
        Self {
            policy,
            line,
            path: vec![None; line.len()],
            seen: vec![None; line.len()],
        }
    }
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
            let why = self.policy.explain(&decision.facts);
            self.seen[ply] = Some(Suspect {
                ply,
                depth: decision.depth,
                reduction: decision.reduction,
                rules: decision.rules(),
                why: why.as_ref().map_or_else(String::new, steps_text),
            });
        }
    }
}
