//! Regularized counts: an outcome that has not occurred yet still has a small count.

use super::counts::Counts;
use super::moments::{Moments, of_weights};

/// The count of an empty cell: fishtest's value. With 0, a hypothesis that needs an outcome which has
/// not occurred yet would be infinitely unlikely.
pub(super) const EMPTY_CELL: f64 = 1e-3;

/// The counts, with [`EMPTY_CELL`] in place of each zero.
pub(super) fn regularized<const N: usize>(results: &Counts<N>) -> [f64; N] {
    results
        .counts()
        .map(|count| if count == 0 { EMPTY_CELL } else { count as f64 })
}

/// Mean and variance of the counts that [`regularized`] gives; the variance is positive.
pub(super) fn regularized_moments<const N: usize>(results: &Counts<N>) -> Moments {
    of_weights(regularized(results))
}
