//! Weighted least squares of cells in groups: the covariance of a group is diagonal plus a constant.

use super::heterogeneity::Variances;
use super::{Cell, MetaError};

/// What can be estimated from the cells: independent of their effects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Model {
    cells: usize,
    /// One more than the largest number of a group.
    numbers: usize,
    groups: usize,
    has_slope: bool,
    /// Whether the covariate differs within a group.
    varies_within: bool,
}

impl Model {
    pub(super) fn of(cells: &[Cell]) -> Result<Self, MetaError> {
        check(cells)?;
        let mut first: Vec<Option<f64>> = vec![None; cells.iter().map(|cell| cell.group + 1).max().unwrap_or(0)];
        let mut varies_within = false;
        for cell in cells {
            varies_within |= *first[cell.group].get_or_insert(cell.covariate) != cell.covariate;
        }
        let model = Self {
            cells: cells.len(),
            numbers: first.len(),
            groups: first.iter().flatten().count(),
            has_slope: cells.iter().any(|cell| cell.covariate != cells[0].covariate),
            varies_within,
        };
        let freedom = (model.cells as f64 - model.coefficients() - 1.0).min(model.groups as f64 - 2.0);
        (freedom >= 1.0).then_some(model).ok_or(MetaError::TooFew)
    }

    fn coefficients(&self) -> f64 {
        if self.has_slope { 2.0 } else { 1.0 }
    }

    /// Degrees of freedom of the sum of squares within groups.
    pub(super) fn freedom_within(&self) -> f64 {
        self.cells as f64 - self.groups as f64 - f64::from(u8::from(self.varies_within))
    }

    /// Degrees of freedom of the sum of squares between groups.
    pub(super) fn freedom_between(&self) -> f64 {
        self.cells as f64 - self.coefficients() - self.freedom_within()
    }

    /// Higgins, Thompson and Spiegelhalter take two less than the studies, here the surroundings.
    pub(super) fn freedom_of_prediction(&self) -> f64 {
        (self.groups as f64 - 2.0).min(self.cells as f64 - self.coefficients() - 1.0)
    }

    /// Those of the sum of squares that the slope's error comes from.
    pub(super) fn freedom_of_slope(&self) -> f64 {
        match self.varies_within && self.freedom_within() > 0.0 {
            true => self.freedom_within(),
            false => self.cells as f64 - self.coefficients(),
        }
    }

    /// The model of any cells, for variances that are known.
    pub(super) fn of_known_variances(cells: &[Cell]) -> Self {
        let groups = cells.iter().map(|cell| cell.group);
        Self {
            cells: cells.len(),
            numbers: groups.clone().max().map_or(0, |number| number + 1),
            groups: groups.collect::<std::collections::BTreeSet<_>>().len(),
            has_slope: false,
            varies_within: false,
        }
    }

    /// The coefficients with these variances.
    pub(super) fn fit(&self, cells: &[Cell], variances: Variances) -> LeastSquares {
        self.fit_with(cells, variances, 0.0)
    }

    /// The same when the slope has a normal prior around 0 with this precision, the inverse of its variance. Without a prior it is 0.
    pub(super) fn fit_with(&self, cells: &[Cell], variances: Variances, slope_precision: f64) -> LeastSquares {
        let forms = Forms {
            model: self,
            cells,
            variances,
        };
        let one = |_: &Cell| 1.0;
        let ones = forms.of(&one, &one);
        let middle = forms.of(&one, &covariate) / ones;
        let mean = forms.of(&one, &effect) / ones;
        let distance = |cell: &Cell| cell.covariate - middle;
        let slope = (self.has_slope || slope_precision > 0.0).then(|| {
            let precision = forms.of(&distance, &distance) + slope_precision;
            (forms.of(&distance, &effect) / precision, precision.recip())
        });
        LeastSquares {
            middle,
            mean,
            mean_variance: ones.recip(),
            slope,
        }
    }

