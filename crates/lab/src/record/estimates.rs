//! What every idea is worth by our games. The games of one idea leave an error that is larger than most ideas, so ideas borrow strength
//! from each other: how much effects vary between surroundings and with the nodes, and how large effects are, come from all ideas
//! together. No report plays a part.

use lmrlab_stats::meta::{Cell, Coefficient, MetaError, MetaRegression, Spread};
use lmrlab_stats::{AdaptiveShrinkage, MeasuredEffect, NormalMixture};

use super::cells::Cells;

/// The effects and what is known of them depend on each other. They are computed in turns, at most so often.
const MOST_TURNS: usize = 25;

/// The turns end when no effect changes by more, in Elo.
const SMALLEST_CHANGE: f64 = 0.01;

/// What an idea is worth.
#[derive(Debug, Clone, PartialEq)]
pub struct IdeaEstimate {
    /// The idea.
    pub id: String,
    /// Its pairs.
    pub pairs: u64,
    /// Without the others: the mean over its cells, as `transfer` has it. `None` with too few surroundings.
    pub raw: Option<Coefficient>,
    /// At the nodes of the prediction, with the common variances, but not yet shrunk.
    pub measured: MeasuredEffect,
    /// The worth over all surroundings.
    pub worth: NormalMixture,
    /// The standard deviation of an engine's own worth around it.
    pub between: f64,
}

impl IdeaEstimate {
    /// The worth in an engine that was not measured.
    pub fn in_an_engine(&self) -> NormalMixture {
        self.worth.widened(self.between)
    }
}

/// What all ideas are worth.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimates {
    /// Those of all ideas with games, in the order of their names.
    pub ideas: Vec<IdeaEstimate>,
    /// How much effects vary, by all of them.
    pub spread: Spread,
    /// How large effects are, by all of them.
    pub shrinkage: AdaptiveShrinkage,
}

/// The games of an idea.
struct Played {
    id: String,
    pairs: u64,
    effects: Vec<Cell>,
}

impl Estimates {
    /// From all cells, for engines that search so many nodes a move. `None` when no idea has games.
    ///
    /// # Errors
    /// When a number is not finite.
    pub fn of(cells: &Cells, nodes: u64) -> Result<Option<Self>, MetaError> {
        let mut played: Vec<Played> = cells
            .ideas()
            .into_iter()
            .map(|id| Played {
                id: id.to_owned(),
                pairs: cells.pairs(id),
                effects: cells.matrix(id).effects(),
            })
            .collect();
        played.sort_by(|one, other| one.id.cmp(&other.id));
        let covariate = libm::log(nodes as f64);
        let mut sizes: Vec<f64> = played.iter().map(|played| first_size(&played.effects)).collect();
        let mut turn = 0;
        loop {
            let together: Vec<(&[Cell], f64)> = played
                .iter()
                .zip(&sizes)
                .map(|(played, size)| (&*played.effects, *size))
                .collect();
            let spread = Spread::estimate(&together)?;
            let mut measured = Vec::new();
            for (effects, size) in together {
                measured.extend(spread.of_effect(size).effect_at(effects, covariate)?);
            }
            let Some(shrinkage) = AdaptiveShrinkage::fit(&measured) else {
                return Ok(None);
            };
            let worths: Vec<NormalMixture> = measured.iter().map(|effect| shrinkage.posterior(effect)).collect();
            let change = worths
                .iter()
                .zip(&sizes)
                .map(|(worth, size)| (worth.mean().abs() - size).abs());
            let change = change.fold(0.0, f64::max);
            turn += 1;
            if change <= SMALLEST_CHANGE || turn == MOST_TURNS {
                let ideas = played.iter().zip(measured).zip(worths).zip(&sizes);
                let ideas = ideas.map(|(((played, measured), worth), size)| IdeaEstimate {
                    id: played.id.clone(),
                    pairs: played.pairs,
                    raw: MetaRegression::fit(&played.effects).ok().map(|fitted| fitted.mean()),
                    measured,
                    worth,
                    between: spread.of_effect(*size).in_a_surrounding(),
                });
                return Ok(Some(Self {
                    ideas: ideas.collect(),
                    spread,
                    shrinkage,
                }));
            }
            sizes = worths.iter().map(|worth| worth.mean().abs()).collect();
        }
    }

    /// That of an idea.
    pub fn get(&self, id: &str) -> Option<&IdeaEstimate> {
        self.ideas.iter().find(|idea| idea.id == id)
    }
}

/// What the size of an effect is about, from its cells alone: what the mean is beyond its error.
fn first_size(effects: &[Cell]) -> f64 {
    let weights: f64 = effects.iter().map(|cell| cell.variance.recip()).sum();
    let sum: f64 = effects.iter().map(|cell| cell.effect / cell.variance).sum();
    let mean = sum / weights;
    (mean * mean - weights.recip()).max(0.0).sqrt()
}
