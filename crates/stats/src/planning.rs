//! What to expect of a match before it is played.

use super::brownian::Brownian;
use super::counts::Counts;
use super::elo::{ELO_PER_UNIT, Elo, NormalizedElo};
use super::moments::Moments;
use super::normal::DEVIATIONS_95;
use super::regularized::regularized_moments;
use super::sprt::{EloModel, Sprt, number_text};

/// The noise of a match: the variance of a game's score, 0 to 1/4. For pairs, half the variance of the sum of the two
/// games' scores.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct GameVariance(f64);

/// A draw ratio and a bias that no games can have.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GameVarianceError {
    /// The draw ratio is not at least 0 and less than 1.
    #[error("a draw ratio must be at least 0 and less than 1, not {}", number_text(*.0))]
    DrawRatioOutOfRange(f64),
    /// The bias is negative, or the draw ratio does not allow it.
    #[error("with this draw ratio the bias of the openings must be at least 0 and less than {most:.0} Elo, not {}", number_text(*bias))]
    BiasOutOfRange {
        /// The bias.
        bias: f64,
        /// The greatest that this draw ratio allows.
        most: f64,
    },
}

impl GameVariance {
    /// The variance for equal engines. They draw this share of their games. The openings give one side an advantage of
    /// `bias` Elo (root mean square), and each opening is played with both colours.
    ///
    /// # Errors
    /// When no games can have this draw ratio and this bias, or the bias is negative.
    pub fn new(draw_ratio: f64, bias: Elo) -> Result<Self, GameVarianceError> {
        if !(0.0..1.0).contains(&draw_ratio) {
            return Err(GameVarianceError::DrawRatioOutOfRange(draw_ratio));
        }
        let lead = bias.expected_score() - 0.5;
        // The variance around the biased score: in a pair, the two biases cancel.
        let variance = (1.0 - draw_ratio) / 4.0 - lead * lead;
        let most = (1.0 - draw_ratio) / 2.0;
        // At `most`, the side without the advantage wins no game.
        if !(0.0..most).contains(&lead) {
            return Err(GameVarianceError::BiasOutOfRange {
                bias: bias.0,
                most: Elo::from_score(0.5 + most).0,
            });
        }
        Ok(Self(variance))
    }

    /// From the counts of an earlier match. An outcome that has not occurred counts as 1/1000 of one. `None` before the
    /// first outcome.
    pub fn of<const N: usize>(results: &Counts<N>) -> Option<Self> {
        Moments::of(results.counts())?;
        Some(Self(
            regularized_moments(results).variance * f64::from(Counts::<N>::GAMES),
        ))
    }

    /// From the standard deviation of a game's score, 0 to 1/2; greater ones count as 1/2.
    pub fn of_deviation(deviation: f64) -> Self {
        Self((deviation * deviation).min(0.25))
    }

    /// The variance.
    pub fn value(self) -> f64 {
        self.0
    }

    /// Normalized Elo of engines that are `elo` apart.
    pub fn normalized(self, elo: Elo) -> NormalizedElo {
        NormalizedElo::from_score(elo.expected_score(), self.0.sqrt())
    }

    /// Logistic Elo of engines that are `elo` apart on the normalized scale; infinite when no score is so far from 1/2.
    pub fn logistic(self, elo: NormalizedElo) -> Elo {
        Elo::from_score(0.5 + self.0.sqrt() * elo.t_value(1))
    }

    /// Logistic Elo of engines that are `elo` apart on the scale of a test.
    pub fn on_scale(self, model: EloModel, elo: f64) -> Elo {
        match model {
            EloModel::Logistic => Elo(elo),
            EloModel::Normalized => self.logistic(NormalizedElo(elo)),
        }
    }

    /// Half the expected width of the 95% intervals after `games` games of equal engines. The first is infinite when
    /// the interval reaches a score of 0 or 1. Both are infinite for 0 games.
    pub fn error_95(self, games: u64) -> (Elo, NormalizedElo) {
        let margin = DEVIATIONS_95 * (self.0 / games as f64).sqrt();
        let normalized = DEVIATIONS_95 * ELO_PER_UNIT / (games as f64).sqrt();
        (Elo::from_score(0.5 + margin), NormalizedElo(normalized))
    }

    /// Games until the 95% interval of equal engines is expected to be no wider than `error` to each side; `None` for more
    /// than 10^15.
    pub fn games_for(self, error: Elo) -> Option<u64> {
        const MOST: f64 = 1e15;
        let lead = error.expected_score() - 0.5;
        let games = libm::ceil(self.0 * (DEVIATIONS_95 / lead).powi(2));
        (lead > 0.0 && games <= MOST).then_some((games as u64).max(1))
    }
}

/// What to expect of an SPRT.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct SprtPlan {
    /// Probability of accepting H1, 0 to 1.
    pub pass_probability: f64,
    /// Probability of accepting H0, 0 to 1.
    pub fail_probability: f64,
    /// Mean number of games until a verdict or the limit.
    pub expected_games: f64,
}

impl SprtPlan {
    /// Probability that the limit ends the test before its verdict, 0 to 1.
    pub fn undecided_probability(&self) -> f64 {
        (1.0 - self.pass_probability - self.fail_probability).clamp(0.0, 1.0)
    }
}

