//! A trial: many ideas in the same games. It is a method that does not depend on outcomes, and recommends nothing.
//!
//! Each pair of games draws a random combination of the ideas for one side. The other side has exactly the remaining
//! ideas. So every pair measures every idea, and the effect of each idea is estimated from all pairs by least squares.
//! Its error is that of a match as long as the whole trial. Interactions of two ideas cancel out in a design with
//! complements (foldover; Box, Hunter, Hunter, *Statistics for Experimenters*, 1978), and count as noise.

use lmrlab_stats::linear_algebra::{Cholesky, dot};
use lmrlab_stats::{DEVIATIONS_95, PairOutcome};
use rand::RngExt;
use rand_pcg::Pcg64;

use crate::{Effect, Method, PairResult, Probe};

/// The number of pairs that are drawn at a time.
const BATCH: u64 = 10_000;

/// The method. In points an idea is 1 when the side has it, and 0 when not.
pub struct Trial {
    ideas: usize,
    pairs: u64,
    seed: u64,
    /// The ideas of the first side, for each pair that was played or asked for.
    on: Vec<Vec<bool>>,
    outcomes: Vec<PairOutcome>,
}

impl Trial {
    /// A trial of this many ideas and pairs.
    pub fn new(ideas: usize, pairs: u64, seed: u64) -> Self {
        Self {
            ideas,
            pairs,
            seed,
            on: Vec::new(),
            outcomes: Vec::new(),
        }
    }
}

impl Method for Trial {
    fn next(&mut self) -> Vec<Probe> {
        self.on.truncate(self.outcomes.len());
        let first = self.on.len() as u64;
        let end = self.pairs.min(first + BATCH);
        self.on.extend((first..end).map(|pair| {
            let mut generator = Pcg64::new(u128::from(self.seed), u128::from(pair));
            (0..self.ideas).map(|_| generator.random_bool(0.5)).collect()
        }));
        let side = |on: &[bool], has: bool| on.iter().map(|on| f64::from(u8::from(*on == has))).collect();
        let drawn = self.on.iter().skip(self.outcomes.len());
        drawn
            .map(|on| Probe {
                first: side(on, true),
                second: side(on, false),
            })
            .collect()
    }

    fn record(&mut self, results: &[PairResult]) {
        let asked = self.on.len() - self.outcomes.len();
        self.outcomes
            .extend(results.iter().take(asked).map(|result| result.outcome));
    }

    fn recommendation(&mut self) -> Vec<f64> {
        vec![0.0; self.ideas]
    }

    fn effects(&self) -> Option<Vec<Effect>> {
        effects(&self.on, &self.outcomes)
    }
}

/// Elo for each unit of score between equal players: the slope of -400 log10(1/s - 1) at one half.
const ELO_PER_SCORE: f64 = 1600.0 / std::f64::consts::LN_10;

