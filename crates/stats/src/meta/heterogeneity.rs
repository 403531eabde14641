//! How much effects differ between surroundings beyond chance.

use super::least_squares::Model;
use super::{Cell, RELATIVES_CORRELATION};
use crate::chi_squared::{chi_squared, chi_squared_quantile};
use crate::root_finding::{Sample, root};

/// Variances of effects beyond those of the games.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Variances {
    /// Of cells of one group.
    pub(super) within: f64,
    /// Of groups, the part that they share with their family included.
    pub(super) between: f64,
}

impl Variances {
    pub(super) fn total(self) -> f64 {
        self.within + self.between
    }

    /// The part of a family in the variance of groups.
    pub(super) fn of_a_family(self) -> f64 {
        match self.between.is_finite() {
            true => RELATIVES_CORRELATION * self.between,
            // Each group has an intercept of its own then.
            false => 0.0,
        }
    }

    /// The part of a group alone.
    pub(super) fn of_a_group(self) -> f64 {
        (1.0 - RELATIVES_CORRELATION) * self.between
    }
}

/// How much effects differ beyond chance. Standard deviations are in units of the effect.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Heterogeneity {
    /// Tau, the standard deviation between surroundings.
    pub tau: f64,
    /// The 95% interval of tau.
    pub tau_interval_95: [f64; 2],
    /// Omega, the standard deviation of the cells of one surrounding around the common trend.
    pub omega: f64,
    /// Cochran's Q of the surroundings: the weighted sum of squares between them, when only chance is expected.
    pub q: f64,
    /// Degrees of freedom of [`Self::q`].
    pub q_freedom: f64,
    /// Probability of so large a [`Self::q`] when surroundings do not differ.
    pub q_probability: f64,
    /// I²: the share of the variation between surroundings that is not chance, 0 to 1.
    pub i_squared: f64,
}

impl Heterogeneity {
    /// The estimates, and the interval of tau at this level.
    pub(super) fn estimate(model: &Model, cells: &[Cell], level: f64) -> Self {
        let within = value_where(model.freedom_within(), |within| model.squares_within(cells, within));
        let of_groups = |within: f64, between: f64| {
            let whole = model.squares(cells, Variances { within, between });
            (whole - model.squares_within(cells, within)).max(0.0)
        };
        let freedom = model.freedom_between();
        let between = |squares: f64| value_where(squares, |between| of_groups(within, between)).sqrt();
        let beyond = (1.0 - level) / 2.0;
        let q = of_groups(0.0, 0.0);
        Self {
            tau: between(freedom),
            tau_interval_95: [1.0 - beyond, beyond].map(|share| between(chi_squared_quantile(share, freedom))),
            omega: within.sqrt(),
            q,
            q_freedom: freedom,
            q_probability: 1.0 - chi_squared(q, freedom),
            i_squared: if q > freedom { (q - freedom) / q } else { 0.0 },
        }
    }

    pub(super) fn variances(&self) -> Variances {
        Variances {
            within: self.omega * self.omega,
            between: self.tau * self.tau,
        }
    }
}

/// The variance at which a sum of squares, which falls with it, has a value; 0 when it is below that at 0.
pub(super) fn value_where(target: f64, squares: impl Fn(f64) -> f64) -> f64 {
    let distance = |variance: f64| squares(variance) - target;
    let lowest = Sample {
        at: 0.0,
        value: distance(0.0),
    };
    if lowest.value <= 0.0 {
        return 0.0;
    }
    let mut high = 1.0;
    while distance(high) > 0.0 && high < MAX_VARIANCE {
        high *= 4.0;
    }
    let highest = Sample {
        at: high,
        value: distance(high),
    };
    root(lowest, highest, 1e-12, distance)
}

/// No variance is found beyond this.
const MAX_VARIANCE: f64 = 1e30;
