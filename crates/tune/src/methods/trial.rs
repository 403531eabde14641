//! A trial: many ideas in the same games. It is a method that does not depend on outcomes, and recommends nothing.
//!
//! Each pair of games draws a random combination of the ideas for one side. The other side has exactly the remaining
//! ideas. So every pair measures every idea, and the effects of all ideas are estimated from all pairs. Ideas add up in Elo
//! ([`elo_effects()`]). The error of each is that of a match as long as the whole trial. Interactions of two ideas cancel out in
//! a design with complements (foldover; Box, Hunter, Hunter, *Statistics for Experimenters*, 1978). A trial that looks for
//! interactions draws the ideas of both sides, each with its own numbers. Its errors are larger by the root of 2.

use lmrlab_stats::{EffectPair, EloEffect, elo_effects};
use rand::RngExt;
use rand_pcg::Pcg64;

use crate::{Interaction, Method, PairResult, Probe};

/// The number of pairs that are drawn at a time.
const BATCH: u64 = 10_000;

/// The method. In points an idea is 1 when the side has it, and 0 when not.
pub struct Trial {
    ideas: usize,
    pairs: u64,
    seed: u64,
    /// Whether the second side has ideas of its own, not those that the first side does not have.
    interactions: bool,
    /// The number of pairs that were played or asked for.
    asked: u64,
    results: Vec<PairResult>,
}

impl Trial {
    /// A trial of this many ideas and pairs. With `interactions` it also measures how every two ideas act together.
    pub fn new(ideas: usize, pairs: u64, seed: u64, interactions: bool) -> Self {
        Self {
            ideas,
            pairs,
            seed,
            interactions,
            asked: 0,
            results: Vec::new(),
        }
    }

    /// The least number of pairs that can tell this many ideas from each other, with their interactions or without.
    pub fn least_pairs(ideas: u64, interactions: bool) -> u64 {
        match interactions {
            true => ideas.saturating_mul(ideas + 1),
            false => 2 * ideas,
        }
    }

    /// The ideas of both sides of a pair, by its number from 0. They do not depend on results.
    fn drawn(&self, pair: u64) -> [Vec<bool>; 2] {
        let mut generator = Pcg64::new(u128::from(self.seed), u128::from(pair));
        let mut draw = || {
            (0..self.ideas)
                .map(|_| generator.random_bool(0.5))
                .collect::<Vec<bool>>()
        };
        let first = draw();
        let second = match self.interactions {
            true => draw(),
            false => first.iter().map(|on| !on).collect(),
        };
        [first, second]
    }

    /// The points of both sides of a pair, by its number from 0; `None` when the trial has no such pair.
    pub fn probe(&self, pair: u64) -> Option<Probe> {
        (pair < self.pairs).then(|| points(&self.drawn(pair)))
    }

    /// Every two ideas.
    fn couples(&self) -> impl Iterator<Item = [usize; 2]> {
        let ideas = self.ideas;
        (0..ideas).flat_map(move |first| (first + 1..ideas).map(move |second| [first, second]))
    }

    /// The effects of the ideas, and after them those of [`Self::couples`] if the trial looks for interactions.
    fn fitted(&self) -> Option<Vec<EloEffect>> {
        let pairs: Vec<EffectPair> = ((0..).zip(&self.results))
            .map(|(pair, result)| {
                // Halves, so that an effect is an average over the other ideas on and off.
                let halves = |on: Vec<bool>| -> Vec<f64> { on.iter().map(|on| if *on { 0.5 } else { -0.5 }).collect() };
                let [first, second] = self.drawn(pair).map(halves);
                let alone = first.iter().zip(&second).map(|(first, second)| first - second);
                let together = self.couples().filter(|_| self.interactions);
                let together = together.map(|[a, b]| first[a] * first[b] - second[a] * second[b]);
                EffectPair {
                    signs: alone.chain(together).collect(),
                    outcome: result.outcome,
                    opening: result.opening,
                }
            })
            .collect();
        elo_effects(&pairs)
    }
}

impl Method for Trial {
    fn next(&mut self) -> Vec<Probe> {
        let first = self.results.len() as u64;
        self.asked = self.pairs.min(first + BATCH);
        (first..self.asked).map(|pair| points(&self.drawn(pair))).collect()
    }

    fn record(&mut self, results: &[PairResult]) {
        let asked = self.asked as usize - self.results.len();
        self.results.extend(results.iter().take(asked));
    }

    fn recommendation(&mut self) -> Vec<f64> {
        vec![0.0; self.ideas]
    }

    fn effects(&self) -> Option<Vec<EloEffect>> {
        let mut effects = self.fitted()?;
        effects.truncate(self.ideas);
        Some(effects)
    }

