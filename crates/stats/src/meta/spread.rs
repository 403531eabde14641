//! How much the effects of many ideas vary from surrounding to surrounding, estimated from all of them together.
//!
//! The games of one idea tell little about its heterogeneity; those of many ideas tell more. The model of an idea's effect is that of
//! [`super`], where tau, omega and the standard deviation of the slope around 0 are common to all ideas, but for a factor: an idea that
//! is worth more varies more. It is sqrt(1 + (effect / size)²), so small effects have the same deviations, and those of large ones are
//! in proportion to them.
//!
//! The slopes of most ideas are small, and those of a few are out of the ordinary: one in twenty may have a slope that is ten times as
//! large. That is assumed. It lets an idea whose games show a large trend keep it, and the others their small ones. Source of such priors:
//! T. J. Mitchell, J. J. Beauchamp, *Bayesian variable selection in linear regression*, 1988.
//!
//! The four numbers of [`Spread::estimate`] have the largest product of the restricted likelihoods of all ideas and of priors: each is
//! log-normal around [`Spread::PRIOR`], with a standard deviation of one in its logarithm. So it stays positive and finite with few
//! ideas, and the measurements decide with many. A maximum without a prior is often at zero, which claims too much. Source: Y. Chung,
//! S. Rabe-Hesketh, V. Dorie, A. Gelman, J. Liu, *A nondegenerate penalized likelihood estimator for variance parameters in multilevel
//! models*, 2013.
//!
//! Games leave errors that are much larger than tau and omega, so the best values may be far from the true ones. A
//! [`SpreadPosterior`] has all values that are likely, with their weights; what follows from the spread is an average over them.

use super::heterogeneity::Variances;
use super::least_squares::{Model, check};
use super::{Cell, MetaError};
use crate::adaptive_shrinkage::MeasuredEffect;

/// The first step of the search for the maximum, in logarithms.
const FIRST_STEP: f64 = 0.5;

/// The last step.
const LAST_STEP: f64 = 1e-3;

/// The kinds of slopes: the share of the ideas that have them, and their standard deviation as a multiple of [`Spread::slope`].
const SLOPES: [(f64, f64); 2] = [(0.95, 1.0), (0.05, 10.0)];

/// How much effects vary, in units of the effect.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// The standard deviation between surroundings.
    pub tau: f64,
    /// That of the cells of one surrounding around the trend.
    pub omega: f64,
    /// That of the slope of most ideas around 0, for each unit of the covariate.
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
        Ok(Self::of_logarithms(highest(log_posterior(ideas))))
    }

    /// The mean effect over the cells, at their own covariates: what is known without any trend. `None` without cells.
    ///
    /// # Errors
    /// When a number is not finite, or a variance is not positive.
    pub fn mean_effect(&self, cells: &[Cell]) -> Result<Option<MeasuredEffect>, MetaError> {
        check(cells)?;
        if cells.is_empty() {
            return Ok(None);
        }
        let fitted = Model::of_known_variances(cells).fit_with(cells, self.variances(), self.slope_precision());
        Ok(Some(fitted.mean_effect()))
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

    /// The logarithms of the restricted likelihoods of an idea's cells with each kind of slope, times the share of the kind.
    fn slope_likelihoods(&self, model: &Model, cells: &[Cell]) -> [f64; SLOPES.len()] {
        SLOPES.map(|(share, factor)| {
            let precision = self.with_slopes(factor).slope_precision();
            libm::log(share) + model.restricted_likelihood(cells, self.variances(), precision)
        })
    }

    /// The same with slopes that are so many times as large.
    fn with_slopes(self, factor: f64) -> Self {
        Self {
            slope: factor * self.slope,
            ..self
        }
    }

    /// The effect of an idea at a covariate, over all surroundings, with this spread, which is that of its effect.
    fn effect_at(&self, model: &Model, cells: &[Cell], covariate: f64) -> MeasuredEffect {
        let fitted = model.fit_with(cells, self.variances(), self.slope_precision());
        MeasuredEffect {
            value: fitted.at(covariate),
            error: fitted.variance_at(covariate).sqrt(),
        }
    }

    /// The opposite of [`Self::of_logarithms`].
    fn logarithms(&self) -> [f64; 4] {
        [
            self.tau / Self::PRIOR.tau,
            self.omega / Self::PRIOR.omega,
            self.slope / Self::PRIOR.slope,
            self.size / Self::PRIOR.size,
        ]
        .map(libm::log)
    }
}

