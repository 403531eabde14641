//! The strength after a sequential test, corrected for the early stop.

use super::brownian::Brownian;
use super::counts::Counts;
use super::counts::Pentanomial;
use super::elo::Elo;
use super::few::{self, ENOUGH};
use super::moments::Moments;
use super::normal::DEVIATIONS_95;
use super::regularized::regularized_moments;
use super::root_finding::{Sample, root};
use super::sprt::Sprt;

/// Estimates beyond this, in either direction, are infinite; in logistic Elo.
const FURTHEST: f64 = 1000.0;
/// Accuracy of an estimate, relative.
const TOLERANCE: f64 = 1e-12;

/// Strength after a sequential test, in logistic Elo whatever the scale of the test.
///
/// A test that passes tends to have been lucky, a test that fails unlucky. So the estimate from the counts alone is
/// biased, and its interval is too narrow. Here the outcomes of a test have an order: failing at once, failing late,
/// passing late, passing at once. The estimate is the strength at which a worse outcome than the present one has
/// probability 1/2: it is too high as often as too low. The log-likelihood ratio is modelled as a Brownian motion. While
/// a test runs, the estimate is valid for a single look at the counts.
///
/// Source: David Siegmund, *Sequential Analysis*, 1985, section 3.5 and chapter 4; fishtest shows these figures. Beyond
/// 1000 Elo the value is `±∞`, where fishtest shows ±1000.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct SequentialEstimate {
    /// Median-unbiased estimate.
    pub elo: Elo,
    /// Lower end of the 95% confidence interval.
    pub low: Elo,
    /// Upper end of the 95% confidence interval.
    pub high: Elo,
    /// Likelihood of superiority, 0 to 1: the probability of a worse outcome between equal engines.
    pub los: f64,
}

/// The log-likelihood ratio of a test as a motion, outcome by outcome, in the normal approximation.
struct Motion {
    /// Mean scores under both hypotheses.
    scores: [f64; 2],
    /// Variance of an outcome's score.
    variance: f64,
    /// The bounds of the test.
    bounds: (f64, f64),
    /// Number of outcomes.
    time: f64,
    /// Log-likelihood ratio.
    llr: f64,
}

impl Motion {
    fn of(sprt: &Sprt, moments: Moments, games: u32) -> Self {
        let Moments {
            outcomes,
            score,
            variance,
        } = moments;
        let game_deviation = (variance * f64::from(games)).sqrt();
        let scores = sprt.scores(game_deviation);
        let bounds = sprt.bounds();
        let mut motion = Self {
            scores,
            variance,
            bounds,
            time: outcomes,
            llr: 0.0,
        };
        let slope = motion.drift(score);
        let llr = slope * outcomes;
        // Beyond a bound, take the time at which it crossed the bound.
        motion.llr = llr.clamp(bounds.0, bounds.1);
        if motion.llr != llr {
            motion.time = motion.llr / slope;
        }
        motion
    }

    /// Mean change of the log-likelihood ratio with one outcome.
    fn drift(&self, score: f64) -> f64 {
        let [score0, score1] = self.scores;
        (score1 - score0) * (score - f64::midpoint(score0, score1)) / self.variance
    }

    /// Probability, at this strength, of an outcome no better than the present one.
    fn worse_outcome(&self, elo: f64) -> f64 {
        let [score0, score1] = self.scores;
        let spread = (score1 - score0) * (score1 - score0) / self.variance;
        let drift = self.drift(Elo(elo).expected_score());
        Brownian::new(self.bounds.0, self.bounds.1, drift / spread).worse_outcome(spread * self.time, self.llr)
    }

    /// The strength at which an outcome no better than the present one has this probability.
    fn strength(&self, probability: f64) -> Elo {
        let sample = |elo: f64| Sample {
            at: elo,
            value: self.worse_outcome(elo) - probability,
        };
        let (low, high) = (sample(-FURTHEST), sample(FURTHEST));
        if low.value <= 0.0 {
            return Elo(f64::NEG_INFINITY);
        }
        if high.value >= 0.0 {
            return Elo(f64::INFINITY);
        }
        Elo(root(low, high, TOLERANCE, |elo| sample(elo).value))
    }

    fn estimate(&self) -> SequentialEstimate {
        SequentialEstimate {
            elo: self.strength(0.5),
            low: self.strength(0.975),
            high: self.strength(0.025),
            los: self.worse_outcome(0.0),
        }
    }
}

/// The published summary of a result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResultSummary {
    /// The estimate from the counts alone.
    pub elo: Elo,
    /// Half the width of its 95% interval; positive.
    pub elo_error_95: Elo,
    /// Games that were played; positive.
    pub games: u64,
}

impl ResultSummary {
    /// Mean and variance of pairs with this estimate and this error. Estimates depend on the error of the mean alone,
    /// so single games with the same error give the same estimates. `None` when the error or the games are not
    /// positive, or a number is infinite or NaN.
    fn moments(&self) -> Option<Moments> {
        let Self { elo, elo_error_95, .. } = *self;
        let [low, score, high] =
            [elo.0 - elo_error_95.0, elo.0, elo.0 + elo_error_95.0].map(|elo| Elo(elo).expected_score());
        let error = (high - low) / (2.0 * DEVIATIONS_95);
        let pairs = self.games as f64 / f64::from(Pentanomial::GAMES);
        let variance = error * error * pairs;
        let is_known = error > 0.0 && pairs > 0.0 && variance.is_finite() && score > 0.0 && score < 1.0;
        is_known.then_some(Moments {
            outcomes: pairs,
            score,
            variance,
        })
    }
}