    fn interactions(&self) -> Vec<Interaction> {
        if !self.interactions {
            return Vec::new();
        }
        let effects = self.fitted().into_iter().flatten().skip(self.ideas);
        let couples = self.couples().zip(effects);
        couples.map(|(ideas, effect)| Interaction { ideas, effect }).collect()
    }
}

/// The points of both sides with these ideas.
fn points([first, second]: &[Vec<bool>; 2]) -> Probe {
    let side = |on: &[bool]| on.iter().map(|on| f64::from(u8::from(*on))).collect();
    Probe {
        first: side(first),
        second: side(second),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lmrlab_stats::PairOutcome;

    /// Plays a trial of ideas with these Elo, in which the first two ideas gain `together` beside each other.
    fn played(elo: &[f64], together: f64, pairs: u64, seed: u64, interactions: bool) -> Trial {
        let mut random = Pcg64::new(u128::from(seed), 1);
        let mut trial = Trial::new(elo.len(), pairs, seed, interactions);
        let probes = trial.next();
        let strength = |on: &[f64]| {
            let sum: f64 = on.iter().zip(elo).map(|(on, elo)| on * elo).sum();
            sum + on[0] * on[1] * together
        };
        let results = probes.iter().enumerate().map(|(opening, probe)| {
            let lead = strength(&probe.first) - strength(&probe.second);
            let chance = 1.0 / (1.0 + 10f64.powf(-lead / 400.0));
            let points: usize = [(); 2]
                .map(|()| 2 * usize::from(random.random_bool(chance)))
                .iter()
                .sum();
            PairResult {
                opening,
                ..PairOutcome::ALL[points].into()
            }
        });
        trial.record(&results.collect::<Vec<_>>());
        trial
    }

    /// With few pairs a large idea often loses every game.
    #[test]
    fn effects_are_right_and_their_errors_honest() {
        for (elo, pairs, runs, bias, honest) in [
            (&[500.0, 20.0, 0.0, -60.0][..], 1_000, 50, 8.0, 0.90..=0.99),
            (&[-500.0, 20.0, 0.0, 150.0, -60.0, 0.0], 50, 200, 60.0, 0.91..=1.0),
        ] {
            let (mut sums, mut covered) = (vec![0.0; elo.len()], 0);
            for seed in 0..runs {
                let effects = played(elo, 0.0, pairs, seed, false).effects().unwrap();
                for (place, effect) in effects.iter().enumerate() {
                    sums[place] += effect.elo / runs as f64;
                    covered += u32::from((effect.elo - elo[place]).abs() <= effect.error_95);
                }
            }
            let is_near = |(mean, elo): (&f64, &f64)| (mean - elo).abs() < bias;
            assert!(sums.iter().zip(elo).all(is_near), "{sums:?}");
            let share = f64::from(covered) / (runs * elo.len() as u64) as f64;
            assert!(honest.contains(&share), "{share} of the intervals");
        }
    }

    #[test]
    fn interactions_are_measured_when_asked_for() {
        let elo = [30.0, 0.0, 0.0];
        assert!(played(&elo, 100.0, 2000, 3, false).interactions().is_empty());
        let (mut together, mut alone) = ([0.0; 3], [0.0; 3]);
        for seed in 0..20 {
            let trial = played(&elo, 100.0, 2000, seed, true);
            let interactions = trial.interactions();
            assert_eq!(interactions[2].ideas, [1, 2]);
            for (place, effect) in trial.effects().unwrap().iter().enumerate() {
                together[place] += interactions[place].effect.elo / 20.0;
                alone[place] += effect.elo / 20.0;
            }
        }
        // The error of a mean of 20 is about 10 Elo for interactions and 5 for effects.
        let near = |means: [f64; 3], elo: [f64; 3], most: f64| (0..3).all(|i| (means[i] - elo[i]).abs() < most);
        assert!(near(together, [100.0, 0.0, 0.0], 25.0), "{together:?}");
        // An effect is the average over the other idea on and off.
        assert!(near(alone, [80.0, 50.0, 0.0], 13.0), "{alone:?}");
    }

    #[test]
    fn pairs_that_were_not_played_do_not_count() {
        let mut trial = played(&[20.0, -20.0], 0.0, 400, 7, false);
        let all = trial.effects();
        trial.pairs = 500;
        assert_eq!(trial.next().len(), 100);
        assert_eq!(trial.effects(), all);
        assert!(Trial::new(2, 3, 7, false).effects().is_none());
    }

    #[test]
    fn each_pair_draws_its_ideas_and_the_other_side_has_the_others() {
        let mut trial = Trial::new(2, 40, 3, false);
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
        // The first sides of a trial for interactions are the same; the second sides have their own ideas.
        let other = Trial::new(2, 40, 3, true).next();
        assert!(
            other
                .iter()
                .zip(&probes)
                .all(|(other, probe)| other.first == probe.first)
        );
        assert!(other.iter().any(|probe| probe.first == probe.second));
    }
}
