//! Counts of single games.

use std::ops::{Add, AddAssign};

use super::moments::{Moments, Outcomes};

/// How a game ended for the first engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameOutcome {
    /// 0 points.
    Loss,
    /// Half a point.
    Draw,
    /// 1 point.
    Win,
}

impl GameOutcome {
    /// The same game from the other side.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// Losses, draws and wins of the first engine.
///
/// For independent games. Games in pairs on the same opening have smaller errors with a
/// [`Pentanomial`](super::Pentanomial).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Trinomial {
    /// Games that the first engine lost.
    pub losses: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games that the first engine won.
    pub wins: u64,
}

impl Trinomial {
    /// From counts, in ascending order of the score.
    pub fn new(losses: u64, draws: u64, wins: u64) -> Self {
        Self { losses, draws, wins }
    }

    /// Counts one more game.
    pub fn record(&mut self, outcome: GameOutcome) {
        match outcome {
            GameOutcome::Loss => self.losses += 1,
            GameOutcome::Draw => self.draws += 1,
            GameOutcome::Win => self.wins += 1,
        }
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.losses.saturating_add(self.draws).saturating_add(self.wins)
    }

    /// Mean score, 0 to 1; `None` before the first game.
    pub fn score(&self) -> Option<f64> {
        Moments::of(self).map(|moments| moments.score)
    }

    /// Share of the games that were drawn, 0 to 1; `None` before the first game.
    pub fn draw_ratio(&self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| self.draws as f64 / games as f64)
    }

    /// The same games from the other engine's side.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self {
            losses: self.wins,
            draws: self.draws,
            wins: self.losses,
        }
    }
}

impl Outcomes<3> for Trinomial {
    const GAMES: u32 = 1;

    fn counts(&self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }
}

impl Add for Trinomial {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            losses: self.losses + other.losses,
            draws: self.draws + other.draws,
            wins: self.wins + other.wins,
        }
    }
}

impl AddAssign for Trinomial {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_was_recorded() {
        let mut games = Trinomial::default();
        assert_eq!(games.score(), None);
        assert_eq!(games.draw_ratio(), None);
        for outcome in [GameOutcome::Win, GameOutcome::Draw, GameOutcome::Win, GameOutcome::Loss] {
            games.record(outcome);
        }
        assert_eq!(games, Trinomial::new(1, 1, 2));
        assert_eq!(games.games(), 4);
        assert_eq!(games.score(), Some(0.625));
        assert_eq!(games.draw_ratio(), Some(0.25));
        assert_eq!(games.reversed().score(), Some(0.375));
        assert_eq!(games + games.reversed(), Trinomial::new(3, 2, 3));
    }
}
