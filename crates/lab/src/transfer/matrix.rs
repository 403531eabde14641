//! The games of an idea in every surrounding and at every budget, and the effects that they show.

use super::surrounding::families;
use lmrlab_stats::meta::{Cell, PlannedCell};
use lmrlab_stats::{Elo, Estimate, Pentanomial};

/// So many pairs with the variance of all cells stand in for what a cell has not shown yet of its own.
const COMMON_PAIRS: f64 = 8.0;

/// Even pairs that a cell is taken to have more, where the tangent of its Elo is.
const EVEN_PAIRS: f64 = 8.0;

/// The pairs of a cell.
#[derive(Debug, Clone, PartialEq)]
pub struct MatrixCell {
    /// The number of the surrounding.
    pub surrounding: usize,
    /// Nodes a move.
    pub nodes: u64,
    /// The pairs, from the side of the idea.
    pub pairs: Pentanomial,
}

impl MatrixCell {
    /// Elo with its error, from these pairs alone.
    pub fn estimate(&self) -> Estimate {
        Estimate::of(&self.pairs).unwrap_or(Estimate::NOTHING_KNOWN)
    }

    fn covariate(&self) -> f64 {
        libm::log(self.nodes as f64)
    }

    /// Half points beyond the mean, squared, in scores of a pair.
    fn squares(&self) -> f64 {
        self.pairs.pairs() as f64 * self.pairs.variance().unwrap_or(0.0)
    }
}

/// The pairs of all cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    /// The names of the surroundings.
    pub surroundings: Vec<String>,
    /// The budgets, the smallest first.
    pub budgets: Vec<u64>,
    /// Surrounding by surrounding, and in it budget by budget.
    pub cells: Vec<MatrixCell>,
}

impl Matrix {
    /// A matrix without games.
    pub fn new(surroundings: Vec<String>, mut budgets: Vec<u64>) -> Self {
        budgets.sort_unstable();
        let cells = (0..surroundings.len()).flat_map(|surrounding| {
            budgets.iter().map(move |&nodes| MatrixCell {
                surrounding,
                nodes,
                pairs: Pentanomial::default(),
            })
        });
        Self {
            cells: cells.collect(),
            surroundings,
            budgets,
        }
    }

    /// All pairs.
    pub fn pairs(&self) -> u64 {
        self.cells.iter().map(|cell| cell.pairs.pairs()).sum()
    }

    /// The effects of the cells that have games, in Elo, over the logarithm of the nodes. A cell with few pairs that ended alike has a
    /// large error, so that it alone does not make surroundings differ.
    pub fn effects(&self) -> Vec<Cell> {
        self.effects_by(effect)
    }

    /// The same without that caution, for a model that knows how much surroundings differ: the errors of extreme cells are as large as
    /// those of others, and large effects stay large.
    pub fn straight_effects(&self) -> Vec<Cell> {
        self.effects_by(straight_effect)
    }

    fn effects_by(&self, effect: impl Fn(&MatrixCell, f64) -> (f64, f64)) -> Vec<Cell> {
        let common = self.common_variance();
        let families = families(&self.surroundings);
        let played = self.cells.iter().filter(|cell| cell.pairs.pairs() > 0);
        played
            .map(|cell| {
                let (effect, unit_variance) = effect(cell, common);
                Cell {
                    group: cell.surrounding,
                    family: families[cell.surrounding],
                    covariate: cell.covariate(),
                    effect,
                    variance: unit_variance / cell.pairs.pairs() as f64,
                }
            })
            .collect()
    }

    /// The cells for the design of what is played next. Every cell has games.
    pub(super) fn planned(&self) -> Vec<PlannedCell> {
        let common = self.common_variance();
        let families = families(&self.surroundings);
        let planned = |cell: &MatrixCell| PlannedCell {
            group: cell.surrounding,
            family: families[cell.surrounding],
            covariate: cell.covariate(),
            games: cell.pairs.pairs() as f64,
            unit_variance: effect(cell, common).1,
            unit_cost: cell.nodes as f64,
        };
        self.cells.iter().map(planned).collect()
    }

