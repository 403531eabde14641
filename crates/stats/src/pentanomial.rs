//! Counts of game pairs: the same opening twice, with colours swapped.

use std::ops::{Add, AddAssign};

use super::moments::{Moments, Outcomes};
use super::trinomial::GameOutcome;

/// What the first engine scored in the two games of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PairOutcome {
    /// Both games lost: 0 points.
    LossLoss,
    /// A loss and a draw: half a point.
    LossDraw,
    /// Two draws, or a win and a loss: 1 point.
    Even,
    /// A win and a draw: one and a half points.
    WinDraw,
    /// Both games won: 2 points.
    WinWin,
}

impl PairOutcome {
    /// Every outcome, the worst first: the order of the counts in a [`Pentanomial`].
    pub const ALL: [Self; 5] = [Self::LossLoss, Self::LossDraw, Self::Even, Self::WinDraw, Self::WinWin];

    /// From the outcomes of the two games, both from the first engine's side.
    pub fn of(first: GameOutcome, second: GameOutcome) -> Self {
        Self::ALL[first as usize + second as usize]
    }

    /// From the pair's score in half points, 0 to 4; `None` above that.
    pub fn from_half_points(half_points: u8) -> Option<Self> {
        Self::ALL.get(usize::from(half_points)).copied()
    }

    /// The pair's score in half points, 0 to 4.
    pub fn half_points(self) -> u8 {
        self as u8
    }
}

/// How many pairs ended with each of the five scores: `[LL, LD, DD + WL, WD, WW]`, from the first
/// engine's side.
///
/// The two games of a pair start from the same position, so an opening that favours White helps
/// each engine once. Counting pairs removes this noise; counting games does not. Source: Michel Van den Bergh's work for fishtest,
/// <https://github.com/vdbergh/pentanomial>.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Pentanomial {
    counts: [u64; 5],
}

impl Pentanomial {
    /// From counts `[LL, LD, DD + WL, WD, WW]`.
    pub fn new(counts: [u64; 5]) -> Self {
        Self { counts }
    }

    /// Counts one more pair.
    pub fn record(&mut self, outcome: PairOutcome) {
        self.counts[outcome as usize] += 1;
    }

    /// The counts `[LL, LD, DD + WL, WD, WW]`.
    pub fn counts(&self) -> [u64; 5] {
        self.counts
    }

    /// Number of pairs.
    pub fn pairs(&self) -> u64 {
        self.counts.into_iter().fold(0, u64::saturating_add)
    }

    /// Number of games: two a pair.
    pub fn games(&self) -> u64 {
        self.pairs().saturating_mul(2)
    }

    /// Mean score of a game, 0 to 1; `None` before the first pair.
    pub fn score(&self) -> Option<f64> {
        Moments::of(self).map(|moments| moments.score)
    }

    /// Share of the pairs that ended 1-1, 0 to 1; `None` before the first pair. This is the draw
    /// ratio that fastchess prints for pairs; a win and a loss count as much as two draws.
    pub fn draw_ratio(&self) -> Option<f64> {
        let pairs = self.pairs();
        (pairs > 0).then(|| self.counts[2] as f64 / pairs as f64)
    }

    /// Pairs won divided by pairs lost, as fastchess prints it: `+∞` when none was lost, `None`
    /// when none was decided.
    pub fn pairs_ratio(&self) -> Option<f64> {
        let [ll, ld, _, wd, ww] = self.counts.map(|count| count as f64);
        let (won, lost) = (wd + ww, ld + ll);
        (won + lost > 0.0).then(|| won / lost)
    }

    /// The same pairs from the other engine's side.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        self.counts.reverse();
        self
    }
}

impl Outcomes<5> for Pentanomial {
    const GAMES: u32 = 2;

    fn counts(&self) -> [u64; 5] {
        self.counts
    }
}

impl Add for Pentanomial {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Self) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use GameOutcome::{Draw, Loss, Win};

    #[test]
    fn pairs_of_games() {
        assert_eq!(PairOutcome::of(Loss, Loss), PairOutcome::LossLoss);
        assert_eq!(PairOutcome::of(Draw, Loss), PairOutcome::LossDraw);
        assert_eq!(PairOutcome::of(Loss, Win), PairOutcome::Even);
        assert_eq!(PairOutcome::of(Draw, Draw), PairOutcome::Even);
        assert_eq!(PairOutcome::of(Draw, Win), PairOutcome::WinDraw);
        assert_eq!(PairOutcome::of(Win, Win), PairOutcome::WinWin);
        for outcome in PairOutcome::ALL {
            assert_eq!(PairOutcome::from_half_points(outcome.half_points()), Some(outcome));
        }
        assert_eq!(PairOutcome::from_half_points(5), None);
    }

    #[test]
    fn counts_what_was_recorded() {
        let mut pairs = Pentanomial::default();
        assert_eq!(pairs.score(), None);
        for outcome in [
            PairOutcome::WinWin,
            PairOutcome::Even,
            PairOutcome::WinDraw,
            PairOutcome::LossDraw,
        ] {
            pairs.record(outcome);
        }
        assert_eq!(pairs, Pentanomial::new([0, 1, 1, 1, 1]));
        assert_eq!((pairs.pairs(), pairs.games()), (4, 8));
        assert_eq!(pairs.score(), Some(0.625));
        assert_eq!(pairs.reversed().counts(), [1, 1, 1, 1, 0]);
        assert_eq!((pairs + pairs).counts(), [0, 2, 2, 2, 2]);
    }

    #[test]
    fn ratios() {
        let pairs = Pentanomial::new([0, 3, 10, 4, 0]);
        assert_eq!(pairs.draw_ratio(), Some(10.0 / 17.0));
        assert_eq!(pairs.pairs_ratio(), Some(4.0 / 3.0));
        assert_eq!(Pentanomial::new([0, 0, 1, 0, 2]).pairs_ratio(), Some(f64::INFINITY));
        assert_eq!(Pentanomial::new([0, 0, 1, 0, 0]).pairs_ratio(), None);
        assert_eq!(Pentanomial::default().draw_ratio(), None);
    }
}
