//! Counts of outcomes, seen from the first engine's side: of single games, or of pairs of games.

use std::ops::{Add, AddAssign};

use super::moments::Moments;

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

    /// The pair's score in half points, 0 to 4.
    pub fn half_points(self) -> u8 {
        self as u8
    }
}

/// How often each of `N` scores occurred, the worst score first.
///
/// A [`Trinomial`] counts games, which have three scores; a [`Pentanomial`] counts pairs of games, which have five.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Counts<const N: usize>([u64; N]);

/// Losses, draws and wins of the first engine.
///
/// For independent games. Games in pairs on the same opening have smaller errors with a [`Pentanomial`].
pub type Trinomial = Counts<3>;

/// How many pairs ended with each of the five scores: `[LL, LD, DD + WL, WD, WW]`.
///
/// The two games of a pair are the same opening twice, with colours swapped, so an opening that favours White helps each
/// engine once. Counting pairs removes this noise; counting games does not. Source: Michel Van den Bergh's work for
/// fishtest, <https://github.com/vdbergh/pentanomial>.
pub type Pentanomial = Counts<5>;

impl<const N: usize> Counts<N> {
    /// Games that make up one outcome: 1, or 2 when games are counted in pairs.
    pub const GAMES: u32 = (N as u32 - 1) / 2;

    /// From counts, the worst score first.
    pub fn new(counts: [u64; N]) -> Self {
        Self(counts)
    }

    /// The counts, the worst score first.
    pub fn counts(&self) -> [u64; N] {
        self.0
    }

    /// Number of outcomes.
    fn outcomes(&self) -> u64 {
        self.0.into_iter().fold(0, u64::saturating_add)
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.outcomes().saturating_mul(Self::GAMES.into())
    }

    /// Mean score of a game, 0 to 1; `None` before the first.
    pub fn score(&self) -> Option<f64> {
        Moments::of(self.0).map(|moments| moments.score)
    }

    /// Share of the outcomes with half of the points, 0 to 1; `None` before the first. For pairs this is the draw ratio that
    /// fastchess prints; a win and a loss count as much as two draws.
    pub fn draw_ratio(&self) -> Option<f64> {
        let outcomes = self.outcomes();
        (outcomes > 0).then(|| self.0[N / 2] as f64 / outcomes as f64)
    }

    /// The same outcomes from the other engine's side.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        self.0.reverse();
        self
    }
}

impl Trinomial {
    /// Counts one more game.
    pub fn record(&mut self, outcome: GameOutcome) {
        self.0[outcome as usize] += 1;
    }

    /// Games that the first engine lost.
    pub fn losses(&self) -> u64 {
        self.0[0]
    }

    /// Drawn games.
    pub fn draws(&self) -> u64 {
        self.0[1]
    }

    /// Games that the first engine won.
    pub fn wins(&self) -> u64 {
        self.0[2]
    }

    /// A win is 1, a draw ½.
    pub fn points(&self) -> f64 {
        self.wins() as f64 + self.draws() as f64 / 2.0
    }
}

impl Pentanomial {
    /// Counts one more pair.
    pub fn record(&mut self, outcome: PairOutcome) {
        self.0[outcome as usize] += 1;
    }

    /// Number of pairs.
    pub fn pairs(&self) -> u64 {
        self.outcomes()
    }

    /// Pairs won divided by pairs lost, as fastchess prints it: `+∞` when none was lost, `None`
    /// when none was decided.
    pub fn pairs_ratio(&self) -> Option<f64> {
        let [ll, ld, _, wd, ww] = self.0.map(|count| count as f64);
        let (won, lost) = (wd + ww, ld + ll);
        (won + lost > 0.0).then(|| won / lost)
    }
}

impl<const N: usize> Default for Counts<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

impl<const N: usize> Add for Counts<N> {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl<const N: usize> AddAssign for Counts<N> {
    fn add_assign(&mut self, other: Self) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use GameOutcome::{Draw, Loss, Win};

    #[test]
    fn games_and_pairs_are_counted() {
        let mut games = Trinomial::default();
        assert_eq!((games.score(), games.draw_ratio()), (None, None));
        for outcome in [Win, Draw, Win, Loss] {
            games.record(outcome);
        }
        assert_eq!((games.losses(), games.draws(), games.wins()), (1, 1, 2));
        assert_eq!((games.games(), games.points()), (4, 2.5));
        assert_eq!((games.score(), games.draw_ratio()), (Some(0.625), Some(0.25)));
        assert_eq!(games + games.reversed(), Trinomial::new([3, 2, 3]));

        let mut pairs = Pentanomial::default();
        for (first, second) in [(Win, Win), (Win, Loss), (Draw, Draw), (Draw, Win), (Loss, Draw)] {
            pairs.record(PairOutcome::of(first, second));
        }
        assert_eq!(pairs.counts(), [0, 1, 2, 1, 1]);
        assert_eq!((pairs.pairs(), pairs.games(), pairs.score()), (5, 10, Some(0.6)));
        assert_eq!((pairs.draw_ratio(), pairs.pairs_ratio()), (Some(0.4), Some(2.0)));
        assert_eq!(Pentanomial::new([0, 0, 1, 0, 2]).pairs_ratio(), Some(f64::INFINITY));
        assert_eq!(Pentanomial::new([0, 0, 1, 0, 0]).pairs_ratio(), None);
    }
}
