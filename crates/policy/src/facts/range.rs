//! The values that a number can have.

use std::ops::RangeInclusive;

use super::{Fact, NumberFact};

/// The range of counts of plies and moves. No position has more than 218 legal moves, and engines seldom search deeper
/// than 255 plies.
const COUNT: RangeInclusive<i32> = 0..=255;
/// Scores, mates and the ends of an open window included.
const SCORE: RangeInclusive<i32> = -32_500..=32_500;
/// Differences of scores.
const DIFFERENCE: RangeInclusive<i32> = -65_000..=65_000;

impl NumberFact {
    /// The values that the number can have, in the unit that the catalogue names. All are whole numbers. A history model
    /// narrows the range of `history`: see [`HistoryModel::range`](crate::history::HistoryModel::range).
    pub fn range(self) -> RangeInclusive<i32> {
        match self {
            Self::Depth
            | Self::Ply
            | Self::MovesSearched
            | Self::MoveNumber
            | Self::QuietNumber
            | Self::LegalMoves
            | Self::ParentMoveNumber
            | Self::Iteration
            | Self::Extension
            | Self::AlphaRaises
            | Self::BestChanges => COUNT,
            Self::TtDepth => -1..=255,
            // A reduction may be an extension.
            Self::ParentReduction | Self::Reduction | Self::SoFar => -256..=256,
            Self::ChildCutoffs => 0..=65_535,
            Self::PawnRank => 0..=8,
            Self::Phase => 0..=24,
            // Eight pawns may promote.
            Self::OpponentPieces => 0..=15,
            Self::Correction => -192..=192,
            Self::TtScore | Self::Alpha | Self::BestScore | Self::StaticEval | Self::ParentEval | Self::Score => SCORE,
            Self::Improvement
            | Self::EvalMinusAlpha
            | Self::Material
            | Self::Positional
            | Self::EvalDelta
            | Self::PstDelta
            | Self::PassedDelta
            | Self::KingSafetyDelta
            | Self::See => DIFFERENCE,
            Self::CapturedValue => 0..=2000,
            // Beta is above alpha. The unit of a host can be less than a centipawn, so a window can be less than 1.
            Self::Window => 0..=65_000,
            // At most four times the greatest score.
            Self::RootWindow => 0..=130_000,
            Self::History => -(1 << 30)..=1 << 30,
            Self::CaptureHistory
            | Self::ContinuationHistory
            | Self::ContinuationHistory2
            | Self::ContinuationHistory4 => -16_384..=16_384,
            Self::OrderingHistory => -65_536..=65_536,
        }
    }
}

impl Fact {
    /// The values that a number can have; `None` for a boolean.
    pub fn range(self) -> Option<RangeInclusive<i32>> {
        self.as_number().map(NumberFact::range)
    }
}
