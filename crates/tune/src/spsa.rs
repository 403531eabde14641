//! Simultaneous perturbation stochastic approximation, as fishtest runs it.
//!
//! Each pair perturbs all parameters at once, each up or down at random. This setting and its mirror image play a pair of
//! games, and the parameters move towards the winner. Source of the method: James C. Spall, 1992; of the sequences of gains
//! and of their constants: Joona Kiiski and fishtest, 2012.

use super::method::{Method, Probe};
use super::parameter::Parameter;
use super::random::Random;
use lmrlab_stats::PairOutcome;

/// Exponent of the learning rate.
pub const ALPHA: f64 = 0.602;
/// Exponent of the perturbation.
pub const GAMMA: f64 = 0.101;
/// Share of all pairs for which the learning rate stays nearly constant.
pub const A_RATIO: f64 = 0.1;
/// The learning rates that are used in practice; [`usual_r_end`] stays between them.
pub const R_END_RANGE: (f64, f64) = (0.002, 0.02);

/// Pairs that are played from the same values before the values move.
const BATCH: usize = 8;

/// The gains of one parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gains {
    /// The gain of the first pair, scaled so that the learning rate ends at `r_end`.
    pub a: f64,
    /// The perturbation of the first pair.
    pub c: f64,
}

/// The sequences of gains.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Schedule {
    /// Pairs in the whole run.
    pub pairs: f64,
    /// The constant added to the number of the pair.
    pub stability: f64,
}

impl Schedule {
    /// For a run of this many pairs.
    pub fn new(pairs: u64) -> Self {
        let pairs = pairs as f64;
        Self {
            pairs,
            stability: A_RATIO * pairs,
        }
    }

    /// The gains that end at `c_end` and `r_end`.
    pub fn gains(&self, c_end: f64, r_end: f64) -> Gains {
        let a_end = r_end * c_end * c_end;
        Gains {
            a: a_end * libm::pow(self.stability + self.pairs, ALPHA),
            c: c_end * libm::pow(self.pairs, GAMMA),
        }
    }

    /// The perturbation and the learning rate after `played` pairs.
    pub fn at(&self, gains: Gains, played: u64) -> (f64, f64) {
        let (perturbation, rate) = self.factors(played);
        let c = gains.c * perturbation;
        (c, gains.a * rate / (c * c))
    }

    fn factors(&self, played: u64) -> (f64, f64) {
        let next = played as f64 + 1.0;
        (
            1.0 / libm::pow(next, GAMMA),
            1.0 / libm::pow(self.stability + next, ALPHA),
        )
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
    gains: Vec<Gains>,
    schedule: Schedule,
    values: Vec<f64>,
    played: u64,
    random: Random,
    /// The directions of the pairs in play.
    flips: Vec<Vec<f64>>,
}

impl Spsa {
    /// A run of this many pairs. Parameters without an `r_end` get [`usual_r_end`].
    pub fn new(parameters: Vec<Parameter>, pairs: u64, seed: u64) -> Self {
        let schedule = Schedule::new(pairs.max(1));
        let gains = parameters
            .iter()
            .map(|parameter| {
                let r_end = parameter.r_end.unwrap_or_else(|| usual_r_end(pairs));
                schedule.gains(parameter.step, r_end)
            })
            .collect();
        Self {
            values: parameters.iter().map(|parameter| parameter.start).collect(),
            gains,
            parameters,
            schedule,
            played: 0,
            random: Random::new(seed, 0x5053),
            flips: Vec::new(),
        }
    }

