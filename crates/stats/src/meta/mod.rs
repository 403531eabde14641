//! What an effect is in a surrounding that was not measured: random-effects meta-regression.
//!
//! The effect of an idea is measured in cells: in several surroundings (engines, search presets), each at several values of a
//! covariate (the logarithm of the nodes). The model of the effect in surrounding s at covariate x is
//!
//! ```text
//! intercept + slope * x + u(s) + w(s, x) + error
//! ```
//!
//! where u has the variance tau², w the variance omega², and the error the variance that the games give. u is what surroundings
//! differ by at all budgets alike, w what a cell differs by beyond that. With one cell for each surrounding there is no w, and
//! this is the ordinary model of meta-analysis.
//!
//! Surroundings may be relatives, such as a search preset and the same preset without one feature. The u of two relatives correlate by
//! [`RELATIVES_CORRELATION`], so a family of relatives counts for little more than one surrounding.
//!
//! Both variances are estimated by the method of Paule and Mandel: the value at which the weighted sum of squares has its
//! expectation. omega² comes from the sum of squares within surroundings, which u does not change; tau² then comes from the
//! rest. The interval of tau² takes the values at which that rest is an ordinary value of chi-squared (Q-profile); it holds
//! omega² at its estimate. With these estimates the factor by which Hartung and Knapp widen errors is one; their t quantiles are
//! used.
//!
//! Sources: R. DerSimonian, N. Laird, *Meta-analysis in clinical trials*, 1986 (the model). R. C. Paule, J. Mandel, *Consensus
//! values and weighting factors*, 1982. D. A. Harville, A. P. Fenech, *Confidence intervals for a variance ratio*, 1985 (the
//! part between groups as a pivot). W. Viechtbauer, *Confidence intervals for the amount of heterogeneity in meta-analysis*, 2007
//! (Q-profile). J. Hartung, G. Knapp, *A refined method for the meta-analysis of controlled clinical trials*, 2001. J. P. T.
//! Higgins, S. G. Thompson, D. J. Spiegelhalter, *A re-evaluation of random-effects meta-analysis*, 2009 (the prediction and its
//! degrees of freedom). J. P. T. Higgins, S. G. Thompson, *Quantifying heterogeneity*, 2002 (I²). L. V. Hedges, E. Tipton, M. C.
//! Johnson, *Robust variance estimation in meta-regression with dependent effect size estimates*, 2010 (effects that are related; their
//! correlation is assumed, and results depend little on it).

mod design;
mod error;
mod heterogeneity;
mod least_squares;
mod random_effects;
mod spread;
#[cfg(test)]
mod tests;

pub use self::design::{Allocation, PlannedCell};
pub use self::error::MetaError;
pub use self::heterogeneity::Heterogeneity;
pub use self::random_effects::{RandomEffectsMean, outliers};
pub use self::spread::{Spread, SpreadPosterior};

use self::heterogeneity::Variances;
use self::least_squares::{LeastSquares, Model};
use super::student::deviations_within;

/// The level of the errors and of the interval of tau².
const LEVEL: f64 = 0.95;

/// The correlation of the effects in two surroundings of one family. It is the usual assumption where related effects are pooled
/// (Z. Fisher, E. Tipton, *robumeta*, 2015), and no estimate.
pub const RELATIVES_CORRELATION: f64 = 0.8;

/// An effect that was measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// The number of the surrounding. Numbers need not be consecutive.
    pub group: usize,
    /// The number of the surrounding's family, the same in all cells of the surrounding.
    pub family: usize,
    /// The covariate, such as the logarithm of the nodes.
    pub covariate: f64,
    /// The effect, such as a difference in Elo.
    pub effect: f64,
    /// The variance of the effect by the games that were played; positive.
    pub variance: f64,
}

/// An estimate with half the width of its 95% interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coefficient {
    /// The estimate.
    pub value: f64,
    /// Half the width of the 95% interval, by Student's t.
    pub error_95: f64,
}