/// What the cells of many ideas tell about their spread: the values that are likely.
#[derive(Debug, Clone, PartialEq)]
pub struct SpreadPosterior {
    /// With their weights, which add up to one.
    points: Vec<(f64, Spread)>,
}

/// The places of a posterior's points on each axis, in logarithms from the best value. The size keeps its best value.
const PLACES: [f64; 5] = [-1.4, -0.7, 0.0, 0.7, 1.4];

/// Points with less weight than this share of the largest are left out.
const NEGLIGIBLE: f64 = 1e-3;

impl SpreadPosterior {
    /// From the cells of all ideas, each with what its effect is about.
    ///
    /// # Errors
    /// Those of [`Spread::estimate`].
    pub fn estimate(ideas: &[(&[Cell], f64)]) -> Result<Self, MetaError> {
        let best = Spread::estimate(ideas)?.logarithms();
        let log_posterior = log_posterior(ideas);
        let height = log_posterior(best);
        let mut points = Vec::new();
        for tau in PLACES {
            for omega in PLACES {
                for slope in PLACES {
                    let place = [best[0] + tau, best[1] + omega, best[2] + slope, best[3]];
                    points.push((libm::exp(log_posterior(place) - height), Spread::of_logarithms(place)));
                }
            }
        }
        let largest = points.iter().map(|(weight, _)| *weight).fold(0.0, f64::max);
        points.retain(|(weight, _)| *weight >= NEGLIGIBLE * largest);
        let sum: f64 = points.iter().map(|(weight, _)| weight).sum();
        points.iter_mut().for_each(|(weight, _)| *weight /= sum);
        Ok(Self { points })
    }

    /// The spread with the mean variances.
    pub fn mean(&self) -> Spread {
        let root_mean_square = |of: fn(&Spread) -> f64| {
            let square = |(weight, spread): &(f64, Spread)| weight * of(spread) * of(spread);
            self.points.iter().map(square).sum::<f64>().sqrt()
        };
        Spread {
            tau: root_mean_square(|spread| spread.tau),
            omega: root_mean_square(|spread| spread.omega),
            slope: root_mean_square(|spread| spread.slope),
            size: root_mean_square(|spread| spread.size),
        }
    }

    /// The effect at a covariate, over all surroundings, of an idea whose effect is about `size`. Its error has what the spread leaves
    /// open, too. `None` without cells.
    ///
    /// # Errors
    /// When a number is not finite, or a variance is not positive.
    pub fn effect_at(&self, size: f64, cells: &[Cell], covariate: f64) -> Result<Option<MeasuredEffect>, MetaError> {
        check(cells)?;
        if cells.is_empty() {
            return Ok(None);
        }
        let model = Model::of_known_variances(cells);
        let (mut mean, mut square) = (0.0, 0.0);
        for (weight, spread) in &self.points {
            let own = spread.of_effect(size);
            let kinds = own.slope_likelihoods(&model, cells);
            let all = log_sum(&kinds);
            for ((_, factor), log) in SLOPES.into_iter().zip(kinds) {
                let effect = own.with_slopes(factor).effect_at(&model, cells, covariate);
                let weight = weight * libm::exp(log - all);
                mean += weight * effect.value;
                square += weight * (effect.value * effect.value + effect.error * effect.error);
            }
        }
        Ok(Some(MeasuredEffect {
            value: mean,
            error: (square - mean * mean).sqrt(),
        }))
    }

    /// What an effect of about `size` may differ by in a new surrounding: standard deviations, with their weights.
    pub fn in_a_surrounding(&self, size: f64) -> Vec<(f64, f64)> {
        let mut found: Vec<(f64, f64)> = Vec::new();
        for (weight, spread) in &self.points {
            let deviation = spread.of_effect(size).in_a_surrounding();
            // Points that differ in the slope alone.
            match found.iter_mut().find(|(_, other)| *other == deviation) {
                Some((sum, _)) => *sum += weight,
                None => found.push((*weight, deviation)),
            }
        }
        found
    }
}

