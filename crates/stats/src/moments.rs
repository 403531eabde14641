//! Mean and variance of counted outcomes.

/// Mean and variance of a sample of scores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Moments {
    /// Size of the sample, in outcomes (games or pairs); positive.
    pub(super) outcomes: f64,
    /// Mean score, 0 to 1.
    pub(super) score: f64,
    /// Variance of an outcome's score around the mean, 0 to 1/4. Divided by n, not n - 1: the
    /// maximum-likelihood value, which fishtest and fastchess use as well.
    pub(super) variance: f64,
}

impl Moments {
    /// From counts; `None` before the first outcome.
    pub(super) fn of<const N: usize>(counts: [u64; N]) -> Option<Self> {
        let weights = counts.map(|count| count as f64);
        (weights.iter().any(|&weight| weight > 0.0)).then(|| of_weights(weights))
    }
}

/// From weights that are not all zero.
pub(super) fn of_weights<const N: usize>(weights: [f64; N]) -> Moments {
    let outcomes: f64 = weights.iter().sum();
    // Sums of integers before the one division: a score of exactly one half stays exactly one half.
    let steps: f64 = weights
        .iter()
        .zip(0_u32..)
        .map(|(weight, step)| weight * f64::from(step))
        .sum();
    let mean = steps / outcomes / (N - 1) as f64;
    let squares: f64 = weights
        .iter()
        .zip(scores::<N>())
        .map(|(weight, score)| weight * (score - mean).powi(2))
        .sum();
    Moments {
        outcomes,
        score: mean,
        variance: squares / outcomes,
    }
}

/// The score of each outcome, from 0 to 1 in even steps.
pub(super) fn scores<const N: usize>() -> [f64; N] {
    std::array::from_fn(|step| step as f64 / (N - 1) as f64)
}
