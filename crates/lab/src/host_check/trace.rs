//! The traces of a check: moves with their positions, their facts by name, and what follows from several of them.

use std::fs;
use std::io;
use std::path::Path;

use lmrlab_engine::position::Position;
use lmrlab_engine::position_facts::position_fact;
use lmrlab_host::MoveResult;
use lmrlab_host::trace::{Record, TraceError};
use lmrlab_policy::Policy;
use lmrlab_policy::facts::Fact;

use super::finding::{self, Finding};
use super::positions::POSITIONS;
use super::process::{End, HostCheck, HostProcess};
use super::test_policies::TestPolicy;
use crate::host::facts::{FactPlaces, TracedFacts};
use crate::host::{HostTrace, Seen, move_name, seen};

/// Plies after which the position of the root may occur again.
const FIRST_REPETITION: f64 = 4.0;

pub(super) struct Trace {
    pub(super) moves: Vec<TracedMove>,
    /// What is wrong with the first position or move that cannot be read, and the number of these.
    unreadable: Option<(String, usize)>,
    places: FactPlaces,
}

pub(super) struct TracedMove {
    pub(super) record: Record,
    pub(super) outcome: MoveResult,
    /// The shadow search: whether it raises alpha, and its nodes.
    pub(super) shadow: Option<(Option<bool>, u64)>,
    /// The position; `None` when the trace does not have it, or when it is not a legal one.
    pub(super) seen: Option<Seen>,
    /// The number of the move in its node, from 1 on; `None` when the engine fills neither fact.
    pub(super) number: Option<f64>,
    /// Whether the node has a null window; `None` when the engine does not say.
    pub(super) is_null: Option<bool>,
    /// Whether the transposition table knows the node, and a move for it, as far as the engine says.
    pub(super) is_known: bool,
    /// How the node stands to the position of its search; `None` when there is no such search.
    pub(super) root: Option<Root>,
    /// Whether the engine played a policy.
    pub(super) is_hosted: bool,
    /// What the policy says: the reduction, and whether the move is late. `None` for a policy that lmrlab does not know.
    pub(super) expected: Option<(i32, bool)>,
    /// The greatest depths of the traced nodes to which the move leads: of all, and of those with an open window.
    pub(super) deepest: [Option<f64>; 2],
    /// The depth to which the move was searched, or more: engines search a node less deep that the table does not know.
    pub(super) at_least: Option<f64>,
    /// The traced moves of the node before this one, and the nodes of all of these and this one.
    pub(super) earlier: (f64, u64),
}

/// How a node stands to the position of its search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Root {
    /// Whether it can be the root.
    pub(super) may_be: bool,
    /// Whether it can be no other node.
    pub(super) is: bool,
    /// Whether the same side is to move.
    pub(super) same_side: bool,
}

impl Root {
    /// Nodes differ by their path: a position that repeats the root has other clocks, and lies deeper.
    fn of(position: &Position, root: &Position, ply: Option<f64>) -> Self {
        let clocks = |position: &Position| (position.board().halfmove_clock(), position.board().fullmove_number());
        let may_be = position.key() == root.key() && ply.is_none_or(|ply| ply < FIRST_REPETITION);
        Self {
            may_be,
            is: may_be && clocks(position) == clocks(root),
            same_side: position.side_to_move() == root.side_to_move(),
        }
    }
}

