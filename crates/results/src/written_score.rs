//! Scores as engines report them and as the files of a run write them.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use lmrlab_engine::score::Score;

/// A score from the player's side. It is written as centipawns (`-31`), as moves to mate (`#3`, `#-2`), or as `-` when
/// the player reported none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WrittenScore {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Moves to mate; zero or negative when the player is mated.
    Mate(i32),
    /// The player reported none.
    Unknown,
}

impl WrittenScore {
    /// The cells of the columns `score_cp` and `mate_in`: one of them is empty, or both when the score is unknown.
    pub fn cells(self) -> (Option<i32>, Option<i32>) {
        match self {
            Self::Centipawns(value) => (Some(value), None),
            Self::Mate(moves) => (None, Some(moves)),
            Self::Unknown => (None, None),
        }
    }

    /// The score in centipawns, with a mate beyond any evaluation; `None` when unknown.
    pub fn centipawns(self) -> Option<i32> {
        match self {
            Self::Centipawns(value) => Some(value),
            Self::Mate(moves) if moves > 0 => Some(i32::MAX),
            Self::Mate(_) => Some(i32::MIN + 1),
            Self::Unknown => None,
        }
    }
}

impl From<Score> for WrittenScore {
    fn from(score: Score) -> Self {
        score.moves_to_mate().map_or(Self::Centipawns(score.get()), Self::Mate)
    }
}

impl fmt::Display for WrittenScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centipawns(value) => write!(f, "{value}"),
            Self::Mate(moves) => write!(f, "#{moves}"),
            Self::Unknown => f.write_str("-"),
        }
    }
}

impl FromStr for WrittenScore {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.strip_prefix('#') {
            Some(moves) => moves.parse().map(Self::Mate),
            None if text == "-" => Ok(Self::Unknown),
            None => text.parse().map(Self::Centipawns),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_a_number_of_centipawns_or_of_moves() {
        let cells = |text: &str| text.parse::<WrittenScore>().unwrap().cells();
        assert_eq!(cells("-31"), (Some(-31), None));
        assert_eq!(cells("#-2"), (None, Some(-2)));
        assert_eq!(cells("-"), (None, None));
    }
}
