//! Few outcomes: what they say of a mean, with a prior and Student's t in place of the normal distribution.
//!
//! The variance of a small sample is often far too small. That of a single outcome is zero. So the variance has a prior with the
//! weight of one outcome, with all scores equally probable. The mean has no prior. Then the mean has Student's t distribution
//! with as many degrees of freedom as there are outcomes. Source: Andrew Gelman and others, *Bayesian Data Analysis*, 2013,
//! section 3.3.

use std::sync::LazyLock;

use super::moments::{Moments, of_weights};
use super::normal::{DEVIATIONS_95, normal};
use super::student::{deviations_within, probability_below};

/// From this many outcomes on, errors and probabilities follow from the variance of the sample and the normal distribution, as in
/// fastchess and fishtest.
pub const ENOUGH: u64 = 30;

/// Half the widths of the 95% intervals of Student's t, from 1 degree of freedom.
static FEW_DEVIATIONS_95: LazyLock<Vec<f64>> = LazyLock::new(|| {
    (1..ENOUGH)
        .map(|freedom| deviations_within(0.95, freedom as f64))
        .collect()
});

/// The degrees of freedom of a distribution around a mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Freedom(u64);

impl Freedom {
    /// At least one degree.
    pub(super) fn new(freedom: u64) -> Self {
        Self(freedom.max(1))
    }

    /// Half the width of a 95% interval, in standard deviations.
    pub(super) fn deviations_95(self) -> f64 {
        let few = usize::try_from(self.0 - 1)
            .ok()
            .and_then(|index| FEW_DEVIATIONS_95.get(index));
        few.copied().unwrap_or(DEVIATIONS_95)
    }

    /// The probability that a mean is above zero which was found this many standard deviations above zero.
    pub(super) fn above_zero(self, deviations: f64) -> f64 {
        if self.0 < ENOUGH {
            probability_below(deviations, self.0 as f64)
        } else {
            normal(deviations)
        }
    }
}

/// The mean score of a sample, and how uncertain it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct MeanScore {
    score: f64,
    deviation: f64,
    freedom: Freedom,
}

impl MeanScore {
    /// Of a sample of outcomes with one of `N` scores.
    pub(super) fn of<const N: usize>(moments: Moments) -> Self {
        let Moments { outcomes, score, .. } = moments;
        Self {
            score,
            deviation: (variance::<N>(moments) / outcomes).sqrt(),
            freedom: Freedom::new(outcomes.round() as u64),
        }
    }

    /// Half the width of the 95% interval.
    pub(super) fn error_95(&self) -> f64 {
        self.freedom.deviations_95() * self.deviation
    }

    /// The likelihood of superiority: the probability that the mean is above one half.
    pub(super) fn above_half(&self) -> f64 {
        if self.score == 0.5 {
            0.5
        } else {
            self.freedom.above_zero((self.score - 0.5) / self.deviation)
        }
    }
}

/// The variance of an outcome: with the prior when the outcomes are few or all alike.
pub(super) fn variance<const N: usize>(moments: Moments) -> f64 {
    let Moments { outcomes, variance, .. } = moments;
    if outcomes < ENOUGH as f64 || variance == 0.0 {
        variance + of_weights([1.0; N]).variance / outcomes
    } else {
        variance
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn mean(counts: [f64; 5]) -> MeanScore {
        MeanScore::of::<5>(of_weights(counts))
    }

    #[test]
    fn a_single_pair_is_no_proof() {
        // The prior has the variance 1/8. Student's t with one degree of freedom is Cauchy's distribution.
        let won = mean([0.0, 0.0, 0.0, 0.0, 1.0]);
        let expected = 0.5 + (0.5 / 0.125_f64.sqrt()).atan() / std::f64::consts::PI;
        assert!((won.above_half() - expected).abs() < 1e-9, "{}", won.above_half());
        let even = mean([0.0, 0.0, 1.0, 0.0, 0.0]);
        assert_eq!(even.above_half(), 0.5);
        assert!(even.error_95() > 1.0, "{even:?}");
    }

    proptest! {
        #[test]
        fn the_interval_contains_one_half_unless_superiority_is_likely(counts in proptest::array::uniform5(0_u64..20)) {
            prop_assume!(counts.iter().any(|&count| count > 0));
            let mean = mean(counts.map(|count| count as f64));
            let decided = (mean.score - 0.5).abs() > mean.error_95();
            let los = mean.above_half();
            // Beyond eight deviations it is 1 in floating point.
            prop_assert!((0.0..=1.0).contains(&los), "{los}");
            prop_assert_eq!(decided, !(0.025..=0.975).contains(&los), "{} {:?}", los, mean);
        }
    }
}
