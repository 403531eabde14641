//! Explains one position: how a policy reduces each move, and what the searches of the move returned.

use std::fmt::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use cozy_chess::{Board, Move};
use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_engine::engine::{DEFAULT_HASH_MIB, Engine, Report};
use lmrlab_engine::game::Game;
use lmrlab_engine::limits::Limits;
use lmrlab_engine::position::Position;
use lmrlab_engine::preset::Preset;
use lmrlab_engine::search::observer::{Decision, Events, MoveSearch, Observer};
use lmrlab_policy::Policy;
use lmrlab_policy::facts::{FactSet, Facts, Kind};
use lmrlab_policy::policy::Explanation as Reasons;
use lmrlab_results::lab_rows::{ExplainedRow, ExplainedSearch};
use lmrlab_results::outcome::notation::moves_in_san;
use lmrlab_results::outcome::picture::{Bars, Board as Diagram, Quantity};
use lmrlab_results::outcome::table::Table;
use lmrlab_results::outcome::{Outcome, Section};
use lmrlab_results::seen::Seen;
use lmrlab_results::tables;
use lmrlab_results::written_score::WrittenScore;

use super::notation::{pawns, plies, score};

/// The moves of a position in the order in which the last iteration searched them.
#[derive(Debug, Clone)]
pub struct Explanation {
    /// The position.
    pub board: Board,
    /// The moves.
    pub moves: Vec<ExplainedMove>,
    /// The result of the search.
    pub report: Report,
}

/// One move of the position.
#[derive(Debug, Clone)]
pub struct ExplainedMove {
    /// The move.
    pub mv: Move,
    /// Its number in the order of the search, from 1.
    pub number: u32,
    /// Plies by which it was reduced; negative when it was extended.
    pub reduction: i32,
    /// The steps of the reduction; `None` when the policy's `when` did not hold.
    pub reasons: Option<Reasons>,
    /// The facts that the policy reads, as text: booleans that hold by name, numbers with their value.
    pub facts: Vec<String>,
    /// The searches of the move, in their order.
    pub attempts: Vec<MoveSearch>,
}

/// Searches a position to a depth and records the reduction of each move.
pub fn explain(position: &Position, preset: &Arc<Preset>, policy: &Arc<Policy>, depth: u32) -> Explanation {
    let mut engine = Engine::new(Arc::clone(preset), Arc::clone(policy), DEFAULT_HASH_MIB);
    let mut notes = Notes {
        policy: Arc::clone(policy),
        needs: policy.needs(),
        moves: Vec::new(),
    };
    let game = Game::new(position.clone());
    let go = AtomicBool::new(false);
    let report = engine.search_observed(&game, &Limits::depth(depth), &go, &mut notes);
    Explanation {
        board: position.board().clone(),
        moves: notes.moves,
        report,
    }
}

tables! {
    /// The files of an explanation.
    ExplanationTables {
        search: ExplainedSearch,
        moves: ExplainedRow,
    }
}

impl ExplanationTables {
    /// The tables of an explanation. `policy` is the name of the policy.
    pub fn of(explanation: &Explanation, policy: &str) -> Self {
        let (board, report) = (&explanation.board, &explanation.report);
        let variant = ChessVariant::of(board);
        let fen = variant.fen(board);
        let (score_cp, mate_in) = WrittenScore::from(report.score).cells();
        let moves = explanation.moves.iter().map(|explained| ExplainedRow {
            number: explained.number,
            fen: fen.clone(),
            r#move: variant.uci_move(board, explained.mv),
            reduction: explained.reduction,
            searches: explained.searches(),
            why: explained.why(),
            facts: explained.facts.join(", "),
        });
        Self {
            moves: moves.collect(),
            search: vec![ExplainedSearch {
                policy: policy.to_owned(),
                depth: report.depth,
                best: report.best.map_or_else(String::new, |mv| variant.uci_move(board, mv)),
                score_cp,
                mate_in,
                nodes: report.nodes,
                fen,
            }],
        }
    }

    /// What the tables say. `conditions` are what was searched, and how.
    pub fn outcome(self, conditions: &str) -> Outcome {
        let tables = self.tables();
        let searches = self.search.iter().map(|search| self.searched(search));
        let (verdict, sections): (Vec<_>, Vec<_>) = searches.unzip();
        let policies = self.search.iter().map(|search| search.policy.clone());
        Outcome {
            title: format!("{}, explained", policies.collect::<Vec<_>>().join(", ")),
            conditions: conditions.to_owned(),
            verdict,
            sections: sections.into_iter().flatten().collect(),
            notes: Vec::new(),
            tables,
        }
    }