    /// The restricted logarithmic likelihood of the variances, but for a constant: that of the cells' differences, whatever the
    /// mean. The slope is normal around 0 with this precision. Source: H. D. Patterson, R. Thompson, *Recovery of inter-block
    /// information when block sizes are unequal*, 1971.
    pub(super) fn restricted_likelihood(&self, cells: &[Cell], variances: Variances, slope_precision: f64) -> f64 {
        // All products in one pass: a search for the best variances comes here thousands of times.
        let origin = cells.first().map_or(0.0, |cell| cell.covariate);
        let Variances { within, between } = variances;
        let mut sums = vec![[0.0; 6]; self.numbers];
        let mut logarithms = 0.0;
        for cell in cells {
            let variance = cell.variance + within;
            logarithms += libm::log(variance);
            let weight = variance.recip();
            let (x, y) = (cell.covariate - origin, cell.effect);
            for (sum, more) in sums[cell.group].iter_mut().zip([1.0, x, y, x * x, x * y, y * y]) {
                *sum += weight * more;
            }
        }
        let [mut ones, mut x, mut y, mut xx, mut xy, mut yy] = [0.0; 6];
        for [weight, of_x, of_y, of_xx, of_xy, of_yy] in sums {
            logarithms += libm::log(1.0 + between * weight);
            let shared = between / (1.0 + between * weight);
            ones += weight - shared * weight * weight;
            x += of_x - shared * weight * of_x;
            y += of_y - shared * weight * of_y;
            xx += of_xx - shared * of_x * of_x;
            xy += of_xy - shared * of_x * of_y;
            yy += of_yy - shared * of_y * of_y;
        }
        // Around the middle and the mean. The slope adds a multiple of a product to the covariance, and mean and slope are
        // independent there.
        let squares = xx - x * x / ones;
        let product = xy - x * y / ones;
        let rest = yy - y * y / ones;
        let explained = product * product / (squares + slope_precision);
        logarithms += libm::log(ones) + libm::log(1.0 + squares / slope_precision);
        -0.5 * (logarithms + rest - explained)
    }

    /// The weighted sum of the squares that the model leaves.
    pub(super) fn squares(&self, cells: &[Cell], variances: Variances) -> f64 {
        let fitted = self.fit(cells, variances);
        let forms = Forms {
            model: self,
            cells,
            variances,
        };
        let rest = |cell: &Cell| cell.effect - fitted.at(cell.covariate);
        forms.of(&rest, &rest)
    }

    /// The same when each group has an intercept of its own.
    pub(super) fn squares_within(&self, cells: &[Cell], within: f64) -> f64 {
        if self.freedom_within() <= 0.0 {
            return 0.0;
        }
        let forms = Forms {
            model: self,
            cells,
            variances: Variances {
                within,
                between: f64::INFINITY,
            },
        };
        let slope = match self.varies_within {
            true => forms.of(&covariate, &effect) / forms.of(&covariate, &covariate),
            false => 0.0,
        };
        let rest = |cell: &Cell| cell.effect - slope * cell.covariate;
        forms.of(&rest, &rest).max(0.0)
    }
}

/// Refuses numbers that cannot be computed with.
pub(super) fn check(cells: &[Cell]) -> Result<(), MetaError> {
    let is_finite = |cell: &Cell| cell.effect.is_finite() && cell.covariate.is_finite();
    let is_variance = |cell: &Cell| cell.variance.is_finite() && cell.variance > 0.0;
    if !cells.iter().all(is_finite) {
        return Err(MetaError::NotFinite);
    }
    cells.iter().all(is_variance).then_some(()).ok_or(MetaError::Variance)
}

fn covariate(cell: &Cell) -> f64 {
    cell.covariate
}

fn effect(cell: &Cell) -> f64 {
    cell.effect
}

/// Products u' V^-1 v, where V is the covariance of the cells.
struct Forms<'c> {
    model: &'c Model,
    cells: &'c [Cell],
    variances: Variances,
}

impl Forms<'_> {
    fn of(&self, u: &dyn Fn(&Cell) -> f64, v: &dyn Fn(&Cell) -> f64) -> f64 {
        let Variances { within, between } = self.variances;
        let mut sums = vec![[0.0; 4]; self.model.numbers];
        for cell in self.cells {
            let weight = (cell.variance + within).recip();
            let (u, v) = (weight * u(cell), v(cell));
            for (sum, more) in sums[cell.group].iter_mut().zip([weight, u, weight * v, u * v]) {
                *sum += more;
            }
        }
        // The inverse of a diagonal matrix plus a constant, by Sherman and Morrison. Groups without cells have no weight.
        let of_group = |&[weight, u, v, product]: &[f64; 4]| match weight > 0.0 {
            true => product - u * v / (between.recip() + weight),
            false => 0.0,
        };
        sums.iter().map(of_group).sum()
    }
}

/// A line through effects.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LeastSquares {
    /// The covariate at which the errors of the mean and of the slope are independent.
    middle: f64,
    mean: f64,
    mean_variance: f64,
    /// With its variance.
    slope: Option<(f64, f64)>,
}

impl LeastSquares {
    pub(super) fn at(&self, covariate: f64) -> f64 {
        self.mean + self.slope.map_or(0.0, |(slope, _)| slope * (covariate - self.middle))
    }

    pub(super) fn variance_at(&self, covariate: f64) -> f64 {
        let distance = covariate - self.middle;
        self.mean_variance + self.slope.map_or(0.0, |(_, variance)| variance * distance * distance)
    }

    pub(super) fn slope(&self) -> Option<(f64, f64)> {
        self.slope
    }
}
