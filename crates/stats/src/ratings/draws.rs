//! Davidson's model of draws: the share of draws, given the expected score.

use crate::counts::Trinomial;
use crate::root_finding::{Sample, root};

/// Accuracy of the draw rate, relative.
const TOLERANCE: f64 = 1e-12;
/// The fit looks for rates at least this far from 0 and 1.
const EDGE: f64 = 1e-9;

/// Share of draws between equals, 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct DrawRate(pub(super) f64);

impl DrawRate {
    /// The rate of greatest likelihood, from games with their expected scores. `None` without games.
    pub(super) fn of(games: &[(f64, Trinomial)]) -> Option<Self> {
        let total = games.iter().fold(Trinomial::default(), |sum, &(_, games)| sum + games);
        if total.games() == 0 {
            return None;
        }
        if total.draws() == 0 {
            return Some(Self(0.0));
        }
        if total.draws() == total.games() {
            return Some(Self(1.0));
        }
        let sample = |rate: f64| Sample {
            at: rate,
            value: games.iter().map(|&(score, games)| Self(rate).slope(score, games)).sum(),
        };
        let (low, high) = (sample(EDGE), sample(1.0 - EDGE));
        Some(Self(root(low, high, TOLERANCE, |rate| sample(rate).value)))
    }

    /// Share of draws where a score, 0 to 1, is expected.
    ///
    /// With d draws, w = score - d / 2 wins and l = 1 - score - d / 2 losses, Davidson's d² = ν² w l is a quadratic
    /// equation for d; ν follows from the draw rate between equals.
    pub(super) fn share(self, score: f64) -> f64 {
        let noise = 4.0 * score * (1.0 - score);
        if self.0 == 0.0 {
            return 0.0;
        }
        noise / (1.0 + (1.0 + self.bend() * noise).max(0.0).sqrt())
    }

    /// Variance of a game's score.
    pub(super) fn variance(self, score: f64) -> f64 {
        (score * (1.0 - score) - self.share(score) / 4.0).max(0.0)
    }

    /// Coefficient of d² in the quadratic equation a d² + 2 d = 4 score (1 - score).
    fn bend(self) -> f64 {
        (1.0 - 2.0 * self.0) / (self.0 * self.0)
    }

    /// Derivative of the log-likelihood of some games by the rate.
    fn slope(self, score: f64, games: Trinomial) -> f64 {
        let share = self.share(score);
        let change = (1.0 - self.0) * share * share / (self.0 * self.0 * self.0 * (1.0 + self.bend() * share));
        let per = |count: u64, share: f64| {
            if count == 0 { 0.0 } else { count as f64 / share }
        };
        let decisive = per(games.wins(), score - share / 2.0) + per(games.losses(), 1.0 - score - share / 2.0);
        change * (per(games.draws(), share) - decisive / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn equals_draw_as_often_as_the_rate_says() {
        for rate in [0.0, 1e-6, 0.3, 0.5, 0.9, 1.0] {
            assert!((DrawRate(rate).share(0.5) - rate).abs() < 1e-12);
        }
        let games = Trinomial::new([30, 40, 30]);
        let fitted = DrawRate::of(&[(0.5, games)]).expect("played").0;
        assert!((fitted - 0.4).abs() < 1e-9, "{fitted}");
    }

    #[test]
    fn nothing_but_draws_and_no_draws() {
        let rate = |games| DrawRate::of(&[(0.5, games)]);
        assert_eq!(rate(Trinomial::new([0, 9, 0])), Some(DrawRate(1.0)));
        assert_eq!(rate(Trinomial::new([3, 0, 9])), Some(DrawRate(0.0)));
        assert_eq!(rate(Trinomial::default()), None);
    }

    proptest! {
        #[test]
        fn shares_keep_to_the_model(rate in 0.01..0.99, score in 0.001..0.999) {
            let rate = DrawRate(rate);
            let draws = rate.share(score);
            let (wins, losses) = (score - draws / 2.0, 1.0 - score - draws / 2.0);
            prop_assert!(draws > 0.0 && wins > 0.0 && losses > 0.0);
            let factor = 2.0 * rate.0 / (1.0 - rate.0);
            prop_assert!((draws * draws / (factor * factor * wins * losses) - 1.0).abs() < 1e-6);
            prop_assert!(rate.variance(score) > 0.0);
        }
    }
}
