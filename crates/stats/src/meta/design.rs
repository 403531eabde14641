//! Which cell gets the next games: the one where they narrow the prediction most for their cost.
//!
//! Games shrink the variance of the mean at the predicted covariate, g' (X' V^-1 X)^-1 g. They do not shrink tau² and omega²
//! themselves. The design takes tau² at the upper end of its interval. A wide interval then spreads the games over the
//! surroundings, which narrows it; with tau² at an estimate of zero, all games would go to one surrounding.
//!
//! Source: G. Elfving, *Optimum allocation in linear regression theory*, 1952 (designs for a linear function of the
//! coefficients); here one step at a time.

use super::heterogeneity::Variances;
use super::least_squares::{Model, check};
use super::{Cell, Heterogeneity, MetaError, Spread};

/// A cell to which games can be given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlannedCell {
    /// The number of the surrounding.
    pub group: usize,
    /// The number of its family.
    pub family: usize,
    /// The covariate.
    pub covariate: f64,
    /// The games that it has, in units of any kind, such as pairs; positive.
    pub games: f64,
    /// The variance of the effect after one unit of games; positive.
    pub unit_variance: f64,
    /// The cost of one unit of games; positive.
    pub unit_cost: f64,
}

impl PlannedCell {
    fn with_more(self, games: f64) -> Self {
        Self {
            games: self.games + games,
            ..self
        }
    }

    /// Its design; the effect plays no part.
    fn cell(&self) -> Cell {
        Cell {
            group: self.group,
            family: self.family,
            covariate: self.covariate,
            effect: 0.0,
            variance: self.unit_variance / self.games,
        }
    }
}

/// The design of a prediction at a covariate.
#[derive(Debug, Clone)]
pub struct Allocation {
    planned: Vec<PlannedCell>,
    cells: Vec<Cell>,
    model: Model,
    variances: Variances,
    covariate: f64,
    slope_precision: f64,
}

impl Allocation {
    /// For a prediction at this covariate, after what the games so far have told.
    ///
    /// # Errors
    /// When a number is not finite, games or variances are not positive, or the cells do not suffice for a prediction.
    pub fn new(planned: Vec<PlannedCell>, known: &Heterogeneity, covariate: f64) -> Result<Self, MetaError> {
        let cells: Vec<Cell> = planned.iter().map(PlannedCell::cell).collect();
        Ok(Self {
            model: Model::of(&cells)?,
            variances: Variances {
                within: known.omega * known.omega,
                between: known.tau_interval_95[1] * known.tau_interval_95[1],
            },
            planned,
            cells,
            covariate,
            slope_precision: 0.0,
        })
    }

    /// For effects that are known to vary so much, whatever the games tell.
    ///
    /// # Errors
    /// When a number is not finite, or games or variances are not positive.
    pub fn of_spread(planned: Vec<PlannedCell>, spread: &Spread, covariate: f64) -> Result<Self, MetaError> {
        let cells: Vec<Cell> = planned.iter().map(PlannedCell::cell).collect();
        check(&cells)?;
        Ok(Self {
            model: Model::of_known_variances(&cells),
            variances: spread.variances(),
            planned,
            cells,
            covariate,
            slope_precision: spread.slope_precision(),
        })
    }

    /// The same when the slope has a normal prior around 0 with this standard deviation, which is positive.
    #[must_use]
    pub fn with_slope_prior(self, deviation: f64) -> Self {
        Self {
            slope_precision: (deviation * deviation).recip(),
            ..self
        }
    }

    /// Gives so many units of games to a cell, and returns its number. Of cells where they are worth the same, the one with the
    /// fewest games gets them, and of these the first.
    pub fn give(&mut self, games: f64) -> usize {
        let before = self.variance();
        let (mut best, mut best_rate) = (0, 0.0);
        for index in 0..self.planned.len() {
            let planned = self.planned[index];
            let kept = std::mem::replace(&mut self.cells[index], planned.with_more(games).cell());
            let rate = (before - self.variance()) / (games * planned.unit_cost);
            self.cells[index] = kept;
            let is_better = match rate / best_rate - 1.0 {
                gain if gain.abs() <= SAME => planned.games < self.planned[best].games,
                // Infinite for the first rate, which is compared with zero.
                gain => gain > 0.0,
            };
            if is_better {
                (best, best_rate) = (index, rate);
            }
        }
        if let Some(planned) = self.planned.get_mut(best) {
            *planned = planned.with_more(games);
            self.cells[best] = planned.cell();
        }
        best
    }

    /// The variance of the expected effect at the covariate.
    pub fn variance(&self) -> f64 {
        let fitted = self.model.fit_with(&self.cells, self.variances, self.slope_precision);
        fitted.variance_at(self.covariate)
    }
}

/// Relative difference of two gains that count as the same.
const SAME: f64 = 1e-9;
