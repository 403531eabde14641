//! The two Elo scales and their relation to the expected score.

use std::f64::consts::LN_10;

/// Elo for each unit of the logistic curve's argument: 347.4.
///
/// Near a score of one half, logistic Elo is this times twice the distance from one half.
/// Normalized Elo is this times the distance in standard deviations. Both agree when the deviation
/// is 1/2: for close engines that never draw.
pub(super) const ELO_PER_UNIT: f64 = 800.0 / LN_10;

/// A difference in strength on the logistic scale: 400 Elo are odds of ten to one.
///
/// `±∞` is the estimate for an engine that won or lost everything. Source: Arpad Elo, *The Rating
/// of Chessplayers, Past and Present*, 1978; the logistic curve instead of the normal one is what
/// testing frameworks use.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Elo(pub f64);

impl Elo {
    /// The difference at which `score` (0 to 1) is expected. A score of 0 or less gives `-∞`, one of
    /// 1 or more `+∞`.
    ///
    /// ```
    /// use lmrlab_stats::Elo;
    /// assert_eq!(Elo::from_score(0.5), Elo(0.0));
    /// assert_eq!(Elo::from_score(1.0), Elo(f64::INFINITY));
    /// assert!((Elo::from_score(10.0 / 11.0).0 - 400.0).abs() < 1e-10);
    /// ```
    pub fn from_score(score: f64) -> Self {
        // -400 log10(1/s - 1), written so that swapping the sides changes nothing but the sign.
        Self(ELO_PER_UNIT * libm::atanh((2.0 * score - 1.0).clamp(-1.0, 1.0)))
    }

    /// The expected score, 0 to 1, of the side that is stronger by this much: the inverse of
    /// [`Elo::from_score`].
    pub fn expected_score(self) -> f64 {
        0.5 + 0.5 * libm::tanh(self.0 / ELO_PER_UNIT)
    }
}

/// A difference in strength in units of the noise of one game.
///
/// The score's distance from one half, divided by the standard deviation of a single game, times
/// 800 / ln 10. Unlike logistic Elo it does not shrink when the draw rate grows, and it alone sets
/// how many games a test needs. For pairs, the deviation of a game is √2 times that of the pair's
/// mean score, which includes the correlation of the two games.
/// Source: Michel Van den Bergh, *Normalized Elo*,
/// <https://www.cantate.be/Fishtest/normalized_elo.pdf>.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct NormalizedElo(pub f64);

impl NormalizedElo {
    /// From the expected score (0 to 1) and the standard deviation of the score of one game.
    ///
    /// Without any deviation a score above one half gives `+∞`, one below it `-∞`, and one half 0.
    pub fn from_score(score: f64, game_deviation: f64) -> Self {
        let lead = score - 0.5;
        Self(if lead == 0.0 {
            0.0
        } else {
            ELO_PER_UNIT * lead / game_deviation
        })
    }

    /// The t value ((mean - 1/2) / standard deviation) of samples that each average `games` games.
    pub fn t_value(self, games: u32) -> f64 {
        self.0 / ELO_PER_UNIT * f64::from(games).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_scores() {
        assert_eq!(Elo::from_score(0.0).0, f64::NEG_INFINITY);
        assert_eq!(Elo::from_score(1.5).0, f64::INFINITY);
        assert!((Elo(200.0).expected_score() - 0.759_746_926_647_958).abs() < 1e-15);
        assert_eq!(Elo(f64::NEG_INFINITY).expected_score(), 0.0);
    }

    #[test]
    fn normalized_elo_without_deviation() {
        assert_eq!(NormalizedElo::from_score(0.5, 0.0).0, 0.0);
        assert_eq!(NormalizedElo::from_score(0.75, 0.0).0, f64::INFINITY);
        assert_eq!(NormalizedElo::from_score(0.25, 0.0).0, f64::NEG_INFINITY);
    }

    proptest! {
        #[test]
        fn score_and_elo_are_inverse(elo in -1000.0..1000.0) {
            let back = Elo::from_score(Elo(elo).expected_score()).0;
            prop_assert!((back - elo).abs() < 1e-9, "{elo} {back}");
        }
    }
}