impl Sprt {
    /// The strength after a result, from its summary, corrected for the early stop as in [`Self::estimate`]. `None`
    /// when the error or the games are not positive.
    pub fn estimate_of_summary(&self, result: &ResultSummary) -> Option<SequentialEstimate> {
        Some(Motion::of(self, result.moments()?, Pentanomial::GAMES).estimate())
    }

    /// The log-likelihood ratio of a result, from its summary, in the normal approximation. `None` when the error or
    /// the games are not positive.
    pub fn llr_of_summary(&self, result: &ResultSummary) -> Option<f64> {
        let moments = result.moments()?;
        let motion = Motion::of(self, moments, Pentanomial::GAMES);
        Some(motion.drift(moments.score) * moments.outcomes)
    }

    /// The strength after these results, corrected for the early stop.
    ///
    /// An outcome that has not occurred counts as 1/1000 of one. The variance of few outcomes has a prior, as in
    /// [`Estimate`](super::Estimate). `None` before the first outcome.
    pub fn estimate<const N: usize>(&self, results: &Counts<N>) -> Option<SequentialEstimate> {
        let sample = Moments::of(results.counts())?;
        let mut moments = regularized_moments(results);
        if sample.variance == 0.0 || sample.outcomes < ENOUGH as f64 {
            moments.variance = few::variance::<N>(sample);
        }
        Some(Motion::of(self, moments, Counts::<N>::GAMES).estimate())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EloModel, Estimate, Pentanomial, Trinomial};
    use proptest::prelude::*;

    fn sprt() -> Sprt {
        Sprt::new(EloModel::Normalized, 0.0, 5.0, 0.05, 0.05).expect("valid")
    }

    #[test]
    fn a_pass_is_less_than_it_looks_and_a_failure_more() {
        let passed = Pentanomial::new([400, 3600, 8000, 4000, 460]);
        assert!(sprt().llr(&passed) > 2.9);
        for (results, sign) in [(passed, 1.0), (passed.reversed(), -1.0)] {
            let naive = Estimate::of(&results).expect("played").elo.0;
            let mirrored = Sprt::new(EloModel::Normalized, -5.0, 0.0, 0.05, 0.05).expect("valid");
            let test = if sign > 0.0 { sprt() } else { mirrored };
            let fair = test.estimate(&results).expect("played");
            assert!(sign * fair.elo.0 < sign * naive, "{fair:?} {naive}");
            assert!(fair.low < fair.elo && fair.elo < fair.high);
        }
    }

    /// A summary of many games gives what the counts give.
    #[test]
    fn a_summary_gives_what_its_counts_give() {
        let pairs = Pentanomial::new([400, 3600, 8000, 4000, 460]);
        let plain = Estimate::of(&pairs).expect("played");
        let summary = ResultSummary {
            elo: plain.elo,
            elo_error_95: plain.elo_error_95.expect("spread"),
            games: pairs.games(),
        };
        for model in [EloModel::Logistic, EloModel::Normalized] {
            let sprt = Sprt::new(model, 0.0, 5.0, 0.05, 0.05).expect("valid");
            let counted = sprt.estimate(&pairs).expect("played");
            let known = sprt.estimate_of_summary(&summary).expect("known");
            let is_near = |one: Elo, other: Elo, most: f64| (one.0 - other.0).abs() < most;
            assert!(is_near(counted.elo, known.elo, 1e-3), "{counted:?} {known:?}");
            assert!(is_near(counted.low, known.low, 1e-2), "{counted:?} {known:?}");
            let llr = sprt.llr_of_summary(&summary).expect("known");
            assert!((llr / sprt.llr(&pairs) - 1.0).abs() < 0.01, "{llr}");
        }
        let games = ResultSummary { games: 0, ..summary };
        let error = [0.0, -1.0].map(|error| ResultSummary {
            elo_error_95: Elo(error),
            ..summary
        });
        for unknown in [games, error[0], error[1]] {
            assert_eq!(sprt().estimate_of_summary(&unknown), None);
            assert_eq!(sprt().llr_of_summary(&unknown), None);
        }
    }

    proptest! {
        #[test]
        fn never_nan_and_in_order(counts in proptest::array::uniform5(prop_oneof![
            Just(0_u64), 0_u64..10, 0_u64..100_000, Just(1_000_000_000)
        ]), elo0 in -20.0..20.0, width in 0.5..20.0, logistic: bool) {
            let model = if logistic { EloModel::Logistic } else { EloModel::Normalized };
            let sprt = Sprt::new(model, elo0, elo0 + width, 0.05, 0.1).expect("valid");
            let [losses, draws, wins, ..] = counts;
            let pairs = sprt.estimate(&Pentanomial::new(counts));
            let games = sprt.estimate(&Trinomial::new([losses, draws, wins]));
            for estimate in [pairs, games].into_iter().flatten() {
                prop_assert!((0.0..=1.0).contains(&estimate.los));
                prop_assert!(estimate.low <= estimate.elo && estimate.elo <= estimate.high, "{estimate:?}");
            }
        }
    }
}
