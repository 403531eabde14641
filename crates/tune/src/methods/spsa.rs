//! Simultaneous perturbation stochastic approximation, as fishtest runs it.
//!
//! Each pair perturbs all parameters at once, each up or down at random. This setting and its mirror image play a pair of
//! games, and the parameters move towards the winner. Source of the method: James C. Spall, 1992; of the sequences of gains
//! and of their constants: Joona Kiiski and fishtest, 2012.

use crate::methods::random::Random;
use crate::methods::{Method, PairResult, Probe};
use crate::subject::parameter::Parameter;

/// The least perturbation of an integer, as in OpenBench. With a smaller one both sides often play the same value.
pub const LEAST_INTEGER_STEP: f64 = 0.5;
/// The range of learning rates that are used in practice; [`usual_r_end`] stays inside it.
pub const R_END_RANGE: (f64, f64) = (0.002, 0.02);

/// Pairs that are played from the same values before the values move. An iteration with more pairs is a batch of its
/// own.
const BATCH: u64 = 8;

/// The numbers of the sequences, under the names that fishtest and OpenBench give them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpsaSettings {
    /// Exponent of the learning rate.
    pub alpha: f64,
    /// Exponent of the perturbation.
    pub gamma: f64,
    /// A as a share of all iterations. For about this time the learning rate is nearly constant.
    pub a_ratio: f64,
    /// Pairs of an iteration. They have the same perturbation.
    pub pairs_per: u64,
}

impl Default for SpsaSettings {
    fn default() -> Self {
        Self {
            alpha: 0.602,
            gamma: 0.101,
            a_ratio: 0.1,
            pairs_per: 1,
        }
    }
}

/// The sequences of gains.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Schedule {
    /// Iterations in the whole run.
    pub iterations: f64,
    /// A: the constant added to the number of the iteration.
    pub stability: f64,
    settings: SpsaSettings,
}

impl Schedule {
    /// For a run of this many pairs.
    pub fn new(pairs: u64, settings: SpsaSettings) -> Self {
        let iterations = pairs as f64 / settings.pairs_per as f64;
        Self {
            iterations,
            stability: settings.a_ratio * iterations,
            settings,
        }
    }

    /// The perturbation and the learning rate of a parameter after `played` pairs. At the end they are its step and `r_end`.
    pub fn at(&self, parameter: &Parameter, r_end: f64, played: u64) -> (f64, f64) {
        let SpsaSettings { alpha, gamma, .. } = self.settings;
        let next = played as f64 / self.settings.pairs_per as f64 + 1.0;
        let least = if parameter.integer { LEAST_INTEGER_STEP } else { 0.0 };
        let c_first = parameter.step * libm::pow(self.iterations, gamma);
        let c = (c_first / libm::pow(next, gamma)).max(least);
        let a_first = r_end * parameter.step * parameter.step * libm::pow(self.stability + self.iterations, alpha);
        let a = a_first / libm::pow(self.stability + next, alpha);
        (c, a / (c * c))
    }
}

/// The usual learning rate for a run of this many pairs: 0.002 for 50,000 pairs, more for shorter runs, up to 0.02.
pub fn usual_r_end(pairs: u64) -> f64 {
    (0.002 * 50_000.0 / pairs.max(1) as f64).clamp(R_END_RANGE.0, R_END_RANGE.1)
}

/// A run of SPSA.
#[derive(Debug, Clone)]
pub struct Spsa {
    parameters: Vec<Parameter>,
    /// The learning rate of each parameter at the end.
    r_ends: Vec<f64>,
    schedule: Schedule,
    values: Vec<f64>,
    played: u64,
    random: Random,
    /// The directions of the iterations that are being played.
    flips: Vec<Vec<f64>>,
}

impl Spsa {
    /// A run of this many pairs. Parameters without an `r_end` get [`usual_r_end`].
    pub fn new(parameters: Vec<Parameter>, pairs: u64, settings: SpsaSettings, seed: u64) -> Self {
        let r_end = |parameter: &Parameter| parameter.r_end.unwrap_or_else(|| usual_r_end(pairs));
        Self {
            values: parameters.iter().map(|parameter| parameter.start).collect(),
            r_ends: parameters.iter().map(r_end).collect(),
            parameters,
            schedule: Schedule::new(pairs.max(1), settings),
            played: 0,
            random: Random::new(seed, 0x5053),
            flips: Vec::new(),
        }
    }

    /// Moves the parameters after `pairs` pairs with the same `flips`, one for each parameter. `balance` is wins minus
    /// losses of the setting that moves in the direction of the flips. The gains are those after `played_before` pairs.
    fn update(&mut self, flips: &[f64], balance: f64, pairs: u64, played_before: u64) {
        for (index, parameter) in self.parameters.iter().enumerate() {
            let (c, r) = self.schedule.at(parameter, self.r_ends[index], played_before);
            self.values[index] = parameter.clip(self.values[index] + r * c * balance * flips[index]);
        }
        self.played += pairs;
    }
}

impl Method for Spsa {
    fn next(&mut self) -> Vec<Probe> {
        self.flips.clear();
        let pairs_per = self.schedule.settings.pairs_per;
        (0..(BATCH / pairs_per).max(1))
            .flat_map(|iteration| {
                let played = self.played + iteration * pairs_per;
                let count = self.parameters.len();
                let mut flips = Vec::with_capacity(count);
                let mut probe = Probe {
                    first: Vec::with_capacity(count),
                    second: Vec::with_capacity(count),
                };
                for (index, parameter) in self.parameters.iter().enumerate() {
                    let flip = self.random.sign();
                    let aside = self.schedule.at(parameter, self.r_ends[index], played).0 * flip;
                    let value = self.values[index];
                    probe.first.push(parameter.playable(value + aside, &mut self.random));
                    probe.second.push(parameter.playable(value - aside, &mut self.random));
                    flips.push(flip);
                }
                self.flips.push(flips);
                std::iter::repeat_n(probe, usize::try_from(pairs_per).unwrap_or(usize::MAX))
            })
            .collect()
    }