/// What to expect in a surrounding that was not measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prediction {
    /// The expected effect.
    pub mean: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Prediction {
    /// From end to end of the interval.
    pub fn width(&self) -> f64 {
        self.high - self.low
    }
}

/// The regression of measured effects.
#[derive(Debug, Clone, PartialEq)]
pub struct MetaRegression {
    model: Model,
    fitted: LeastSquares,
    variances: Variances,
    heterogeneity: Heterogeneity,
    /// Mean covariate of the cells.
    center: f64,
}

impl MetaRegression {
    /// Fits the model to effects. There is a slope when the covariate has two values or more.
    ///
    /// # Errors
    /// When a number is not finite, a variance is not positive, or the cells do not suffice for an interval: three surroundings
    /// are needed, and with one cell in each and a slope four.
    pub fn fit(cells: &[Cell]) -> Result<Self, MetaError> {
        Self::fit_with_slope_prior(cells, None)
    }

    /// The same when the slope has a normal prior around 0 with this standard deviation, which is positive. The heterogeneity is
    /// that of [`Self::fit`].
    ///
    /// # Errors
    /// As [`Self::fit`].
    pub fn fit_with_slope_prior(cells: &[Cell], deviation: Option<f64>) -> Result<Self, MetaError> {
        let model = Model::of(cells)?;
        let heterogeneity = Heterogeneity::estimate(&model, cells, LEVEL);
        let variances = heterogeneity.variances();
        let precision = deviation.map_or(0.0, |deviation| (deviation * deviation).recip());
        Ok(Self {
            fitted: model.fit_with(cells, variances, precision),
            variances,
            heterogeneity,
            center: cells.iter().map(|cell| cell.covariate).sum::<f64>() / cells.len() as f64,
            model,
        })
    }

    /// The expected effect at the mean covariate of the cells, over all surroundings.
    pub fn mean(&self) -> Coefficient {
        Coefficient {
            value: self.fitted.at(self.center),
            error_95: self.deviations(LEVEL) * self.fitted.variance_at(self.center).sqrt(),
        }
    }

    /// The change of the effect for each unit of the covariate; `None` when the covariate is the same everywhere.
    pub fn slope(&self) -> Option<Coefficient> {
        let (value, variance) = self.fitted.slope()?;
        Some(Coefficient {
            value,
            error_95: deviations_within(LEVEL, self.model.freedom_of_slope()) * variance.sqrt(),
        })
    }

    /// How far the mean is from 0 beyond chance: the root of its square minus its variance. 0 when chance explains it.
    pub fn mean_beyond_chance(&self) -> f64 {
        let mean = self.fitted.mean_effect();
        (mean.value * mean.value - mean.error * mean.error).max(0.0).sqrt()
    }

    /// How far the slope is from 0 beyond chance: the standard deviation of slopes around 0 of which this one is typical. 0 when chance
    /// explains it, and without a slope.
    pub fn slope_beyond_chance(&self) -> f64 {
        let beyond = |(slope, variance): (f64, f64)| (slope * slope - variance).max(0.0).sqrt();
        self.fitted.slope().map_or(0.0, beyond)
    }

    /// How much surroundings differ.
    pub fn heterogeneity(&self) -> &Heterogeneity {
        &self.heterogeneity
    }

    /// The effect in an unknown surrounding, with the interval that it is in with the probability `level`, between 0 and 1.
    pub fn predict(&self, covariate: f64, level: f64) -> Prediction {
        let mean = self.fitted.at(covariate);
        let variance = self.variances.total() + self.fitted.variance_at(covariate);
        let margin = self.deviations(level) * variance.sqrt();
        Prediction {
            mean,
            low: mean - margin,
            high: mean + margin,
        }
    }

    fn deviations(&self, level: f64) -> f64 {
        deviations_within(level, self.model.freedom_of_prediction())
    }
}
