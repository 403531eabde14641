//! The traces of a check: moves with their positions, their facts by name, and what follows from several of them.

use std::fs;
use std::io;
use std::ops::Deref;
use std::path::Path;
use std::rc::Rc;

use lmrlab_engine::position::Position;
use lmrlab_engine::position_facts::position_fact;
use lmrlab_host::MoveResult;
use lmrlab_host::trace::TraceError;
use lmrlab_policy::Policy;
use lmrlab_policy::facts::Fact;
use lmrlab_results::text_file::open_file;
use lmrlab_runner::player::uci::HostedPolicy;

use super::check::Check;
use super::positions::POSITIONS;
use super::process::{End, HostProcess, differs};
use crate::host::facts::FactPlaces;
use crate::host::{HostTrace, Seen, TracedMove, seen};

/// Plies after which the position of the root may occur again.
const FIRST_REPETITION: f64 = 4.0;

pub(super) struct Trace {
    pub(super) moves: Vec<CheckedMove>,
    pub(super) places: Rc<FactPlaces>,
}

/// A traced move, and what the check knows of it.
pub(super) struct CheckedMove {
    traced: TracedMove,
    places: Rc<FactPlaces>,
    /// The position, or what is wrong with it.
    pub(super) seen: Result<Seen, String>,
    /// Whether the node has a null window; `None` when the engine does not say.
    pub(super) is_null: Option<bool>,
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
    fn read(path: &Path, policy: Option<&HostedPolicy>) -> Result<Self, TraceError> {
        let read = HostTrace::read_from(open_file(path)?)?;
        if read.cut_bytes > 0 {
            return Err(io::Error::other("its last record is cut").into());
        }
        let policy = policy.map(HostedPolicy::policy);
        let places = Rc::new(FactPlaces::of(&read.header, policy.unwrap_or(&Policy::none())));
        let roots = POSITIONS.map(|fen| Position::from_fen(fen).ok());
        let widths = (read.moves.iter()).filter_map(|of| places.facts(&of.record).known(Fact::Window));
        // A null window is the least one.
        let null = widths.filter(|width| *width > 0.0).min_by(f64::total_cmp);
        let moves = read.moves.into_iter().map(|traced| {
            let facts = places.facts(&traced.record);
            let seen = seen(&traced.record);
            let root = (traced.record.search as usize).checked_sub(1);
            let root = root
                .and_then(|index| roots.get(index)?.as_ref())
                .zip(seen.as_ref().ok());
            let explained = policy.map(|policy| policy.explain(&facts));
            CheckedMove {
                is_null: match (facts.known(Fact::Window), null) {
                    (Some(window), Some(null)) => Some(window <= 1.5 * null),
                    _ => facts.known(Fact::Pv).map(|pv| pv == 0.0),
                },
                root: root.map(|(root, seen)| Root::of(&seen.position, root, facts.known(Fact::Ply))),
                expected: explained.map(|explained| (explained.as_ref().map_or(0, |it| it.plies), explained.is_some())),
                is_hosted: read.header.policy.is_some(),
                deepest: [None; 2],
                at_least: None,
                earlier: (0.0, u64::from(traced.record.nodes)),
                seen,
                places: Rc::clone(&places),
                traced,
            }
        });
        Ok(Self {
            moves: moves.collect(),
            places,
        })
    }
}

impl Deref for CheckedMove {
    type Target = TracedMove;

    fn deref(&self) -> &TracedMove {
        &self.traced
    }
}

impl CheckedMove {
    /// The value of a fact; a boolean is 0 or 1. `None` when the engine does not fill it.
    pub(super) fn value(&self, fact: Fact) -> Option<f64> {
        self.places.facts(&self.record).known(fact)
    }

    /// The number of the move in its node, from 1 on; `None` when the engine fills neither fact.
    pub(super) fn number(&self) -> Option<f64> {
        let searched = self.value(Fact::MovesSearched).map(|searched| searched + 1.0);
        searched.or_else(|| self.value(Fact::MoveNumber))
    }

