//! How much the effects of many ideas vary from surrounding to surrounding, estimated from all of them together.
//!
//! The games of one idea tell little about its heterogeneity; those of many ideas tell more. The model of an idea's effect is that of
//! [`super`], where tau, omega and the standard deviation of the slope around 0 are common to all ideas, but for a factor: an idea that
//! is worth more varies more. It is sqrt(1 + (effect / size)²), so small effects have the same deviations, and those of large ones are
//! in proportion to them.
//!
//! The four numbers have the largest product of the restricted likelihoods of all ideas and of priors: each is log-normal around
//! [`Spread::PRIOR`], with a standard deviation of one in its logarithm. So it stays positive and finite with few ideas, and the
//! measurements decide with many. A maximum without a prior is often at zero, which claims too much. Source: Y. Chung, S.
//! Rabe-Hesketh, V. Dorie, A. Gelman, J. Liu, *A nondegenerate penalized likelihood estimator for variance parameters in multilevel
//! models*, 2013.

use super::heterogeneity::Variances;
use super::least_squares::{Model, check};
use super::{Cell, MetaError};
use crate::adaptive_shrinkage::MeasuredEffect;

/// The first step of the search for the maximum, in logarithms.
const FIRST_STEP: f64 = 0.5;

/// The last step.
const LAST_STEP: f64 = 1e-3;

/// How much effects vary, in units of the effect.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// The standard deviation between surroundings.
    pub tau: f64,
    /// That of the cells of one surrounding around the trend.
    pub omega: f64,
    /// That of the slope of an idea around 0, for each unit of the covariate.
    pub slope: f64,
    /// The effect with which variances are twice as large as those of an idea without an effect; infinite when they do not depend on it.
    pub size: f64,
}

impl Spread {
    /// What is expected before any measurement, for effects in Elo over the natural logarithm of the nodes.
    pub const PRIOR: Self = Self {
        tau: 3.0,
        omega: 3.0,
        slope: 0.5,
        size: 10.0,
    };

    /// The spread of an idea with this effect; its size is infinite.
    #[must_use]
    pub fn of_effect(&self, effect: f64) -> Self {
        let ratio = effect / self.size;
        let factor = (1.0 + ratio * ratio).sqrt();
        Self {
            tau: factor * self.tau,
            omega: factor * self.omega,
            slope: factor * self.slope,
            size: f64::INFINITY,
        }
    }

    /// The standard deviation of the effect in a new surrounding around that over all surroundings.
    pub fn in_a_surrounding(&self) -> f64 {
        self.variances().total().sqrt()
    }

    pub(super) fn variances(&self) -> Variances {
        Variances {
            within: self.omega * self.omega,
            between: self.tau * self.tau,
        }
    }

    pub(super) fn slope_precision(&self) -> f64 {
        (self.slope * self.slope).recip()
    }

    /// From the cells of all ideas, each with what its effect is about.
    ///
    /// # Errors
    /// When a number is not finite, or a variance is not positive.
    pub fn estimate(ideas: &[(&[Cell], f64)]) -> Result<Self, MetaError> {
        for (cells, effect) in ideas {
            check(cells)?;
            effect.is_finite().then_some(()).ok_or(MetaError::NotFinite)?;
        }
        let models: Vec<Model> = ideas
            .iter()
            .map(|(cells, _)| Model::of_known_variances(cells))
            .collect();
        let log_posterior = |logarithms: [f64; 4]| {
            let spread = Self::of_logarithms(logarithms);
            let prior: f64 = logarithms.iter().map(|log| -0.5 * log * log).sum();
            let likelihood = |(model, (cells, effect)): (&Model, &(&[Cell], f64))| match cells.is_empty() {
                true => 0.0,
                false => {
                    let own = spread.of_effect(*effect);
                    model.restricted_likelihood(cells, own.variances(), own.slope_precision())
                }
            };
            prior + models.iter().zip(ideas).map(likelihood).sum::<f64>()
        };
        Ok(Self::of_logarithms(highest(log_posterior)))
    }

    /// The effect of an idea at a covariate, over all surroundings, with this spread, which is that of its effect. `None` without
    /// cells.
    ///
    /// # Errors
    /// When a number is not finite, or a variance is not positive.
    pub fn effect_at(&self, cells: &[Cell], covariate: f64) -> Result<Option<MeasuredEffect>, MetaError> {
        check(cells)?;
        if cells.is_empty() {
            return Ok(None);
        }
        let fitted = Model::of_known_variances(cells).fit_with(cells, self.variances(), self.slope_precision());
        Ok(Some(MeasuredEffect {
            value: fitted.at(covariate),
            error: fitted.variance_at(covariate).sqrt(),
        }))
    }

    /// From the logarithms of its numbers as multiples of those of [`Self::PRIOR`].
    fn of_logarithms([tau, omega, slope, size]: [f64; 4]) -> Self {
        Self {
            tau: Self::PRIOR.tau * libm::exp(tau),
            omega: Self::PRIOR.omega * libm::exp(omega),
            slope: Self::PRIOR.slope * libm::exp(slope),
            size: Self::PRIOR.size * libm::exp(size),
        }
    }
}

/// Where a function is highest near the origin: steps along the axes, halved when none leads up. Source: R. Hooke, T. A. Jeeves,
/// *Direct search solution of numerical and statistical problems*, 1961 (without their pattern moves).
fn highest<const N: usize>(function: impl Fn([f64; N]) -> f64) -> [f64; N] {
    let mut place = [0.0; N];
    let mut height = function(place);
    let mut step = FIRST_STEP;
    while step > LAST_STEP {
        let mut has_moved = false;
        for axis in 0..N {
            for way in [step, -step] {
                let mut next = place;
                next[axis] += way;
                let reached = function(next);
                if reached > height {
                    (place, height, has_moved) = (next, reached, true);
                    break;
                }
            }
        }
        if !has_moved {
            step /= 2.0;
        }
    }
    place
}