    /// The variance of a pair's score around the mean of its cell. It counts one more pair, at a distance of a quarter, so it is
    /// never zero.
    fn common_variance(&self) -> f64 {
        let squares: f64 = self.cells.iter().map(MatrixCell::squares).sum();
        let freedom: u64 = self.cells.iter().map(|cell| cell.pairs.pairs().saturating_sub(1)).sum();
        (squares + 1.0 / 16.0) / (freedom + 1) as f64
    }
}

/// The effect of a cell in Elo, and the variance of the effect of a single pair, by the delta method. A few pairs that all ended
/// alike neither give an infinite effect nor one without an error.
fn effect(cell: &MatrixCell, common_variance: f64) -> (f64, f64) {
    let pairs = cell.pairs.pairs() as f64;
    let score = cell.pairs.score().unwrap_or(0.5);
    // Half of the smallest step of the score.
    let margin = 1.0 / (8.0 * pairs);
    let score = score.clamp(margin, 1.0 - margin);
    let elo_a_score = elo_a_score(score);
    let variance = elo_a_score * elo_a_score * pair_variance(cell, common_variance);
    (Elo::from_score(score).0, variance)
}

/// The same by the tangent at the score with [`EVEN_PAIRS`] even pairs more.
fn straight_effect(cell: &MatrixCell, common_variance: f64) -> (f64, f64) {
    let pairs = cell.pairs.pairs() as f64;
    let score = cell.pairs.score().unwrap_or(0.5);
    let near = (pairs * score + EVEN_PAIRS * 0.5) / (pairs + EVEN_PAIRS);
    let elo_a_score = elo_a_score(near);
    let effect = Elo::from_score(near).0 + elo_a_score * (score - near);
    (effect, elo_a_score * elo_a_score * pair_variance(cell, common_variance))
}

/// The slope of Elo at a score.
fn elo_a_score(score: f64) -> f64 {
    400.0 / std::f64::consts::LN_10 / (score * (1.0 - score))
}

/// The variance of a pair's score in a cell.
fn pair_variance(cell: &MatrixCell, common_variance: f64) -> f64 {
    let pairs = cell.pairs.pairs() as f64;
    (cell.squares() + COMMON_PAIRS * common_variance) / (pairs - 1.0 + COMMON_PAIRS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn matrix(counts: &[[u64; 5]]) -> Matrix {
        let names = (0..counts.len()).map(|number| number.to_string()).collect();
        let mut matrix = Matrix::new(names, vec![1_000]);
        for (cell, counts) in matrix.cells.iter_mut().zip(counts) {
            cell.pairs = Pentanomial::new(*counts);
        }
        matrix
    }

    #[test]
    fn with_many_pairs_an_effect_is_the_estimate_of_a_match() {
        let matrix = matrix(&[[30, 300, 900, 420, 50], [100, 200, 900, 200, 100]]);
        let both = matrix.effects().into_iter().zip(matrix.straight_effects());
        for (cell, (effect, straight)) in matrix.cells.iter().zip(both) {
            let estimate = cell.estimate();
            assert!((effect.effect - straight.effect).abs() < 0.2, "{effect:?} {straight:?}");
            assert!((effect.effect - estimate.elo.0).abs() < 1e-9);
            let error = 1.96 * effect.variance.sqrt();
            assert!(
                (error / estimate.elo_error_95.unwrap().0 - 1.0).abs() < 0.01,
                "{error} {estimate:?}"
            );
        }
    }

    #[test]
    fn cells_are_in_the_order_of_the_budgets() {
        let matrix = Matrix::new(vec!["a".to_owned(), "b".to_owned()], vec![4_000, 1_000]);
        let cells = matrix.cells.iter().map(|cell| (cell.surrounding, cell.nodes));
        assert_eq!(
            cells.collect::<Vec<_>>(),
            [(0, 1_000), (0, 4_000), (1, 1_000), (1, 4_000)]
        );
        assert!(matrix.effects().is_empty());
    }

    proptest! {
        #[test]
        fn effects_are_finite_and_have_errors(counts in prop::collection::vec(prop::array::uniform5(0_u64..4), 1..6)) {
            let matrix = matrix(&counts);
            for effect in matrix.effects().into_iter().chain(matrix.straight_effects()) {
                prop_assert!(effect.effect.is_finite() && effect.effect.abs() < 1_000.0);
                prop_assert!(effect.variance.is_finite() && effect.variance > 0.0);
            }
        }
    }
}
