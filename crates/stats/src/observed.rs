//! Counts as a likelihood sees them: no outcome is impossible because it has not occurred yet.

use super::moments::{Moments, Outcomes, of_weights};

/// What an empty cell counts as: fishtest's value. Without it, a hypothesis that needs an outcome
/// which has not occurred yet would be infinitely unlikely.
pub(super) const EMPTY_CELL: f64 = 1e-3;

/// The counts, with [`EMPTY_CELL`] in place of each zero.
pub(super) fn filled<const N: usize>(results: &impl Outcomes<N>) -> [f64; N] {
    results
        .counts()
        .map(|count| if count == 0 { EMPTY_CELL } else { count as f64 })
}

/// Mean and variance of the counts that [`filled`] gives; the variance is positive.
pub(super) fn filled_moments<const N: usize>(results: &impl Outcomes<N>) -> Moments {
    of_weights(filled(results))
}
