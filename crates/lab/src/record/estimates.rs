//! What every idea is worth by our games. The games of one idea leave an error that is larger than most ideas, so ideas borrow strength
//! from each other: how much effects vary between surroundings and with the nodes, and how large effects are, come from all ideas
//! together. No report plays a part: what engines differ by is in [`super::agreement`].

use lmrlab_stats::meta::{Cell, Coefficient, MetaError, MetaRegression, Spread, SpreadPosterior};
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
    /// Without the others: the mean over its cells. `None` with too few surroundings.
    pub raw: Option<Coefficient>,
    /// At the nodes of the prediction, with the common variances, but not yet shrunk.
    pub measured: MeasuredEffect,
    /// The worth over all surroundings.
    pub worth: NormalMixture,
    /// Standard deviations of the worth in a surrounding around it, with their weights.
    between: Vec<(f64, f64)>,
    /// How many times as much it varies as an idea without an effect.
    pub scale: f64,
}

impl IdeaEstimate {
    /// The worth in a surrounding that was not measured.
    pub fn in_a_surrounding(&self) -> NormalMixture {
        self.worth.widened_by_one_of(&self.between)
    }

    /// The standard deviation of the worth in a surrounding around it, over all that is likely.
    pub fn between(&self) -> f64 {
        let square = |(weight, deviation): &(f64, f64)| weight * deviation * deviation;
        self.between.iter().map(square).sum::<f64>().sqrt()
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
                effects: cells.matrix(id).straight_effects(),
            })
            .collect();
        played.sort_by(|one, other| one.id.cmp(&other.id));
        let covariate = libm::log(nodes as f64);
        let sizes = sizes(&played)?;
        let spreads = SpreadPosterior::estimate(&with_sizes(&played, &sizes))?;
        let mut measured = Vec::new();
        for (effects, size) in with_sizes(&played, &sizes) {
            measured.extend(spreads.effect_at(size, effects, covariate)?);
        }
        let Some(shrinkage) = AdaptiveShrinkage::fit(&measured) else {
            return Ok(None);
        };
        let spread = spreads.mean();
        let ideas = played.iter().zip(measured).zip(&sizes);
        let ideas = ideas.map(|((played, measured), size)| IdeaEstimate {
            id: played.id.clone(),
            pairs: played.pairs,
            raw: MetaRegression::fit(&played.effects).ok().map(|fitted| fitted.mean()),
            measured,
            worth: shrinkage.posterior(&measured),
            between: spreads.in_a_surrounding(*size),
            scale: spread.of_effect(*size).tau / spread.tau,
        });
        Ok(Some(Self {
            ideas: ideas.collect(),
            spread,
            shrinkage,
        }))
    }

    /// That of an idea.
    pub fn get(&self, id: &str) -> Option<&IdeaEstimate> {
        self.ideas.iter().find(|idea| idea.id == id)
    }
}

/// What the size of each effect is about: of its mean over the cells, by which it varies more or less. Not of the worth at the nodes of
/// the prediction: an idea with a large trend has an uncertain worth there, which would be taken for a small one.
fn sizes(played: &[Played]) -> Result<Vec<f64>, MetaError> {
    let mut sizes: Vec<f64> = played.iter().map(|played| first_size(&played.effects)).collect();
    for _ in 0..MOST_TURNS {
        let together = with_sizes(played, &sizes);
        let spread = Spread::estimate(&together)?;
        let mut means = Vec::new();
        for (effects, size) in together {
            means.extend(spread.of_effect(size).mean_effect(effects)?);
        }
        let Some(shrinkage) = AdaptiveShrinkage::fit(&means) else {
            break;
        };
        let next: Vec<f64> = means
            .iter()
            .map(|mean| shrinkage.posterior(mean).mean().abs())
            .collect();
        let changes = next.iter().zip(&sizes).map(|(next, size)| (next - size).abs());
        let change = changes.fold(0.0, f64::max);
        sizes = next;
        if change <= SMALLEST_CHANGE {
            break;
        }
    }
    Ok(sizes)
}

/// The cells of each idea, with what its effect is about.
fn with_sizes<'p>(played: &'p [Played], sizes: &[f64]) -> Vec<(&'p [Cell], f64)> {
    let pairs = played.iter().zip(sizes);
    pairs.map(|(played, size)| (&*played.effects, *size)).collect()
}

