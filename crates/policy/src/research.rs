//! What happens when a reduced search is surprised.

use crate::document::Table;

/// A policy's `[research]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Research {
    /// How the move is searched again.
    pub ladder: Ladder,
    /// Which score of the reduced search calls for it.
    pub trigger: Trigger,
}

impl Default for Research {
    fn default() -> Self {
        Self {
            ladder: Ladder::NullThenFull,
            trigger: Trigger::AboveAlpha,
        }
    }
}

/// How a move is searched again after a reduced search that was surprised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ladder {
    /// Full depth with a null window, then, inside the window, full depth with the full window. (Glaurung, Stockfish, Mediocre 2007)
    NullThenFull,
    /// Full depth with the full window at once. (Senpai, MadChess 2.0)
    Full,
    /// One ply deeper at a time while the trigger holds, up to the full depth, with the full window throughout. (micro-Max 4)
    StepUp,
}

/// Which score of the reduced search calls for another search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trigger {
    /// Above the current alpha.
    AboveAlpha,
    /// At or above beta. (Fruit, Toga)
    AtOrAboveBeta,
    /// Above the alpha with which the node was entered. (micro-Max 4)
    AboveOriginalAlpha,
    /// Above the best score of the node so far. (MadChess 2.0)
    AboveBestScore,
}

impl Research {
    /// Reads `[research]`; what is wrong in it is reported and replaced by the default.
    pub(crate) fn read(table: Table<'_>) -> Self {
        let default = Self::default();
        let research = Self {
            ladder: table
                .choice(
                    "ladder",
                    &[
                        ("null_then_full", Ladder::NullThenFull),
                        ("full", Ladder::Full),
                        ("step_up", Ladder::StepUp),
                    ],
                )
                .unwrap_or(default.ladder),
            trigger: table
                .choice(
                    "trigger",
                    &[
                        ("above_alpha", Trigger::AboveAlpha),
                        ("at_or_above_beta", Trigger::AtOrAboveBeta),
                        ("above_original_alpha", Trigger::AboveOriginalAlpha),
                        ("above_best_score", Trigger::AboveBestScore),
                    ],
                )
                .unwrap_or(default.trigger),
        };
        table.close();
        research
    }
}
