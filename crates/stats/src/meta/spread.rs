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
        slope: 1.0,
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

#[cfg(test)]
mod tests {
    use super::*;
    use rand_pcg::Pcg64;
    use rand_pcg::rand_core::Rng;

    fn cells() -> Vec<Cell> {
        let cell = |(group, covariate, effect, variance)| Cell {
            group,
            family: group,
            covariate,
            effect,
            variance,
        };
        [
            (0, 1.0, 5.0, 4.0),
            (0, 2.0, 8.0, 5.0),
            (0, 4.0, 2.0, 9.0),
            (1, 1.0, -3.0, 4.0),
            (1, 2.0, 1.0, 6.0),
            (2, 1.0, 4.0, 3.0),
            (2, 4.0, 12.0, 8.0),
        ]
        .map(cell)
        .to_vec()
    }

    fn spread(tau: f64, omega: f64, slope: f64) -> Spread {
        Spread {
            tau,
            omega,
            slope,
            size: f64::INFINITY,
        }
    }

    /// By inverting the whole covariance matrix in another program: surroundings of these families, with a spread, at a covariate.
    #[test]
    fn effects_and_likelihoods_of_another_program() {
        let (strangers, relatives) = ([0, 1, 2], [0, 0, 2]);
        for (families, (tau, omega, slope), at, value, error, likelihood) in [
            (
                strangers,
                (3.0, 2.0, 0.5),
                6.0,
                4.777_831_287,
                2.779_596_322,
                -13.184_283_708,
            ),
            (
                strangers,
                (1.0, 0.5, 2.0),
                6.0,
                9.454_487_383,
                3.289_395_754,
                -15.748_539_321,
            ),
            (
                strangers,
                (1.0, 0.5, 2.0),
                0.0,
                1.231_064_131,
                1.656_404_393,
                -15.748_539_321,
            ),
            (
                relatives,
                (3.0, 2.0, 0.5),
                6.0,
                5.528_034_402,
                3.005_081_262,
                -13.750_035_720,
            ),
            (
                relatives,
                (1.0, 0.5, 2.0),
                6.0,
                10.069_197_303,
                3.293_691_706,
                -16.427_770_447,
            ),
            (
                [5; 3],
                (1.0, 0.5, 2.0),
                0.0,
                1.098_930_412,
                1.808_390_983,
                -16.766_044_460,
            ),
        ] {
            let mut cells = cells();
            for cell in &mut cells {
                cell.family = families[cell.group];
            }
            let spread = spread(tau, omega, slope);
            let effect = spread.effect_at(&cells, at).unwrap().unwrap();
            assert!(
                (effect.value - value).abs() < 1e-8 && (effect.error - error).abs() < 1e-8,
                "{effect:?}"
            );
            let model = Model::of_known_variances(&cells);
            let found = model.restricted_likelihood(&cells, spread.variances(), spread.slope_precision());
            assert!((found - likelihood).abs() < 1e-8, "{found}");
        }
    }

    #[test]
    fn without_cells_nothing_is_known() {
        assert_eq!(Spread::PRIOR.effect_at(&[], 1.0), Ok(None));
        let found = Spread::estimate(&[(&[], 3.0)]).unwrap();
        assert_eq!(found, Spread::PRIOR);
        let wrong = [Cell {
            variance: 0.0,
            ..cells()[0]
        }];
        assert_eq!(Spread::PRIOR.effect_at(&wrong, 1.0), Err(MetaError::Variance));
        assert_eq!(Spread::estimate(&[(&wrong, 3.0)]), Err(MetaError::Variance));
    }

    #[test]
    fn large_effects_vary_more() {
        let small = Spread::PRIOR.of_effect(0.0);
        assert_eq!((small.tau, small.slope), (Spread::PRIOR.tau, Spread::PRIOR.slope));
        let large = Spread::PRIOR.of_effect(-10.0 * f64::sqrt(3.0));
        assert!((large.omega - 2.0 * Spread::PRIOR.omega).abs() < 1e-12);
        assert_eq!(large.of_effect(50.0), large);
    }

    fn normal_deviate(random: &mut Pcg64) -> f64 {
        let mut uniform = || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let (radius, angle) = (1.0 - uniform(), uniform());
        (-2.0 * libm::log(radius)).sqrt() * libm::cos(std::f64::consts::TAU * angle)
    }

    /// Sixty ideas, some of them large, in eight surroundings at three budgets: the numbers are found again, and an effect lies within
    /// its error as often as it should.
    #[test]
    fn the_spread_of_simulated_ideas_is_found_again() {
        let truth = Spread {
            tau: 5.0,
            omega: 2.0,
            slope: 2.0,
            size: 20.0,
        };
        let mut random = Pcg64::new(1, 9);
        let mut ideas = Vec::new();
        for number in 0..60 {
            let effect = if number % 6 == 0 { 60.0 } else { 2.0 };
            let own = truth.of_effect(effect);
            let slope = own.slope * normal_deviate(&mut random);
            let mut cells = Vec::new();
            for group in 0..8 {
                let surrounding = own.tau * normal_deviate(&mut random);
                for covariate in [7.0, 8.4, 9.8] {
                    let of_cell = own.omega * normal_deviate(&mut random);
                    cells.push(Cell {
                        group,
                        family: group,
                        covariate,
                        effect: effect
                            + slope * (covariate - 12.0)
                            + surrounding
                            + of_cell
                            + 8.0 * normal_deviate(&mut random),
                        variance: 64.0,
                    });
                }
            }
            ideas.push((cells, effect));
        }
        let together: Vec<(&[Cell], f64)> = ideas.iter().map(|(cells, effect)| (&**cells, *effect)).collect();
        let found = Spread::estimate(&together).unwrap();
        assert!((4.0..6.2).contains(&found.tau), "{found:?}");
        assert!((1.4..2.8).contains(&found.slope), "{found:?}");
        assert!((13.0..30.0).contains(&found.size), "{found:?}");
        let is_within = |(cells, truth): &(&[Cell], f64)| {
            let effect = found.of_effect(*truth).effect_at(cells, 12.0).unwrap().unwrap();
            (effect.value - truth).abs() < 1.2816 * effect.error
        };
        let within = together.iter().filter(|idea| is_within(idea)).count();
        assert!((42..=54).contains(&within), "{within} of 60");
    }
}
