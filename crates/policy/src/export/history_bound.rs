//! The bounds of histories, as constants of the file: an engine's own histories have others.

use crate::facts::{Fact, NumberFact};
use crate::history::{History, HistoryModel};

/// A kind of history with a bound of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum HistoryBound {
    Quiet,
    Capture,
    Continuation,
    /// The table that the policy declares.
    Declared(i32),
}

impl HistoryBound {
    /// The name of its constant.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Quiet => "quiet_history_bound",
            Self::Capture => "capture_history_bound",
            Self::Continuation => "continuation_history_bound",
            Self::Declared(_) => "history_bound",
        }
    }

    /// What it bounds.
    pub(super) fn meaning(self) -> &'static str {
        match self {
            Self::Quiet => "the histories that order quiet moves, added up",
            Self::Capture => "the history that orders captures",
            Self::Continuation => "the continuation histories",
            Self::Declared(_) => "the policy's history table, which is described at the end",
        }
    }

    /// The bound in lmrlab.
    pub(super) fn value(self) -> i32 {
        match self {
            Self::Quiet => *NumberFact::OrderingHistory.range().end(),
            Self::Capture => *NumberFact::CaptureHistory.range().end(),
            Self::Continuation => *NumberFact::ContinuationHistory.range().end(),
            Self::Declared(bound) => bound,
        }
    }
}

/// The bounds of a fact: of a quiet move, and of any other where that differs. `None` for a fact without them.
pub(super) fn bounds(fact: Fact, history: Option<&History>) -> Option<(HistoryBound, Option<HistoryBound>)> {
    let declared = history.and_then(|history| match history.model {
        HistoryModel::Gravity { bound, .. }
        | HistoryModel::Continuation { bound, .. }
        | HistoryModel::Capture { bound, .. } => Some(HistoryBound::Declared(bound)),
        _ => None,
    });
    let (bound, other) = match fact {
        Fact::OrderingHistory => (HistoryBound::Quiet, Some(HistoryBound::Capture)),
        Fact::CaptureHistory => (HistoryBound::Capture, None),
        Fact::ContinuationHistory | Fact::ContinuationHistory2 | Fact::ContinuationHistory4 => {
            (HistoryBound::Continuation, None)
        }
        Fact::History => (declared?, None),
        _ => return None,
    };
    Some((bound, other))
}