    fn record(&mut self, results: &[PairResult]) {
        let flips = std::mem::take(&mut self.flips);
        let pairs_per = usize::try_from(self.schedule.settings.pairs_per).unwrap_or(usize::MAX);
        for (flips, results) in flips.iter().zip(results.chunks(pairs_per)) {
            let balance = (results.iter()).map(|result| f64::from(result.outcome.half_points()) - 2.0);
            self.update(flips, balance.sum(), results.len() as u64, self.played);
        }
    }

    fn recommendation(&mut self) -> Vec<f64> {
        self.values.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lmrlab_stats::PairOutcome;

    fn parameters() -> Vec<Parameter> {
        [("x", 10.0, 10.05, 4.0, 0.01), ("y", 0.5, 1.0, 0.25, 0.004)]
            .map(|(name, start, max, step, r_end)| Parameter {
                name: name.to_owned(),
                start,
                max,
                step,
                r_end: Some(r_end),
                ..Parameter::example()
            })
            .to_vec()
    }

    #[track_caller]
    fn assert_close(ours: f64, expected: f64) {
        assert!((ours / expected - 1.0).abs() < 1e-13, "{ours} is not {expected}");
    }

    /// Computed from OpenBench's formulas with Python's floating point: 20,000 pairs, A 0.2, alpha 0.7, gamma 0.15, 4
    /// pairs an iteration. The perturbation of an integer stays at 0.5, and its learning rate follows from that.
    #[test]
    fn gains_are_those_of_open_bench() {
        let settings = SpsaSettings {
            alpha: 0.7,
            gamma: 0.15,
            a_ratio: 0.2,
            pairs_per: 4,
        };
        let schedule = Schedule::new(20_000, settings);
        assert_eq!((schedule.iterations, schedule.stability), (5_000.0, 1_000.0));
        for (played, float, integer) in [
            (
                0,
                (0.8969856790750702, 0.0010883560882934999),
                (0.8969856790750702, 0.0010883560882934999),
            ),
            (
                100,
                (0.5502239712951977, 0.002842913966914059),
                (0.5502239712951977, 0.002842913966914059),
            ),
            (
                6000,
                (0.29945281877180857, 0.005144101020831728),
                (0.5, 0.0018451271149900934),
            ),
            (19996, (0.25, 0.004), (0.5, 0.001)),
        ] {
            for (is_integer, (c, r)) in [(false, float), (true, integer)] {
                let parameter = Parameter {
                    integer: is_integer,
                    step: 0.25,
                    ..Parameter::example()
                };
                let ours = schedule.at(&parameter, 0.004, played);
                assert_close(ours.0, c);
                assert_close(ours.1, r);
            }
        }
    }

    #[test]
    fn an_iteration_is_one_perturbation() {
        let settings = SpsaSettings {
            pairs_per: 3,
            ..SpsaSettings::default()
        };
        let mut spsa = Spsa::new(parameters(), 600, settings, 3);
        let probes = spsa.next();
        assert_eq!(probes.len(), 6, "two iterations of at most eight pairs");
        assert!(probes[..3].iter().all(|probe| *probe == probes[0]));
        assert!(probes[3..].iter().all(|probe| *probe == probes[3]));
        let mut alike = spsa.clone();
        spsa.record(&[PairOutcome::WinWin, PairOutcome::Even, PairOutcome::Even].map(Into::into));
        alike.record(&[PairOutcome::WinDraw, PairOutcome::WinDraw, PairOutcome::Even].map(Into::into));
        assert_eq!(spsa.values, alike.values, "only their sum counts");
        assert_eq!(spsa.played, 3);
        let long = SpsaSettings {
            pairs_per: 20,
            ..settings
        };
        assert_eq!(Spsa::new(parameters(), 600, long, 3).next().len(), 20);
    }

    /// Computed in the same way; the first step ends at a bound.
    #[test]
    fn values_follow_the_winner() {
        let mut spsa = Spsa::new(parameters(), 5000, SpsaSettings::default(), 0);
        for (played, (flips, balance, values)) in [
            ([1.0, -1.0], 2.0, [10.05, 0.4964204366458886]),
            ([-1.0, -1.0], 1.0, [9.97330929117705, 0.4945031689253148]),
            ([1.0, 1.0], -2.0, [9.813707531488715, 0.49051312493310645]),
            ([-1.0, 1.0], 2.0, [9.649596705321082, 0.4946158955872973]),
        ]
        .into_iter()
        .enumerate()
        {
            spsa.update(&flips, balance, 1, played as u64);
            assert_close(spsa.values[0], values[0]);
            assert_close(spsa.values[1], values[1]);
        }
    }

    #[test]
    fn learning_rates_suit_the_budget() {
        assert_eq!(usual_r_end(1_000_000), 0.002);
        assert_eq!(usual_r_end(10), 0.02);
        assert_close(usual_r_end(10_000), 0.01);
    }

    #[test]
    fn points_are_within_bounds_and_missing_outcomes_do_not_count() {
        let mut spsa = Spsa::new(parameters(), 5000, SpsaSettings::default(), 3);
        let probes = spsa.next();
        let is_within = |probe: &Probe| probe.first[0] <= 10.05 && probe.second[1] >= 0.0;
        assert!(probes.len() as u64 == BATCH && probes.iter().all(is_within));
        spsa.record(&[PairOutcome::WinWin.into()]);
        assert_eq!(spsa.played, 1);
    }
}