/// The logarithm of the posterior density, but for a constant, at the logarithms of a spread's numbers as multiples of those of
/// [`Spread::PRIOR`].
fn log_posterior(ideas: &[(&[Cell], f64)]) -> impl Fn([f64; 4]) -> f64 {
    let models: Vec<Model> = ideas
        .iter()
        .map(|(cells, _)| Model::of_known_variances(cells))
        .collect();
    move |logarithms| {
        let spread = Spread::of_logarithms(logarithms);
        let prior: f64 = logarithms.iter().map(|log| -0.5 * log * log).sum();
        let likelihood = |(model, (cells, effect)): (&Model, &(&[Cell], f64))| match cells.is_empty() {
            true => 0.0,
            false => log_sum(&spread.of_effect(*effect).slope_likelihoods(model, cells)),
        };
        prior + models.iter().zip(ideas).map(likelihood).sum::<f64>()
    }
}

fn log_sum(logarithms: &[f64; SLOPES.len()]) -> f64 {
    let largest = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = logarithms.iter().map(|log| libm::exp(log - largest)).sum();
    largest + libm::log(sum)
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
            let model = Model::of_known_variances(&cells);
            let effect = spread.effect_at(&model, &cells, at);
            assert!(
                (effect.value - value).abs() < 1e-8 && (effect.error - error).abs() < 1e-8,
                "{effect:?}"
            );
            let found = model.restricted_likelihood(&cells, spread.variances(), spread.slope_precision());
            assert!((found - likelihood).abs() < 1e-8, "{found}");
        }
    }

    #[test]
    fn without_cells_nothing_is_known() {
        let nothing: &[(&[Cell], f64)] = &[(&[], 3.0)];
        assert_eq!(Spread::estimate(nothing), Ok(Spread::PRIOR));
        let all = SpreadPosterior::estimate(nothing).unwrap();
        assert_eq!(all.effect_at(3.0, &[], 1.0), Ok(None));
        // The games say nothing, so much is likely.
        assert!(all.mean().tau > 1.3 * Spread::PRIOR.tau);
        assert!((all.in_a_surrounding(0.0).iter().map(|(weight, _)| weight).sum::<f64>() - 1.0).abs() < 1e-9);
        let wrong = [Cell {
            variance: 0.0,
            ..cells()[0]
        }];
        assert_eq!(all.effect_at(3.0, &wrong, 1.0), Err(MetaError::Variance));
        assert_eq!(Spread::PRIOR.mean_effect(&wrong), Err(MetaError::Variance));
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
        let all = SpreadPosterior::estimate(&together).unwrap();
        let is_within = |(cells, truth): &(&[Cell], f64)| {
            let effect = all.effect_at(*truth, cells, 12.0).unwrap().unwrap();
            (effect.value - truth).abs() < 1.2816 * effect.error
        };
        let within = together.iter().filter(|idea| is_within(idea)).count();
        assert!((42..=54).contains(&within), "{within} of 60");
    }

    /// Thirty ideas without a trend, and one that gains 30 for each unit of the covariate.
    #[test]
    fn a_trend_out_of_the_ordinary_is_kept() {
        let mut random = Pcg64::new(2, 9);
        let mut idea = |slope: f64| -> Vec<Cell> {
            let mut cells = Vec::new();
            for group in 0..8 {
                for covariate in [7.0, 8.4, 9.8] {
                    cells.push(Cell {
                        group,
                        family: group,
                        covariate,
                        effect: slope * (covariate - 7.0) + 12.0 * normal_deviate(&mut random),
                        variance: 144.0,
                    });
                }
            }
            cells
        };
        let usual: Vec<Vec<Cell>> = (0..30).map(|_| idea(0.0)).collect();
        let steep = idea(30.0);
        let mut together: Vec<(&[Cell], f64)> = usual.iter().map(|cells| (&**cells, 0.0)).collect();
        together.push((&steep, 42.0));
        let all = SpreadPosterior::estimate(&together).unwrap();
        assert!(all.mean().slope < 3.0, "{:?}", all.mean());
        let far = all.effect_at(42.0, &steep, 12.0).unwrap().unwrap();
        assert!(
            (far.value - 150.0).abs() < 2.0 * far.error && far.value > 120.0,
            "{far:?}"
        );
        for cells in &usual {
            let far = all.effect_at(0.0, cells, 12.0).unwrap().unwrap();
            assert!(far.value.abs() < 30.0, "{far:?}");
        }
    }
}
