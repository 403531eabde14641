//! How much longer a running SPRT is expected to take.

use super::brownian::Brownian;
use super::moments::{Moments, Outcomes};
use super::sprt::Sprt;

/// Before the first outcome, the strength is taken to lie around the middle of the hypotheses. Its standard deviation is their
/// distance, times this.
const PRIOR_DEVIATION: f64 = 1.0;
/// The variance of a game's score before the first outcome: that of equal engines that draw every other game.
const PRIOR_VARIANCE: f64 = 0.125;
/// The weight of the guess above, in outcomes.
const PRIOR_OUTCOMES: f64 = 10.0;
/// Points and weights of the Gauss-Hermite quadrature for a mean over the standard normal distribution.
/// Source: Milton Abramowitz and Irene Stegun, *Handbook of Mathematical Functions*, 1964, table 25.10.
const NORMAL_POINTS: [(f64, f64); 5] = [
    (-2.856_970_013_872_806, 0.011_257_411_327_720_7),
    (-1.355_626_179_974_266, 0.222_075_922_005_612_6),
    (0.0, 0.533_333_333_333_333_3),
    (1.355_626_179_974_266, 0.222_075_922_005_612_6),
    (2.856_970_013_872_806, 0.011_257_411_327_720_7),
];

impl Sprt {
    /// How many more outcomes (games or pairs) the test is expected to need after these results; 0 when they decide it.
    ///
    /// The log-likelihood ratio is modelled as a Brownian motion, of which the expected time to the nearer bound is known for
    /// each drift. The drift is estimated from the results, with a prior around the middle of the hypotheses for the time of
    /// few results; the expectation is a mean over what is still possible. It is for planning: the test itself never asks.
    ///
    /// Source: Abraham Wald, *Sequential Analysis*, 1947, chapter 3; David Siegmund, *Sequential Analysis*, 1985, chapter 3.
    pub fn expected_left<const N: usize, R: Outcomes<N>>(&self, results: &R) -> u64 {
        let llr = self.llr(results);
        let (lower, upper) = self.bounds();
        if !(lower < llr && llr < upper) {
            return 0;
        }
        let games = f64::from(R::GAMES);
        let (outcomes, seen) = Moments::of(results).map_or((0.0, 0.0), |seen| (seen.outcomes, seen.variance));
        // Of an outcome's score. A few equal outcomes in the beginning do not mean that there is no variance.
        let variance = (outcomes * seen + PRIOR_OUTCOMES * PRIOR_VARIANCE / games) / (outcomes + PRIOR_OUTCOMES);
        let [score0, score1] = self.scores((variance * games).sqrt());
        // The variance that an outcome adds to the ratio. In units of it the drift is -1/2 under H0 and 1/2 under H1.
        let information = (score1 - score0) * (score1 - score0) / variance;
        let certainty = outcomes * information + 1.0 / (PRIOR_DEVIATION * PRIOR_DEVIATION);
        let time: f64 = NORMAL_POINTS
            .into_iter()
            .map(|(point, weight)| {
                let drift = llr / certainty + point / certainty.sqrt();
                weight * Brownian::new(lower - llr, upper - llr, drift).expected_time()
            })
            .sum();
        ((time / information).ceil() as u64).max(1)
    }
}

#[cfg(test)]
mod tests {
    use rand_pcg::Pcg64Mcg;
    use rand_pcg::rand_core::{Rng, SeedableRng};

    use super::*;
    use crate::{EloModel, NormalizedElo, PairOutcome, Pentanomial, Trinomial, Verdict};

    fn sprt(elo0: f64, elo1: f64) -> Sprt {
        Sprt::new(EloModel::Normalized, elo0, elo1, 0.05, 0.05).expect("a test")
    }