impl Trace {
    /// Reads a trace.
    ///
    /// # Errors
    /// When the file cannot be read, or is no trace.
    #[allow(
        clippy::disallowed_methods,
        reason = "a file that the check itself asked for, and no input"
    )]
    fn read(path: &Path, policy: Option<&TestPolicy>) -> Result<Self, TraceError> {
        let read = HostTrace::read_from(fs::File::open(path)?)?;
        if read.cut_bytes > 0 {
            return Err(io::Error::other("its last record is cut").into());
        }
        let none = Policy::none();
        let places = FactPlaces::of(&read.header, policy.map_or(&none, |policy| &policy.policy));
        let roots = POSITIONS.map(|fen| Position::from_fen(fen).ok());
        let values = |record: &Record, fact| places.facts(record).known(fact);
        let widths = read.moves.iter().filter_map(|of| values(&of.record, Fact::Window));
        // A null window is the least one.
        let null = widths.filter(|width| *width > 0.0).min_by(f64::total_cmp);
        let mut unreadable: Option<(String, usize)> = None;
        let mut moves = Vec::with_capacity(read.moves.len());
        for of in read.moves {
            let record = of.record;
            let seen = read.header.has_positions.then(|| seen(&record));
            if let Some(Err(what)) = &seen {
                unreadable.get_or_insert_with(|| (what.clone(), 0)).1 += 1;
            }
            let seen = seen.and_then(Result::ok);
            let value = |fact| values(&record, fact);
            let root = (record.search as usize)
                .checked_sub(1)
                .and_then(|index| roots.get(index));
            let root = root.and_then(Option::as_ref).zip(seen.as_ref());
            let explained = policy.map(|policy| policy.policy.explain(&places.facts(&record)));
            moves.push(TracedMove {
                number: value(Fact::MovesSearched)
                    .map(|searched| searched + 1.0)
                    .or(value(Fact::MoveNumber)),
                is_null: match (value(Fact::Window), null) {
                    (Some(window), Some(null)) => Some(window <= 1.5 * null),
                    _ => value(Fact::Pv).map(|pv| pv == 0.0),
                },
                is_known: value(Fact::TtHasMove)
                    .or(value(Fact::TtHit))
                    .is_some_and(|known| known != 0.0),
                root: root.map(|(root, seen)| Root::of(&seen.position, root, value(Fact::Ply))),
                expected: explained.map(|explained| (explained.as_ref().map_or(0, |it| it.plies), explained.is_some())),
                is_hosted: read.header.policy.is_some(),
                deepest: [None; 2],
                at_least: None,
                earlier: (0.0, u64::from(record.nodes)),
                outcome: of.outcome,
                shadow: of.shadow,
                seen,
                record,
            });
        }
        Ok(Self {
            moves,
            unreadable,
            places,
        })
    }

    /// The facts of the catalogue that the trace has.
    pub(super) fn facts(&self) -> impl Iterator<Item = Fact> {
        self.places.known()
    }

    fn facts_of<'t>(&'t self, of: &'t TracedMove) -> TracedFacts<'t> {
        self.places.facts(&of.record)
    }

    /// The value of a fact; a boolean is 0 or 1. `None` when the engine does not fill it.
    pub(super) fn value(&self, of: &TracedMove, fact: Fact) -> Option<f64> {
        self.facts_of(of).known(fact)
    }

    /// Whether the trace has positions that can be read.
    pub(super) fn positions(&self) -> Finding {
        let all = self.moves.len();
        let count = self.unreadable.as_ref().map_or(0, |(_, count)| *count);
        finding::same(
            "position",
            self.unreadable.as_ref().map(|(what, _)| what.clone()),
            &format!("{all} moves with their positions are traced"),
            &format!("{count} of {all} moves have no position or a wrong one"),
            "Give lmr_position the FEN before the move, and the move as UCI writes it",
        )
    }
}

impl TracedMove {
    /// The depth of the move without its reduction.
    pub(super) fn full(&self) -> f64 {
        f64::from(self.record.full_depth)
    }

    pub(super) fn reduction(&self) -> f64 {
        f64::from(self.record.reduction)
    }

    /// Whether the move is reduced, and its first search fails high.
    pub(super) fn is_again(&self) -> bool {
        self.record.failed_high && self.record.reduction > 0
    }

    /// The depth of the second search of a reduced move, as far as traced nodes show it.
    pub(super) fn second(&self) -> Option<f64> {
        let [deepest, _] = self.deepest;
        deepest.filter(|depth| self.is_again() && !self.gives_check() && *depth > self.full() - self.reduction())
    }

    /// Whether a score is inside the window after a first search with a null window, and traced nodes show more of it.
    pub(super) fn is_inside_again(&self) -> bool {
        let is_inside = self.record.failed_high && self.outcome == MoveResult::Inside;
        is_inside && !self.gives_check() && self.deepest[0].is_some()
    }

    /// Whether the move is searched once.
    pub(super) fn is_once(&self) -> bool {
        !self.record.failed_high
    }

    /// Whether the move is searched once, is not late and has no reduction.
    pub(super) fn is_plain(&self) -> bool {
        self.is_once() && self.record.reduction == 0 && !self.record.late
    }

    /// Whether a node of this depth below the move is one of its searches. Others of the same position, such as that of a singular
    /// extension, have other depths and windows.
    pub(super) fn searches(&self, depth: f64) -> bool {
        depth == self.full() - self.reduction() || (self.record.failed_high && depth == self.full())
    }

    /// Whether the move is the one that follows in its node.
    pub(super) fn is_after(&self, one: &Self) -> bool {
        matches!((one.number, self.number), (Some(one), Some(number)) if number == one + 1.0)
    }

    /// Whether the shadow search of the move is the same search as the first: the same depth, and the same window.
    pub(super) fn is_control(&self) -> bool {
        let has_null_window = self.is_null == Some(true) || self.number.is_some_and(|number| number >= 2.0);
        self.record.reduction == 0 && has_null_window && self.judged().is_some()
    }