    /// The values now.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Moves the parameters after `pairs` pairs with the same `flips`, one for each parameter. `balance` is the number of
    /// wins minus losses of the setting on the side of the flips. The gains are those after `played_before` pairs.
    pub fn update(&mut self, flips: &[f64], balance: f64, pairs: u64, played_before: u64) {
        let (perturbation, rate) = self.schedule.factors(played_before);
        for (index, parameter) in self.parameters.iter().enumerate() {
            let c = self.gains[index].c * perturbation;
            let r = self.gains[index].a * rate / (c * c);
            self.values[index] = parameter.clip(self.values[index] + r * c * balance * flips[index]);
        }
        self.played += pairs;
    }
}

impl Method for Spsa {
    fn next(&mut self) -> Vec<Probe> {
        self.flips.clear();
        (0..BATCH as u64)
            .map(|ahead| {
                let (perturbation, _) = self.schedule.factors(self.played + ahead);
                let count = self.parameters.len();
                let mut flips = Vec::with_capacity(count);
                let mut probe = Probe {
                    first: Vec::with_capacity(count),
                    second: Vec::with_capacity(count),
                };
                for (index, parameter) in self.parameters.iter().enumerate() {
                    let flip = self.random.sign();
                    let aside = self.gains[index].c * perturbation * flip;
                    let value = self.values[index];
                    probe.first.push(parameter.playable(value + aside, &mut self.random));
                    probe.second.push(parameter.playable(value - aside, &mut self.random));
                    flips.push(flip);
                }
                self.flips.push(flips);
                probe
            })
            .collect()
    }

    fn record(&mut self, outcomes: &[PairOutcome]) {
        let flips = std::mem::take(&mut self.flips);
        for (flips, outcome) in flips.iter().zip(outcomes) {
            let balance = f64::from(outcome.half_points()) - 2.0;
            self.update(flips, balance, 1, self.played);
        }
    }

    fn recommendation(&mut self) -> Vec<f64> {
        self.values.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters() -> Vec<Parameter> {
        [("x", 10.0, 10.05, 4.0, 0.01), ("y", 0.5, 1.0, 0.25, 0.004)]
            .map(|(name, start, max, step, r_end)| Parameter {
                name: name.to_owned(),
                integer: false,
                start,
                min: 0.0,
                max,
                step,
                r_end: Some(r_end),
            })
            .to_vec()
    }

    #[track_caller]
    fn assert_close(ours: f64, expected: f64) {
        assert!((ours / expected - 1.0).abs() < 1e-13, "{ours} is not {expected}");
    }

    /// Computed from the published formulas with Python's floating point.
    #[test]
    fn gains_are_those_of_the_formulas() {
        let schedule = Schedule::new(5000);
        assert_eq!(schedule.stability, 500.0);
        for (c_end, r_end, a, c, at) in [
            (
                4.0,
                0.01,
                28.563953784616658,
                9.454878705821454,
                [
                    (9.454878705821454, 0.007571886357267528),
                    (5.938215602757209, 0.017221038809452173),
                    (4.0, 0.01),
                ],
            ),
            (
                0.25,
                0.004,
                0.044631177788463525,
                0.5909299191138409,
                [
                    (0.5909299191138409, 0.0030287545429070113),
                    (0.37113847517232557, 0.006888415523780869),
                    (0.25, 0.004),
                ],
            ),
        ] {
            let gains = schedule.gains(c_end, r_end);
            assert_close(gains.a, a);
            assert_close(gains.c, c);
            for (played, (c, r)) in [0, 99, 4999].into_iter().zip(at) {
                assert_close(schedule.at(gains, played).0, c);
                assert_close(schedule.at(gains, played).1, r);
            }
        }
    }

    /// Computed in the same way; the first step ends at a bound.
    #[test]
    fn values_follow_the_winner() {
        let mut spsa = Spsa::new(parameters(), 5000, 0);
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
            assert_close(spsa.values()[0], values[0]);
            assert_close(spsa.values()[1], values[1]);
        }
    }

    #[test]
    fn learning_rates_suit_the_budget() {
        assert_eq!(usual_r_end(1_000_000), 0.002);
        assert_eq!(usual_r_end(10), 0.02);
        assert_close(usual_r_end(10_000), 0.01);
    }

    #[test]
    fn outcomes_that_are_missing_do_not_count() {
        let mut spsa = Spsa::new(parameters(), 5000, 3);
        let probes = spsa.next();
        assert_eq!(probes.len(), BATCH);
        assert!(
            probes
                .iter()
                .all(|probe| probe.first[0] <= 10.05 && probe.second[1] >= 0.0)
        );
        spsa.record(&[PairOutcome::WinWin, PairOutcome::Even]);
        assert_eq!(spsa.played, 2);
        let flip = if probes[0].first[1] > 0.5 { 1.0 } else { -1.0 };
        assert!((spsa.values()[1] - 0.5) * flip > 0.0);
    }
}
