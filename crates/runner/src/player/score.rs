//! Scores as players tell them and as the files write them.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use lmrlab_engine::score::Score;

/// A score from its player's side, as it is written: centipawns (`-31`), moves to mate (`#3`, `#-2`), or `-` when the
/// player told none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WrittenScore {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Moves until mate; negative, or 0, when the player is mated.
    Mate(i32),
    /// The player told none.
    Untold,
}

impl WrittenScore {
    /// The score in centipawns, a mate as more than any evaluation; `None` when none was told.
    pub fn centipawns(self) -> Option<i32> {
        match self {
            Self::Centipawns(value) => Some(value),
            Self::Mate(moves) if moves > 0 => Some(i32::MAX),
            Self::Mate(_) => Some(i32::MIN + 1),
            Self::Untold => None,
        }
    }
}

impl From<Score> for WrittenScore {
    fn from(score: Score) -> Self {
        score
            .moves_to_mate()
            .map_or(Self::Centipawns(score.get()), Self::Mate)
    }
}

impl fmt::Display for WrittenScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centipawns(value) => write!(f, "{value}"),
            Self::Mate(moves) => write!(f, "#{moves}"),
            Self::Untold => f.write_str("-"),
        }
    }
}

impl FromStr for WrittenScore {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.strip_prefix('#') {
            Some(moves) => moves.parse().map(Self::Mate),
            None if text == "-" => Ok(Self::Untold),
            None => text.parse().map(Self::Centipawns),
        }
    }
}
