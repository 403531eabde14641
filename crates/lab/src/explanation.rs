//! Explains one position: how a policy reduces each move, and what the searches of the move returned.

use std::fmt::Write as _;

use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_engine::limits::Limits;
use lmrlab_engine::position::Position;
use lmrlab_engine::search::observer::{Decision, Events, MoveSearch, Observer};
use lmrlab_policy::Policy;
use lmrlab_policy::facts::{FactSet, Facts, Kind};
use lmrlab_policy::policy::Explanation as Reasons;
use lmrlab_results::outcome::notation::moves_in_san;
use lmrlab_results::outcome::picture::{Bars, Board as Diagram, Quantity};
use lmrlab_results::outcome::table::Table;
use lmrlab_results::outcome::{Outcome, Section};
use lmrlab_results::rows::explanation::{ExplainedRow, ExplainedSearch};
use lmrlab_results::seen::Seen;
use lmrlab_results::tables;
use lmrlab_results::written_score::WrittenScore;

use super::named_fact::value;
use super::notation::{plies, score, uci};
use super::search::search_observed;
use super::variant::Variant;

tables! {
    /// The files of an explanation.
    ExplanationTables {
        search: Vec<ExplainedSearch>,
        moves: Vec<ExplainedRow>,
    }
}

impl ExplanationTables {
    /// Searches a position to a depth, and records how each move was reduced in the last iteration.
    pub fn of(variant: &Variant, position: &Position, depth: u32) -> Self {
        let board = position.board();
        let fen = ChessVariant::of(board).fen(board);
        let mut notes = Notes {
            policy: &variant.policy,
            fen: &fen,
            moves: Vec::new(),
        };
        let report = search_observed(variant, position, &Limits::depth(depth), &mut notes);
        let (score_cp, mate_in) = WrittenScore::from(report.score).cells();
        Self {
            moves: notes.moves,
            search: vec![ExplainedSearch {
                policy: variant.name.clone(),
                depth: report.depth,
                best: report.best.map_or_else(String::new, |mv| uci(position, mv)),
                score_cp,
                mate_in,
                nodes: report.nodes,
                fen,
            }],
        }
    }