    #[test]
    fn before_the_first_game() {
        // Without drift a test of 0 against 5 takes 30,000 pairs or so (t-values of 0.02 apart); most take less.
        let pairs = sprt(0.0, 5.0).expected_left(&Pentanomial::default());
        assert!((10_000..30_000).contains(&pairs), "{pairs}");
        let games = sprt(0.0, 5.0).expected_left(&Trinomial::default());
        assert!(games.abs_diff(2 * pairs) < 10, "{games} {pairs}");
        // Four times as many where the hypotheses are half as far apart.
        let closer = sprt(0.0, 2.5).expected_left(&Pentanomial::default());
        assert!(closer.abs_diff(4 * pairs) < 10, "{closer} {pairs}");
    }

    #[test]
    fn less_is_left_near_a_bound() {
        let test = sprt(0.0, 5.0);
        let left = |counts| test.expected_left(&Pentanomial::new(counts));
        let even = left([100, 1000, 3000, 1000, 100]);
        let better = left([90, 960, 3000, 1040, 110]);
        assert!(better < even / 2, "{better} {even}");
        assert!(better > 0);
        assert_eq!(left([50, 700, 3000, 1300, 150]), 0);
        assert_eq!(left([150, 1300, 3000, 700, 50]), 0);
    }

    #[test]
    fn equal_outcomes_do_not_mean_that_there_is_no_variance() {
        let test = sprt(0.0, 5.0);
        let few = test.expected_left(&Pentanomial::new([0, 0, 3, 0, 0]));
        assert!(few > 8_000, "{few}");
    }

    /// A share of all values of a random number generator, below 1.
    fn uniform(random: &mut Pcg64Mcg) -> f64 {
        (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn normal(random: &mut Pcg64Mcg) -> f64 {
        (0..12).map(|_| uniform(random)).sum::<f64>() - 6.0
    }

    /// The mean of what `runs` tests still needed after some pairs, and of what was expected of them. The strength is drawn from
    /// the prior distribution, and tests that had ended by then do not count.
    fn needed_and_expected(test: Sprt, after: u64, runs: u64) -> (f64, f64) {
        let mut random = Pcg64Mcg::seed_from_u64(after);
        let (mut needed, mut expected, mut counted) = (0, 0, 0.0);
        for _ in 0..runs {
            let middle = f64::midpoint(test.elo0(), test.elo1());
            let elo = middle + PRIOR_DEVIATION * (test.elo1() - test.elo0()) * normal(&mut random);
            // Shares of the outcomes [1, 4, 6, 4, 1] / 16, shifted towards winning or losing.
            let shift = NormalizedElo(elo).t_value(2);
            let weights = [1.0, 4.0, 6.0, 4.0, 1.0];
            let tilted: [f64; 5] = std::array::from_fn(|at| weights[at] * (shift * (at as f64 - 2.0)).exp());
            let total: f64 = tilted.iter().sum();
            let mut pairs = Pentanomial::default();
            let mut guess = 0;
            while test.status(&pairs) == Verdict::Continue {
                if pairs.pairs() == after {
                    guess = test.expected_left(&pairs);
                }
                let mut point = uniform(&mut random) * total;
                let outcome = (0..4_u8).find(|&at| {
                    point -= tilted[usize::from(at)];
                    point < 0.0
                });
                pairs.record(PairOutcome::from_half_points(outcome.unwrap_or(4)).expect("0 to 4"));
            }
            if guess > 0 {
                needed += pairs.pairs() - after;
                expected += guess;
                counted += 1.0;
            }
        }
        (needed as f64 / counted, expected as f64 / counted)
    }

    #[test]
    fn what_is_expected_is_needed() {
        for after in [0, 50, 150] {
            let (needed, expected) = needed_and_expected(sprt(0.0, 60.0), after, 80);
            let ratio = expected / needed;
            assert!((0.7..1.4).contains(&ratio), "after {after}: {needed} {expected}");
        }
    }

    #[test]
    #[ignore = "takes half a minute with optimisation"]
    fn simulation_of_expected_left() {
        for after in [0, 20, 100, 400, 1000] {
            let (needed, expected) = needed_and_expected(sprt(0.0, 25.0), after, 1000);
            let ratio = expected / needed;
            println!("after {after} pairs: needed {needed:.1}, expected {expected:.1}");
            assert!((0.85..1.2).contains(&ratio), "after {after}: {needed} {expected}");
        }
    }
}