    /// The verdict, and the sections.
    fn searched(&self, search: &ExplainedSearch) -> (String, [Section; 2]) {
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
        (verdict, [Section::new("The position").draw([board]), moves])
    }
}

struct Notes {
    policy: Arc<Policy>,
    needs: FactSet,
    moves: Vec<ExplainedMove>,
}

impl Observer for Notes {
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
        self.moves.push(ExplainedMove {
            mv: decision.mv,
            number: decision.move_number,
            reduction: decision.reduction,
            reasons: self.policy.explain(&decision.facts),
            facts: describe(self.needs, decision.facts),
            attempts: Vec::new(),
        });
    }

    fn on_move_search(&mut self, attempt: &MoveSearch) {
        if attempt.ply == 0
            && let Some(last) = self.moves.last_mut()
        {
            last.attempts.push(*attempt);
        }
    }
}

fn describe(needs: FactSet, facts: &dyn Facts) -> Vec<String> {
    let flags = facts.flags();
    needs
        .iter()
        .filter(|fact| !fact.is_of_research())
        .filter_map(|fact| {
            let info = fact.info();
            match info.kind {
                Kind::Boolean => {
                    let holds = if fact.is_flag() {
                        flags.has(fact)
                    } else {
                        facts.boolean(fact)
                    };
                    holds.then(|| info.name.to_owned())
                }
                Kind::Number => Some(format!("{} {}", info.name, facts.number(fact))),
            }
        })
        .collect()
}

impl ExplainedMove {
    /// The searches of the move: score in pawns and depth of each; `full` marks the full window.
    fn searches(&self) -> String {
        let searches = self.attempts.iter().map(|attempt| {
            let window = if attempt.null_window { "" } else { " full" };
            format!("{} at {}{window}", pawns(attempt.score), attempt.depth)
        });
        searches.collect::<Vec<_>>().join(", ")
    }

    /// The steps of the reduction as text: the value of `reduce`, and what each rule added.
    fn why(&self) -> String {
        self.reasons
            .as_ref()
            .map_or_else(|| "not reducible".to_owned(), steps_text)
    }
}

/// The steps of a reduction as text: `3.114 -1 checks-less, finished as 2`.
pub(crate) fn steps_text(reasons: &Reasons) -> String {
    let mut text = format!("{}", Plies(reasons.base));
    for rule in &reasons.rules {
        let _ = match rule.plies - rule.before {
            change if change > 0.0 => write!(text, " +{} {}", Plies(change), rule.name),
            change if change < 0.0 => write!(text, " -{} {}", Plies(-change), rule.name),
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
struct Plies(f64);

impl fmt::Display for Plies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:.3}", self.0);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lmrlab_diagnostics::Source;

    fn explained(policy: &str, depth: u32) -> Explanation {
        let policy = Policy::compile(Source::new("p.toml", policy)).unwrap().0;
        let fen = "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9";
        explain(
            &Position::from_fen(fen).unwrap(),
            &Arc::new(Preset::default()),
            &Arc::new(policy),
            depth,
        )
    }

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
        let explanation = explained(POLICY, 5);
        let numbers: Vec<u32> = explanation.moves.iter().map(|mv| mv.number).collect();
        assert_eq!(numbers, (1..=numbers.len() as u32).collect::<Vec<_>>());
        assert!(numbers.len() > 20);
        let mut reduced = 0;
        for explained in &explanation.moves {
            let reasons = explained.reasons.as_ref();
            assert_eq!(explained.reduction, reasons.map_or(0, |reasons| reasons.plies));
            assert!(!explained.attempts.is_empty());
            if let Some(reasons) = reasons {
                reduced += 1;
                let late = reasons.rules.iter().any(|rule| rule.name == "late");
                assert_eq!(late, explained.number > 10);
            }
            // A reduced search that raises alpha is followed by one at full depth.
            if explained.reduction > 0 {
                assert!(
                    explained.attempts[0].depth < 4 + i32::from(explained.facts.contains(&"gives_check".to_owned()))
                );
            }
        }
        assert!(reduced > 10);
    }
}
