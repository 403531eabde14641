//! Weighted least squares of cells in groups, and of groups in families: the covariance of a group is diagonal plus a constant,
//! and groups of one family share another constant.

use super::heterogeneity::Variances;
use super::{Cell, MetaError};
use crate::adaptive_shrinkage::MeasuredEffect;

/// What can be estimated from the cells: independent of their effects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Model {
    cells: usize,
    /// The family of each group, by the group's number; `None` for a number that no group has.
    families: Vec<Option<usize>>,
    /// One more than the largest number of a family.
    family_numbers: usize,
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
            varies_within,
            has_slope: cells.iter().any(|cell| cell.covariate != cells[0].covariate),
            ..Self::of_known_variances(cells)
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
        let numbers = cells.iter().map(|cell| cell.group + 1).max().unwrap_or(0);
        let mut families = vec![None; numbers];
        for cell in cells {
            families[cell.group] = Some(cell.family);
        }
        Self {
            cells: cells.len(),
            family_numbers: families.iter().flatten().map(|family| family + 1).max().unwrap_or(0),
            groups: families.iter().flatten().count(),
            families,
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
        let mut of_groups = vec![[0.0; 6]; self.families.len()];
        let mut logarithms = 0.0;
        for cell in cells {
            let variance = cell.variance + variances.within;
            logarithms += libm::log(variance);
            let weight = variance.recip();
            let (x, y) = (cell.covariate - origin, cell.effect);
            for (sum, more) in of_groups[cell.group].iter_mut().zip([1.0, x, y, x * x, x * y, y * y]) {
                *sum += weight * more;
            }
        }
        // What a constant that is added to the covariance leaves of the products.
        let mut less = |[ones, x, y, xx, xy, yy]: [f64; 6], constant: f64| {
            logarithms += libm::log(1.0 + constant * ones);
            let part = constant / (1.0 + constant * ones);
            [
                ones - part * ones * ones,
                x - part * ones * x,
                y - part * ones * y,
                xx - part * x * x,
                xy - part * x * y,
                yy - part * y * y,
            ]
        };
        let mut of_families = vec![[0.0; 6]; self.family_numbers];
        for (sums, family) in of_groups.into_iter().zip(&self.families) {
            if let Some(family) = family {
                let sums = less(sums, variances.of_a_group());
                (of_families[*family].iter_mut().zip(sums)).for_each(|(sum, more)| *sum += more);
            }
        }
        let mut all = [0.0; 6];
        for sums in of_families {
            let sums = less(sums, variances.of_a_family());
            all.iter_mut().zip(sums).for_each(|(sum, more)| *sum += more);
        }
        let [ones, x, y, xx, xy, yy] = all;
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
        let mut of_groups = vec![Products::default(); self.model.families.len()];
        for cell in self.cells {
            let weight = (cell.variance + self.variances.within).recip();
            let (u, v) = (u(cell), v(cell));
            of_groups[cell.group].add(&Products {
                ones: weight,
                u: weight * u,
                v: weight * v,
                uv: weight * u * v,
            });
        }
        let mut of_families = vec![Products::default(); self.model.family_numbers];
        for (products, family) in of_groups.iter().zip(&self.model.families) {
            if let Some(family) = family {
                of_families[*family].add(&products.with_constant(self.variances.of_a_group()));
            }
        }
        let of_family = |products: &Products| products.with_constant(self.variances.of_a_family()).uv;
        of_families.iter().map(of_family).sum()
    }
}

/// The products 1' V^-1 1, u' V^-1 1, 1' V^-1 v and u' V^-1 v of some cells.
#[derive(Debug, Clone, Default)]
struct Products {
    ones: f64,
    u: f64,
    v: f64,
    uv: f64,
}

impl Products {
    /// Those of cells that are independent of these are added.
    fn add(&mut self, other: &Self) {
        self.ones += other.ones;
        self.u += other.u;
        self.v += other.v;
        self.uv += other.uv;
    }

    /// When a constant is added to the covariance, by Sherman and Morrison. Groups without cells have no weight.
    fn with_constant(&self, constant: f64) -> Self {
        let divisor = constant.recip() + self.ones;
        if divisor <= 0.0 {
            return self.clone();
        }
        Self {
            ones: self.ones - self.ones * self.ones / divisor,
            u: self.u - self.u * self.ones / divisor,
            v: self.v - self.ones * self.v / divisor,
            uv: self.uv - self.u * self.v / divisor,
        }
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
    /// At the covariate where it has nothing to do with the slope.
    pub(super) fn mean_effect(&self) -> MeasuredEffect {
        MeasuredEffect {
            value: self.mean,
            error: self.mean_variance.sqrt(),
        }
    }

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
