//! Single results as texts, and back without a change.

use std::str::{FromStr, SplitAsciiWhitespace};

use lmrlab_stats::PairOutcome;

/// What is not there.
const NOTHING: &str = "-";

/// A result that can be kept as a text.
pub trait KeptResult: Sized {
    /// The text.
    fn text(&self) -> String;

    /// The result of a text; nothing when it is no such text.
    fn of_text(text: &str) -> Option<Self>;
}

/// Nodes.
impl KeptResult for u64 {
    fn text(&self) -> String {
        self.to_string()
    }

    fn of_text(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

/// Half points of the first side.
impl KeptResult for PairOutcome {
    fn text(&self) -> String {
        self.half_points().to_string()
    }

    fn of_text(text: &str) -> Option<Self> {
        Self::from_half_points(text.parse().ok()?)
    }
}

/// Something that may not be there. A number has as many digits as it needs to be the same again.
pub(crate) fn word<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| NOTHING.to_owned(), |value| value.to_string())
}

/// The same, read again; nothing when it is wrong.
pub(crate) fn optional<T: FromStr>(words: &mut SplitAsciiWhitespace<'_>) -> Option<Option<T>> {
    match words.next()? {
        NOTHING => Some(None),
        word => word.parse().ok().map(Some),
    }
}
