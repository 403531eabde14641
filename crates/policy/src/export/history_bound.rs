//! The bounds of histories, as constants of the file: an engine's own histories have others.

use super::Language;
use super::expression::literal;
use crate::facts::Fact;
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
            Self::Continuation => "the continuation history of the previous move",
            Self::Declared(_) => "the policy's history table, which is described at the end",
        }
    }

    /// The bound in lmrlab.
    pub(super) fn value(self) -> i32 {
        match self {
            Self::Quiet => 65_536,
            Self::Capture | Self::Continuation => 16_384,
            Self::Declared(bound) => bound,
        }
    }

    /// The factor from the engine's scale to lmrlab's.
    fn factor(self, constant: &str) -> String {
        format!("{} / {constant}", literal(f64::from(self.value())))
    }
}

/// The bounds of a fact: of a quiet move, and of any other where that differs. `None` for a fact without them.
pub(super) fn bounds(fact: Fact, history: Option<&History>) -> Option<(HistoryBound, Option<HistoryBound>)> {
    match (fact, history.map(|history| history.model)) {
        (Fact::OrderingHistory, _) => Some((HistoryBound::Quiet, Some(HistoryBound::Capture))),
        (Fact::CaptureHistory, _) => Some((HistoryBound::Capture, None)),
        (Fact::ContinuationHistory, _) => Some((HistoryBound::Continuation, None)),
        (
            Fact::History,
            Some(
                HistoryModel::Gravity { bound, .. }
                | HistoryModel::Continuation { bound, .. }
                | HistoryModel::Capture { bound, .. },
            ),
        ) => Some((HistoryBound::Declared(bound), None)),
        _ => None,
    }
}

/// The factor from the engine's scale to lmrlab's, as an operand of a product. `name` gives the constant of a bound, and `quiet` is
/// the field.
pub(super) fn factor(
    (first, other): (HistoryBound, Option<HistoryBound>),
    name: impl Fn(HistoryBound) -> String,
    quiet: &str,
    language: Language,
) -> String {
    let first = first.factor(&name(first));
    match (other.map(|other| other.factor(&name(other))), language) {
        (None, _) => format!("({first})"),
        (Some(other), Language::C) => format!("({quiet} ? {first} : {other})"),
        (Some(other), Language::Rust) => format!("if {quiet} {{ {first} }} else {{ {other} }}"),
    }
}