/// What the size of an effect is about, from its cells alone: what the mean is beyond its error.
fn first_size(effects: &[Cell]) -> f64 {
    let weights: f64 = effects.iter().map(|cell| cell.variance.recip()).sum();
    let sum: f64 = effects.iter().map(|cell| cell.effect / cell.variance).sum();
    let mean = sum / weights;
    (mean * mean - weights.recip()).max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::cells::{CellName, RecordCell};
    use super::*;
    use crate::transfer::OF_RECORD;
    use lmrlab_stats::{Elo, Pentanomial};
    use rand::RngExt;
    use rand_pcg::Pcg64;
    use rand_pcg::rand_core::SeedableRng;

    fn normal(random: &mut Pcg64) -> f64 {
        let (radius, angle) = (1.0 - random.random::<f64>(), random.random::<f64>());
        (-2.0 * libm::log(radius)).sqrt() * libm::cos(std::f64::consts::TAU * angle)
    }

    /// Pairs of a cell with this strength, half of them even.
    fn pairs(elo: f64, count: u64, random: &mut Pcg64) -> Pentanomial {
        let more = Elo(elo).expected_score() - 0.5;
        let mut counts = [0; 5];
        for _ in 0..count {
            let place = random.random::<f64>();
            // The mean of a pair moves by as much as the share that goes from one half point less to one more.
            let outcome = match place {
                low if low < 0.03 => 0,
                low if low < 0.25 - 2.0 * more => 1,
                middle if middle < 0.75 - 2.0 * more => 2,
                high if high < 0.97 => 3,
                _ => 4,
            };
            counts[outcome] += 1;
        }
        Pentanomial::new(counts)
    }

    /// Ideas with a known worth: how many of their engines' own worths lie in the 80% intervals, and how many signs are right, as shares.
    fn simulated(ideas: usize, seed: u64) -> [f64; 2] {
        let mut random = Pcg64::seed_from_u64(seed);
        let (mut cells, mut truths) = (Cells::default(), Vec::new());
        for number in 0..ideas {
            let worth = 1.5 + if number % 12 == 0 { 30.0 } else { 2.0 } * normal(&mut random);
            let own = Spread {
                tau: 3.0,
                omega: 2.0,
                slope: 1.0,
                size: 15.0,
            }
            .of_effect(worth);
            let slope = own.slope * normal(&mut random);
            let mut list = Vec::new();
            for surrounding in 0..13 {
                let of_surrounding = own.tau * normal(&mut random);
                for (nodes, count) in [(1_000, 80), (4_000, 60)] {
                    let distance = libm::log(nodes as f64 / 200_000.0);
                    let elo = worth + slope * distance + of_surrounding + own.omega * normal(&mut random);
                    list.push(RecordCell {
                        name: CellName {
                            idea: format!("idea-{number:02}"),
                            on: "plain".to_owned(),
                            surrounding: surrounding.to_string(),
                            nodes,
                        },
                        seed: 0,
                        digest: String::new(),
                        pairs: pairs(elo, count, &mut random),
                    });
                }
            }
            cells.put(list);
            truths.push((worth, worth + own.in_a_surrounding() * normal(&mut random)));
        }
        let estimates = Estimates::of(&cells, 200_000).unwrap().unwrap();
        let is_covered = |(idea, (_, engine)): &(&IdeaEstimate, (f64, f64))| {
            let [low, high] = idea.in_a_surrounding().interval(0.8);
            (low..=high).contains(engine)
        };
        let is_right = |(idea, (worth, _)): &(&IdeaEstimate, (f64, f64))| idea.worth.mean() * worth > 0.0;
        let both: Vec<_> = estimates.ideas.iter().zip(truths).collect();
        let share = |count: usize| count as f64 / ideas as f64;
        [
            share(both.iter().filter(|both| is_covered(both)).count()),
            share(both.iter().filter(|both| is_right(both)).count()),
        ]
    }

    /// `transfer` takes the trends of ideas as they are in the published cells.
    #[test]
    fn the_usual_prior_of_a_trend_is_that_of_the_published_cells() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../results/published/record/cells.csv");
        let cells = Cells::read(std::path::Path::new(file)).unwrap();
        let found = Estimates::of(&cells, 200_000).unwrap().unwrap().spread;
        let ratios = [found.slope / OF_RECORD.slope, found.size / OF_RECORD.size];
        assert!(ratios.iter().all(|ratio| (0.8..1.25).contains(ratio)), "{found:?}");
    }

    #[test]
    fn engines_lie_in_the_intervals() {
        let [covered, right] = simulated(14, 5);
        assert!(covered >= 0.6, "{covered}");
        assert!(right >= 0.5, "{right}");
    }

    #[test]
    #[ignore = "takes minutes"]
    fn engines_lie_in_the_intervals_as_often_as_they_should() {
        let runs = 25;
        let found: Vec<[f64; 2]> = (0..runs).map(|seed| simulated(36, seed)).collect();
        let mean = |place: usize| found.iter().map(|shares| shares[place]).sum::<f64>() / runs as f64;
        println!("covered {:.3}, signs {:.3}", mean(0), mean(1));
        assert!((0.76..=0.88).contains(&mean(0)), "{}", mean(0));
    }
}