    /// What the tables say. `conditions` are what was searched, and how.
    pub fn outcome(self, conditions: &str) -> Outcome {
        let Some(search) = self.search.first() else {
            return Outcome::default();
        };
        let (policy, depth) = (&search.policy, search.depth);
        let san = |mv: &str| moves_in_san(&search.fen, mv);
        let reduced = || self.moves.iter().filter(|row| row.reduction > 0);
        let best = match san(&search.best) {
            best if best.is_empty() => "no legal move".to_owned(),
            best => format!("best {best}, {}", score(search.score_cp, search.mate_in)),
        };
        let verdict = format!(
            "{policy} reduces {} of {} moves. The search: {best}, {} nodes.",
            reduced().count(),
            self.moves.len(),
            search.nodes
        );
        let mut arrows = vec![(search.best.clone(), true, "the best move".to_owned())];
        let most = reduced().max_by_key(|row| row.reduction);
        if let Some(most) = most.filter(|most| most.r#move != search.best) {
            let meaning = format!("reduced most, by {}", plies(most.reduction));
            arrows.push((most.r#move.clone(), false, meaning));
        }
        let board = Diagram {
            title: format!("What {policy} searches at depth {depth}"),
            fen: search.fen.clone(),
            moves: arrows,
            text: Vec::new(),
        };
        let bars = self.moves.iter().map(|row| {
            let said = format!("{} ({})", row.reduction, row.why);
            (san(&row.r#move), f64::from(row.reduction), said)
        });
        let bars = Bars {
            title: format!("Reduction of each move by {policy}"),
            quantity: Quantity {
                sides: ["extended", "reduced"],
                ..Quantity::new("plies", Seen::AsWritten)
            },
            bars: bars.collect(),
            most: 1.0,
            numbered: Some("number of the move".to_owned()),
            note: "Point at a bar for its move and its rules.".to_owned(),
        };
        let moves = Section::new("The moves, in the order of the last iteration")
            .draw([bars])
            .say(format!(
                "A move takes one of the {depth} plies, so its full depth is {}. A reduced search has R plies less, an extended move more.",
                depth.saturating_sub(1)
            ))
            .table(Table::of("moves", &self.moves));
        Outcome {
            title: format!("{policy}, explained"),
            conditions: conditions.to_owned(),
            verdict: vec![verdict],
            sections: vec![Section::new("The position").draw([board]), moves],
            notes: Vec::new(),
            tables: self.tables(),
        }
    }
}

struct Notes<'n> {
    policy: &'n Policy,
    fen: &'n str,
    moves: Vec<ExplainedRow>,
}

impl Observer for Notes<'_> {
    fn events(&self) -> Events {
        Events::MOVES
    }

    fn on_decision(&mut self, decision: &Decision<'_>) {
        if decision.ply > 0 {
            return;
        }
        if decision.move_number == 1 {
            // Another iteration, or the same one with a wider window.
            self.moves.clear();
        }
        let reasons = self.policy.explain(&decision.facts);
        self.moves.push(ExplainedRow {
            number: decision.move_number,
            fen: self.fen.to_owned(),
            r#move: uci(decision.position, decision.mv),
            reduction: decision.reduction,
            searches: String::new(),
            why: reasons.as_ref().map_or_else(|| "not reducible".to_owned(), steps_text),
            facts: described(self.policy.needs(), decision.facts),
        });
    }

    fn on_move_search(&mut self, attempt: &MoveSearch) {
        if attempt.ply == 0
            && let Some(last) = self.moves.last_mut()
        {
            let comma = if last.searches.is_empty() { "" } else { ", " };
            let window = if attempt.null_window { "" } else { " full" };
            let (score_cp, mate_in) = WrittenScore::from(attempt.score).cells();
            let score = score(score_cp, mate_in);
            let _ = write!(last.searches, "{comma}{score} at {}{window}", attempt.depth);
        }
    }
}

/// The facts that a policy reads, as text: booleans that hold by name, numbers with their value.
fn described(needs: FactSet, facts: &dyn Facts) -> String {
    let flags = facts.flags();
    let described = needs.iter().filter(|fact| !fact.is_of_research()).filter_map(|fact| {
        let (info, value) = (fact.info(), value(fact, facts, flags));
        match info.kind {
            Kind::Boolean => (value != 0.0).then(|| info.name.to_owned()),
            Kind::Number => Some(format!("{} {value}", info.name)),
        }
    });
    described.collect::<Vec<_>>().join(", ")
}

/// The steps of a reduction as text: `3.114 -1 checks-less, finished as 2`.
pub(crate) fn steps_text(reasons: &Reasons) -> String {
    let mut text = plies_text(reasons.base);
    for rule in &reasons.rules {
        let _ = match rule.plies - rule.before {
            change if change > 0.0 => write!(text, " +{} {}", plies_text(change), rule.name),
            change if change < 0.0 => write!(text, " -{} {}", plies_text(-change), rule.name),
            // This rule changed no plies: it only stops the others, or caps a reduction that is low enough already.
            _ => write!(text, ", {}", rule.name),
        };
    }
    if (reasons.raw - f64::from(reasons.plies)).abs() > 1e-9 {
        let _ = write!(text, ", finished as {}", reasons.plies);
    }
    text
}

/// A number of plies without needless digits.
fn plies_text(plies: f64) -> String {
    let text = format!("{plies:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lmrlab_diagnostics::Source;

    const POLICY: &str = r#"
        name = "two"
        when = "depth >= 3 and moves_searched >= 2 and quiet"
        reduce = "1.5"
        [[rule]]
        name = "checks"
        when = "gives_check"
        add = "-1"
        [[rule]]
        name = "late"
        when = "moves_searched >= 10"
        add = "1"
    "#;

    #[test]
    fn every_move_is_explained_once_and_adds_up() {
        let policy = Policy::compile(Source::new("p.toml", POLICY)).unwrap().0;
        let fen = "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9";
        let position = Position::from_fen(fen).unwrap();
        let explained = ExplanationTables::of(&Variant::new("two", policy), &position, 5);
        let numbers: Vec<u32> = explained.moves.iter().map(|row| row.number).collect();
        assert_eq!(numbers, (1..=numbers.len() as u32).collect::<Vec<_>>());
        assert!(numbers.len() > 20);
        let mut reduced = 0;
        for row in &explained.moves {
            let (_, first) = row.searches.split_once(" at ").unwrap();
            if row.why != "not reducible" {
                reduced += 1;
                assert_eq!(row.why.contains(" late"), row.number > 10, "{row:?}");
            }
            // A reduced search that raises alpha is followed by one at full depth.
            if row.reduction > 0 {
                let depth: i32 = first.split([',', ' ']).next().unwrap().parse().unwrap();
                assert!(depth < 4 + i32::from(row.facts.contains("gives_check")), "{row:?}");
            }
        }
        assert!(reduced > 10);
    }
}