    /// Whether the transposition table knows the node, and a move for it, as far as the engine says.
    pub(super) fn is_known(&self) -> bool {
        let known = self.value(Fact::TtHasMove).or_else(|| self.value(Fact::TtHit));
        known.is_some_and(|known| known != 0.0)
    }

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
        matches!((one.number(), self.number()), (Some(one), Some(number)) if number == one + 1.0)
    }

    /// Whether the shadow search of the move is the same search as the first: the same depth, and the same window.
    pub(super) fn is_control(&self) -> bool {
        let has_null_window = self.is_null == Some(true) || self.number().is_some_and(|number| number >= 2.0);
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
        let seen = self.seen.as_ref().ok()?;
        position_fact(&seen.position, &seen.after, seen.mv, fact)
    }

    /// Whether the side to move is in check.
    pub(super) fn in_check(&self) -> bool {
        self.seen.as_ref().is_ok_and(|seen| seen.position.in_check())
    }

    /// Whether the move gives check.
    pub(super) fn gives_check(&self) -> bool {
        self.seen.as_ref().is_ok_and(|seen| seen.after.in_check())
    }

    /// The move and its position, for a message.
    pub(super) fn name(&self) -> String {
        match &self.record.position {
            Some(position) => format!("move {} in {}", position.uci_move, position.fen),
            None => format!("a move of search {}", self.record.search),
        }
    }
}

/// What to trace.
pub(super) struct Plan<'p> {
    /// The policy that the engine plays; `None`: its own scheme.
    pub(super) policy: Option<&'p HostedPolicy>,
    /// The policy that has to give the traced reductions: that one, or the engine's own scheme as a policy.
    pub(super) expected: Option<&'p HostedPolicy>,
    pub(super) rate: &'p str,
    pub(super) shadow: &'p str,
    pub(super) nodes: u64,
}

impl<'p> Plan<'p> {
    /// All moves of the searches with this policy, without shadow searches.
    pub(super) fn of(policy: &'p HostedPolicy, nodes: u64) -> Self {
        Self {
            policy: Some(policy),
            expected: Some(policy),
            rate: "1",
            shadow: "none",
            nodes,
        }
    }
}

impl Check<'_> {
    /// Searches all positions, and reads the trace of these searches; `None` when a problem of the trace was reported.
    pub(super) fn trace(&mut self, plan: &Plan<'_>) -> Result<Option<Trace>, End> {
        let path = self.host.folder.join("check.trace");
        let mut session = HostProcess::start(self.host)?;
        if let Some(policy) = plan.policy {
            session.load(policy)?;
        }
        session.set("LmrTraceRate", plan.rate)?;
        let answers = session.set("LmrShadow", plan.shadow)?;
        if let Some(error) = answers.first().and_then(|answer| answer.strip_prefix("error ")) {
            self.note("shadow", error);
            return Ok(None);
        }
        let answers = session.set("LmrTrace", &path.display().to_string())?;
        if let Some([right, seen]) = differs(&answers, &format!("trace {}", path.display())) {
            self.wrong("trace", "LmrTrace is refused", &right, &seen);
            return Ok(None);
        }
        session.searches(plan.nodes)?;
        session.set("LmrTrace", "<empty>")?;
        let trace = Trace::read(&path, plan.expected);
        // The trace may be large.
        let _ = fs::remove_file(&path);
        let wrong = match trace {
            Ok(trace) if !trace.moves.is_empty() => return Ok(Some(trace)),
            Ok(_) => "a trace of all moves is empty".to_owned(),
            Err(error) => format!("the trace cannot be read: {error}"),
        };
        let advice =
            "the header writes the trace; call lmr_open with the state of one thread, and lmr_close after each move";
        self.wrong("trace", wrong, advice, "");
        Ok(None)
    }

    /// Tests that the first trace has positions that can be read.
    pub(super) fn positions(&mut self, traces: &[Trace]) {
        let moves = traces.first().map_or(&[][..], |trace| &trace.moves);
        let unreadable: Vec<&String> = moves.iter().filter_map(|of| of.seen.as_ref().err()).collect();
        let (all, count) = (moves.len(), unreadable.len());
        self.same(
            "position",
            unreadable.first().map(|what| (*what).clone()),
            &format!("{all} moves with their positions are traced"),
            &format!("{count} of {all} moves have no position or a wrong one"),
            "Give lmr_position the FEN before the move, and the move as UCI writes it",
        );
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
