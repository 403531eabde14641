//! What to expect of a match before it is played.

use std::fmt;

use super::brownian::Brownian;
use super::elo::{ELO_PER_UNIT, Elo, NormalizedElo};
use super::estimate::DEVIATIONS_95;
use super::moments::{Moments, Outcomes};
use super::observed::filled_moments;
use super::sprt::Sprt;

/// The noise of a match: the variance of a game's score, 0 to 1/4, where two games of the same opening are half of what
/// their sum varies by.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct GameVariance(f64);

/// A draw ratio and a bias that no games can have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PlanError {
    /// The draw ratio is not between 0 and 1; the end 1 is excluded, for nothing is decided then.
    DrawRatioOutOfRange(f64),
    /// The draws leave no room for so great a bias.
    BiasOutOfRange {
        /// The bias asked for.
        bias: f64,
        /// The greatest that this draw ratio allows.
        most: f64,
    },
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanError::DrawRatioOutOfRange(value) => {
                write!(
                    f,
                    "a draw ratio must be at least 0 and less than 1, not {value}"
                )
            }
            PlanError::BiasOutOfRange { bias, most } => write!(
                f,
                "with so many draws the bias of the openings must be less than {most:.0} Elo, not {bias}"
            ),
        }
    }
}

impl std::error::Error for PlanError {}

impl GameVariance {
    /// Of equal engines that draw this share of their games, from openings that give one side an advantage of `bias`
    /// Elo (root mean square), each opening played with both colours.
    ///
    /// # Errors
    /// When no game can have both.
    pub fn new(draw_ratio: f64, bias: Elo) -> Result<GameVariance, PlanError> {
        if !(0.0..1.0).contains(&draw_ratio) {
            return Err(PlanError::DrawRatioOutOfRange(draw_ratio));
        }
        let lead = bias.expected_score() - 0.5;
        // What the favoured side's score varies by: two games with opposite bias cancel the rest.
        let variance = (1.0 - draw_ratio) / 4.0 - lead * lead;
        let most = (1.0 - draw_ratio) / 2.0;
        // The other side cannot win less than no games.
        if lead.is_nan() || lead.abs() >= most {
            return Err(PlanError::BiasOutOfRange {
                bias: bias.0,
                most: Elo::from_score(0.5 + most).0,
            });
        }
        Ok(GameVariance(variance))
    }

    /// As counted in an earlier match; outcomes that have not occurred count as 1/1000 of one. `None` without any.
    #[must_use]
    pub fn of<const N: usize, R: Outcomes<N>>(results: &R) -> Option<GameVariance> {
        Moments::of(results)?;
        Some(GameVariance(
            filled_moments(results).variance * f64::from(R::GAMES),
        ))
    }

    /// From the standard deviation of a game's score, 0 to 1/2; greater ones count as 1/2.
    #[must_use]
    pub fn of_deviation(deviation: f64) -> GameVariance {
        GameVariance((deviation * deviation).min(0.25))
    }

    /// Its value.
    #[must_use]
    pub fn value(self) -> f64 {
        self.0
    }

    /// Normalized Elo of engines that are `elo` apart.
    #[must_use]
    pub fn normalized(self, elo: Elo) -> NormalizedElo {
        NormalizedElo::from_score(elo.expected_score(), self.0.sqrt())
    }

    /// Logistic Elo of engines that are `elo` apart on the normalized scale; infinite when they cannot be.
    #[must_use]
    pub fn logistic(self, elo: NormalizedElo) -> Elo {
        Elo::from_score(0.5 + self.0.sqrt() * elo.t_value(1))
    }

    /// Half the width of the 95% intervals that can be expected of engines `elo` apart after `games` games. The first
    /// is infinite when the interval reaches certainty; both are when there are no games.
    #[must_use]
    pub fn error_95(self, games: u64, elo: Elo) -> (Elo, NormalizedElo) {
        let margin = DEVIATIONS_95 * (self.0 / games as f64).sqrt();
        let score = elo.expected_score();
        let logistic =
            (Elo::from_score(score + margin).0 - Elo::from_score(score - margin).0) / 2.0;
        let normalized = DEVIATIONS_95 * ELO_PER_UNIT / (games as f64).sqrt();
        (Elo(logistic), NormalizedElo(normalized))
    }

    /// Games after which the 95% interval of engines `elo` apart can be expected to be no wider than `error` to each
    /// side; `None` if never, or only after more than 10^15.
    #[must_use]
    pub fn games_for(self, error: Elo, elo: Elo) -> Option<u64> {
        let enough = |games: u64| self.error_95(games, elo).0 <= error;
        let most = 1_000_000_000_000_000;
        if error.0.is_nan() || error.0 <= 0.0 || !enough(most) {
            return None;
        }
        let (mut too_few, mut games) = (0, most);
        while games - too_few > 1 {
            let middle = too_few.midpoint(games);
            if enough(middle) {
                games = middle;
            } else {
                too_few = middle;
            }
        }
        Some(games)
    }
}

/// What a test will come to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SprtPlan {
    /// Probability of accepting H1, 0 to 1.
    pub pass_probability: f64,
    /// Mean number of games until a verdict.
    pub expected_games: f64,
}

impl Sprt {
    /// What the test will come to when the engines are `elo` apart.
    ///
    /// The log-likelihood ratio is taken for a Brownian motion, which overlooks that a pair carries it beyond a bound:
    /// good for tests of more than a hundred games. Source: Abraham Wald, *Sequential Analysis*, 1947, chapter 3;
    /// fishtest's calculator shows the same figures.
    #[must_use]
    pub fn plan(&self, variance: GameVariance, elo: Elo) -> SprtPlan {
        let [score0, score1] = self.scores(variance.0.sqrt());
        let step = score1 - score0;
        let (lower, upper) = self.bounds();
        // Time in units of the log-likelihood ratio's variance.
        let drift = (elo.expected_score() - f64::midpoint(score0, score1)) / step;
        let motion = Brownian::new(lower, upper, drift);
        SprtPlan {
            pass_probability: motion.upper_probability(),
            expected_games: motion.expected_time() * variance.0 / (step * step),
        }
    }
}
