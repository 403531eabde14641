//! Explains one position: how a policy reduces each move, and what the searches of the move returned.

use std::fmt::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use cozy_chess::util::display_san_move;
use cozy_chess::{Board, Move};
use lmrlab_engine::engine::{DEFAULT_HASH_MIB, Engine, Report};
use lmrlab_engine::game::Game;
use lmrlab_engine::limits::Limits;
use lmrlab_engine::position::Position;
use lmrlab_engine::preset::Preset;
use lmrlab_engine::search::observer::{Decision, Events, MoveSearch, Observer};
use lmrlab_policy::Policy;
use lmrlab_policy::facts::{FactSet, Facts, Kind};
use lmrlab_policy::policy::Explanation as Reasons;
use lmrlab_runner::text_table::{Column, TextTable};

use super::notation::pawns;

/// The moves of a position in the order in which the last iteration searched them.
#[derive(Debug, Clone)]
pub struct Explanation {
    /// The position.
    pub board: Board,
    /// The moves.
    pub moves: Vec<ExplainedMove>,
    /// The result of the search.
    pub report: Report,
    /// The depth of the last iteration, in plies.
    pub depth: u32,
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
        depth: report.depth,
        report,
    }
}

impl Explanation {
    /// The score of the search, in pawns or as moves to mate.
    pub fn score(&self) -> String {
        pawns(self.report.score)
    }

    /// Why the depths of the searches differ.
    pub fn about_depths(&self) -> String {
        format!(
            "A move takes one of the {} plies, so its full depth is {}. A reduced search has R plies less, an extended move more.",
            self.depth,
            self.depth.saturating_sub(1)
        )
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
    pub fn searches(&self) -> String {
        let searches = self.attempts.iter().map(|attempt| {
            let window = if attempt.null_window { "" } else { " full" };
            format!("{} at {}{window}", pawns(attempt.score), attempt.depth)
        });
        searches.collect::<Vec<_>>().join(", ")
    }

    /// The steps of the reduction as text: the value of `reduce`, and what each rule added.
    pub fn why(&self) -> String {
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

/// The table for a person.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headings = ["#", "move", "R", "searches", "why", "facts"];
        let mut table = TextTable::of(headings.map(|heading| match heading {
            "#" | "R" => Column::numbers(heading),
            _ => Column::words(heading),
        }));
        for explained in &self.moves {
            table.push([
                explained.number.to_string(),
                display_san_move(&self.board, explained.mv).to_string(),
                explained.reduction.to_string(),
                explained.searches(),
                explained.why(),
                explained.facts.join(", "),
            ]);
        }
        write!(f, "{table}")
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
