//! The lines about strength and the SPRT that runs and `lmrlab sprt` share.

use lmrlab_results::number_text::{percent, signed, unsigned};
use lmrlab_stats::{CONFIDENCE, Estimate, SequentialEstimate, Verdict};

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
        "Test  | Elo {} [{}, {}] ({CONFIDENCE}), LOS {}, corrected for the early stop",
        signed(Some(estimate.elo.0), 2),
        signed(Some(estimate.low.0), 2),
        signed(Some(estimate.high.0), 2),
        percent(Some(estimate.los)),
    )
}

/// The strength with a little in empty cells ([`Estimate::regularized`]), as a line without its end.
pub fn regularized(estimate: &Estimate) -> String {
    format!(
        "        {} ± {}, LOS {}, with 0.001 in empty cells, as fishtest prints it",
        signed(Some(estimate.elo.0), 2),
        unsigned(estimate.elo_error_95.map(|error| error.0), 2),
        percent(Some(estimate.los)),
    )
}