/// The Elo of each idea: the gain of a side with it over the same side without it, averaged over the other ideas.
/// `on[pair]` are the ideas of the first side of each pair; the second side has the others. The score is taken as
/// linear in Elo, which is right near one half. Errors come from the residuals.
///
/// `None` when there are too few pairs to separate the ideas.
pub fn effects(on: &[Vec<bool>], outcomes: &[PairOutcome]) -> Option<Vec<Effect>> {
    let pairs: Vec<(Vec<f64>, f64)> = on
        .iter()
        .zip(outcomes)
        .map(|(on, outcome)| {
            let signs = on.iter().map(|on| if *on { 1.0 } else { -1.0 }).collect();
            (signs, f64::from(outcome.half_points()) / 4.0 - 0.5)
        })
        .collect();
    let ideas = pairs.first()?.0.len();
    if ideas == 0 || pairs.len() < 2 * ideas {
        return None;
    }
    let column = |idea: usize| pairs.iter().map(|(signs, _)| signs[idea]).collect::<Vec<f64>>();
    let columns: Vec<Vec<f64>> = (0..ideas).map(column).collect();
    let scores: Vec<f64> = pairs.iter().map(|(_, score)| *score).collect();
    let products: Vec<f64> = (0..ideas * ideas)
        .map(|place| dot(&columns[place / ideas], &columns[place % ideas]))
        .collect();
    let products = Cholesky::new(products, ideas)?;
    let mut effects: Vec<f64> = columns.iter().map(|column| dot(column, &scores)).collect();
    products.solve(&mut effects);
    let residuals: f64 = pairs
        .iter()
        .map(|(signs, score)| {
            let left = score - dot(signs, &effects);
            left * left
        })
        .sum();
    let variance = residuals / (pairs.len() - ideas) as f64;
    let with_error = |(idea, effect): (usize, f64)| {
        let unit: Vec<f64> = (0..ideas).map(|other| f64::from(u8::from(other == idea))).collect();
        let deviation = libm::sqrt(variance * products.inverse_form(&unit));
        Effect {
            elo: ELO_PER_SCORE * effect,
            error_95: ELO_PER_SCORE * DEVIATIONS_95 * deviation,
        }
    };
    Some(effects.into_iter().enumerate().map(with_error).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs in which the first side wins a game with the probability that follows from the Elo of the ideas.
    fn simulated(elo: &[f64], pairs: usize, seed: u128) -> (Vec<Vec<bool>>, Vec<PairOutcome>) {
        let mut generator = Pcg64::new(seed, 1);
        let on: Vec<Vec<bool>> = (0..pairs)
            .map(|_| elo.iter().map(|_| generator.random_bool(0.5)).collect())
            .collect();
        let outcomes = on
            .iter()
            .map(|on| {
                let sum: f64 = on.iter().zip(elo).map(|(on, elo)| if *on { *elo } else { -elo }).sum();
                let chance = 1.0 / (1.0 + 10f64.powf(-sum / 400.0));
                let points = [(); 2].map(|()| 2 * i32::from(generator.random_bool(chance)));
                match points[0] + points[1] {
                    4 => PairOutcome::WinWin,
                    2 => PairOutcome::Even,
                    _ => PairOutcome::LossLoss,
                }
            })
            .collect();
        (on, outcomes)
    }

    #[test]
    fn known_effects_lie_in_their_intervals() {
        let elo = [30.0, -20.0, 0.0, 8.0, 0.0, -5.0, 12.0, 0.0];
        let (mut covered, mut all) = (0, 0);
        for seed in 0..60 {
            let (on, outcomes) = simulated(&elo, 1500, seed);
            for (effect, truth) in effects(&on, &outcomes).unwrap().into_iter().zip(elo) {
                covered += u32::from((effect.elo - truth).abs() <= effect.error_95);
                all += 1;
            }
        }
        let share = f64::from(covered) / f64::from(all);
        assert!((0.92..0.98).contains(&share), "{share}");
    }

    #[test]
    fn pairs_that_were_not_played_do_not_count() {
        let (mut on, outcomes) = simulated(&[20.0, -20.0], 400, 7);
        let all = effects(&on, &outcomes);
        on.extend([vec![true, true], vec![true, false]]);
        assert_eq!(effects(&on, &outcomes), all);
        assert!(effects(&on[..3], &outcomes[..3]).is_none());
        assert!(effects(&[], &[]).is_none());
    }

    #[test]
    fn each_pair_draws_its_ideas_and_the_other_side_has_the_others() {
        let mut trial = Trial::new(2, 40, 3);
        let probes = trial.next();
        assert_eq!(probes.len(), 40);
        for idea in 0..2 {
            let on = probes.iter().filter(|probe| probe.first[idea] > 0.0).count();
            assert!((8..=32).contains(&on), "{on}");
            assert!(probes.iter().all(|probe| probe.first[idea] + probe.second[idea] == 1.0));
        }
        trial.record(&[PairOutcome::Even.into(); 40]);
        assert!(trial.next().is_empty());
        assert_eq!(trial.effects().unwrap()[1].elo, 0.0);
    }
}