impl Sprt {
    /// What to expect of the test when the engines are `elo` apart, with at most `limit` games or without a limit.
    ///
    /// The log-likelihood ratio is modelled as a Brownian motion, which ignores the overshoot at the bounds. That is good for
    /// tests of more than a hundred games. Source: Abraham Wald, *Sequential Analysis*, 1947, chapter 3;
    /// fishtest's calculator shows the same figures.
    pub fn plan(&self, variance: GameVariance, elo: Elo, limit: Option<u64>) -> SprtPlan {
        let (motion, games) = self.motion(variance, elo);
        let (passes, fails) = match limit {
            None => (motion.upper_probability(), 1.0 - motion.upper_probability()),
            Some(limit) => self.ends(&motion, limit as f64 / games),
        };
        let time = limit.map_or_else(
            || motion.expected_time(),
            |limit| motion.expected_time_within(limit as f64 / games),
        );
        SprtPlan {
            pass_probability: passes,
            fail_probability: fails,
            expected_games: time * games,
        }
    }

    /// The log-likelihood ratio's motion, and the games in a unit of its time, which is one of its variance.
    fn motion(&self, variance: GameVariance, elo: Elo) -> (Brownian, f64) {
        let [score0, score1] = self.scores(variance.0.sqrt());
        let step = score1 - score0;
        let (lower, upper) = self.bounds();
        let drift = (elo.expected_score() - f64::midpoint(score0, score1)) / step;
        (Brownian::new(lower, upper, drift), variance.0 / (step * step))
    }

    /// The probabilities that the test has passed and that it has failed at this time.
    fn ends(&self, motion: &Brownian, time: f64) -> (f64, f64) {
        let (lower, upper) = self.bounds();
        (
            1.0 - motion.worse_outcome(time, upper),
            motion.worse_outcome(time, lower),
        )
    }

    /// The test of [0, x] normalized Elo, with the usual error rates, that can decide in this number of games. Engines that
    /// are `x` apart pass with a probability of at least 80%, and equal engines fail with that probability. `x` is the least
    /// multiple of 5 for which that is so. For very few games it is [`Self::MAX_ELO`].
    pub fn that_decides(games: u64) -> Option<Self> {
        const STEP: f64 = 5.0;
        const OFTEN: f64 = 0.8;
        let rate = Self::DEFAULT_ERROR_RATE;
        // On the normalized scale the plan is the same for any noise.
        let variance = GameVariance::of_deviation(0.5);
        let decides = |test: &Self| {
            let ends = |elo: f64| {
                let (motion, unit) = test.motion(variance, variance.on_scale(test.model(), elo));
                test.ends(&motion, games as f64 / unit)
            };
            ends(test.elo1()).0 >= OFTEN && ends(0.0).1 >= OFTEN
        };
        let bounds = (1..).map(|step| STEP * f64::from(step));
        let mut tests = bounds.map_while(|elo1| Self::new(EloModel::Normalized, 0.0, elo1, rate, rate).ok());
        let mut last = None;
        tests.find(|test| decides(last.insert(*test))).or(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_leaves_tests_undecided() {
        let variance = GameVariance::of_deviation(0.3);
        let test = |elo1: f64| Sprt::new(EloModel::Normalized, 0.0, elo1, 0.05, 0.05).unwrap();
        let percents = |test: Sprt, elo: f64, pairs: u64| {
            let elo = variance.on_scale(EloModel::Normalized, elo);
            let plan = test.plan(variance, elo, Some(2 * pairs));
            let shares = [
                plan.pass_probability,
                plan.fail_probability,
                plan.undecided_probability(),
            ];
            shares.map(|share| libm::round(100.0 * share))
        };
        let short = [0.0, 10.0, 20.0].map(|elo| percents(test(20.0), elo, 1_500));
        assert_eq!(short, [[4.0, 85.0, 11.0], [35.0, 35.0, 31.0], [85.0, 4.0, 11.0]]);
        let narrow = [0.0, 10.0, 20.0].map(|elo| percents(test(5.0), elo, 1_500));
        assert_eq!(narrow, [[0.0, 0.0, 100.0], [1.0, 0.0, 99.0], [20.0, 0.0, 80.0]]);
        let (long, endless) = (
            percents(test(5.0), 5.0, 1_000_000),
            test(5.0).plan(variance, Elo(0.0), None),
        );
        assert_eq!(long, [95.0, 5.0, 0.0]);
        assert_eq!(endless.undecided_probability(), 0.0);
    }

    #[test]
    fn games_and_errors_answer_each_other() {
        let variance = GameVariance::new(0.5, Elo(0.0)).unwrap();
        assert!(matches!(
            GameVariance::new(1.0, Elo(0.0)),
            Err(GameVarianceError::DrawRatioOutOfRange(_))
        ));
        assert!(matches!(
            GameVariance::new(0.9, Elo(-5.0)),
            Err(GameVarianceError::BiasOutOfRange { .. })
        ));
        let games = variance.games_for(Elo(2.0)).unwrap();
        let [enough, too_few] = [games, games - 1].map(|games| variance.error_95(games).0.0);
        assert!(enough <= 2.0 && 2.0 < too_few, "{enough} {too_few}");
    }

    #[test]
    fn the_gate_can_decide() {
        let bound = |pairs: u64| Sprt::that_decides(2 * pairs).unwrap().elo1();
        let bounds = [0, 1, 100, 500, 1_500, 3_000, 10_000, 1_000_000_000].map(bound);
        assert_eq!(bounds, [600.0, 600.0, 75.0, 35.0, 20.0, 15.0, 10.0, 5.0]);
    }
}