    /// The result and the nodes of a shadow search that has ended.
    pub(super) fn judged(&self) -> Option<(bool, u64)> {
        self.shadow.and_then(|(raises, nodes)| Some((raises?, nodes)))
    }

    /// The value of a fact by lmrlab's own board, or 0.
    pub(super) fn own(&self, fact: Fact) -> f64 {
        self.own_value(fact).unwrap_or(0.0)
    }

    /// The value of a fact by lmrlab's own board; `None` when the board does not say it.
    pub(super) fn own_value(&self, fact: Fact) -> Option<f64> {
        let seen = self.seen.as_ref()?;
        position_fact(&seen.position, &seen.after, seen.mv, fact)
    }

    /// Whether the side to move is in check.
    pub(super) fn in_check(&self) -> bool {
        self.seen.as_ref().is_some_and(|seen| seen.position.in_check())
    }

    /// Whether the move gives check.
    pub(super) fn gives_check(&self) -> bool {
        self.seen.as_ref().is_some_and(|seen| seen.after.in_check())
    }

    /// The move and its position, for a message.
    pub(super) fn name(&self) -> String {
        move_name(&self.record)
    }
}

/// What to trace.
pub(super) struct Plan<'p> {
    /// The policy that the engine plays; `None`: its own scheme.
    pub(super) policy: Option<&'p TestPolicy>,
    /// The policy that has to give the traced reductions: that one, or the engine's own scheme as a policy.
    pub(super) expected: Option<&'p TestPolicy>,
    pub(super) rate: &'p str,
    pub(super) shadow: &'p str,
    pub(super) nodes: u64,
}

impl<'p> Plan<'p> {
    /// All moves of the searches with this policy, without shadow searches.
    pub(super) fn of(policy: &'p TestPolicy, nodes: u64) -> Self {
        Self {
            policy: Some(policy),
            expected: Some(policy),
            rate: "1",
            shadow: "none",
            nodes,
        }
    }

    /// Searches all positions, and reads the trace of these searches. A problem of the trace is returned as a finding.
    pub(super) fn trace(&self, host: &HostCheck<'_>) -> Result<Result<Trace, Finding>, End> {
        let path = host.folder.join("check.trace");
        let mut session = HostProcess::start_with_positions(host)?;
        if let Some(policy) = self.policy {
            session.load(policy)?;
        }
        session.set("LmrTraceRate", self.rate)?;
        let answers = session.set("LmrShadow", self.shadow)?;
        if let Some(error) = answers.first().and_then(|answer| answer.strip_prefix("error ")) {
            return Ok(Err(finding::note("shadow", error)));
        }
        let answers = session.set("LmrTrace", &path.display().to_string())?;
        let expected = format!("trace {}", path.display());
        if answers.first() != Some(&expected) {
            let seen = answers.first().map_or("no answer", String::as_str);
            let advice = format!("`info string lmrlab-host {expected}`");
            return Ok(Err(finding::wrong("trace", "LmrTrace is refused", &advice, seen)));
        }
        session.searches(&POSITIONS, self.nodes)?;
        session.set("LmrTrace", "<empty>")?;
        let trace = Trace::read(&path, self.expected);
        // The trace may be large.
        let _ = fs::remove_file(&path);
        let wrong = match trace {
            Ok(trace) if !trace.moves.is_empty() => return Ok(Ok(trace)),
            Ok(_) => "a trace of all moves is empty".to_owned(),
            Err(error) => format!("the trace cannot be read: {error}"),
        };
        let advice =
            "the header writes the trace; call lmr_open with the state of one thread, and lmr_close after each move";
        Ok(Err(finding::wrong("trace", wrong, advice, "")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_that_repeats_the_root_is_another_node() {
        let position = |clocks: &str| Position::from_fen(&format!("4k3/8/8/8/8/8/8/R3K2R w K - {clocks}")).unwrap();
        let root = position("3 20");
        let of = |clocks: &str, ply| {
            let Root { may_be, is, .. } = Root::of(&position(clocks), &root, ply);
            (may_be, is)
        };
        assert_eq!(of("3 20", Some(0.0)), (true, true));
        assert_eq!(of("3 20", None), (true, true));
        assert_eq!(of("7 22", Some(4.0)), (false, false));
        assert_eq!(of("7 22", None), (true, false));
        // An engine that always writes the same clocks into its FEN.
        assert_eq!(of("3 20", Some(4.0)), (false, false));
        // The clocks of another node, and those of the root, show a wrong ply.
        assert_eq!(of("7 22", Some(0.0)), (true, false));
        let other = Position::from_fen("4k3/8/8/8/8/8/8/R3K2R b K - 3 20").unwrap();
        let Root { may_be, same_side, .. } = Root::of(&other, &root, None);
        assert!(!may_be && !same_side);
    }
}
