//! The words for what an SPRT says, for runs and for `lmrlab sprt`.

use crate::number_text::{percent, signed};
use lmrlab_stats::{SequentialEstimate, Verdict};

/// A verdict as a phrase.
pub fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::AcceptH1 => "accepted: H1, stronger than by elo0",
        Verdict::AcceptH0 => "rejected: H0, not stronger by elo1",
        Verdict::Continue => "no verdict yet",
    }
}

/// The strength after the test, as a line without its end.
pub fn estimate(estimate: &SequentialEstimate) -> String {
    format!(
        "Test  | Elo {} [{}, {}] (95%), LOS {}, corrected for the early stop",
        signed(Some(estimate.elo.0), 2),
        signed(Some(estimate.low.0), 2),
        signed(Some(estimate.high.0), 2),
        percent(Some(estimate.los)),
    )
}
