//! Alpha and beta as one value.

use crate::score::Score;

/// The search window. A search distinguishes three cases: at most alpha, between the two, at least beta.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
}

impl Window {
    pub(crate) const OPEN: Self = Self {
        alpha: Score::MINUS_INFINITE,
        beta: Score::INFINITE,
    };

    pub(crate) fn around(score: Score, below: i32, above: i32) -> Self {
        let limit = Score::INFINITE;
        Self {
            alpha: (score - below).max(-limit),
            beta: (score + above).min(limit),
        }
    }

    /// The same window as the other side sees it.
    #[inline]
    pub(crate) fn flipped(self) -> Self {
        Self {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }

    /// The null window just above alpha.
    #[inline]
    pub(crate) fn null_above_alpha(self) -> Self {
        Self {
            alpha: self.alpha,
            beta: self.alpha + 1,
        }
    }

    /// The null window just below beta.
    #[inline]
    pub(crate) fn null_below_beta(self) -> Self {
        Self {
            alpha: self.beta - 1,
            beta: self.beta,
        }
    }

    /// Whether `score` lies strictly inside.
    #[inline]
    pub(crate) fn contains(self, score: Score) -> bool {
        score > self.alpha && score < self.beta
    }
}
