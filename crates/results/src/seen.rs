//! How a person sees a value: rounded, as percent, or not at all. The files have all digits.

use crate::number_text::{chance, percent, percent_with, signed, unsigned};
use crate::value::{Field as _, Value};

/// How a person sees the values of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Seen {
    /// As in the file.
    #[default]
    AsWritten,
    /// With this number of decimals.
    Decimals(usize),
    /// With a sign and this number of decimals.
    Signed(usize),
    /// A share from 0 to 1 as percent.
    Percent,
    /// A small share from 0 to 1 as percent, with two decimals.
    SmallShare,
    /// A probability as percent. Games never make it certain, so it is not shown as 0% or 100%.
    Chance,
    /// The probability of a difference by chance alone. A small one is not shown as 0.
    Probability,
    /// Centipawns as pawns, with a sign.
    Pawns,
    /// Moves of the position in column `fen`, which files have in UCI notation: in standard algebraic notation.
    Moves,
    /// The same, where each move follows the one before.
    Line,
    /// The number of a game. On the page of a run it leads to the game.
    Game,
    /// Half the width or an end of a 95% interval. It stands behind the value that it belongs to.
    Interval,
    /// As in the file, where at least one row has more than the count 0.
    IfAny,
    /// Not at all: the column is for programs that read the file.
    InFile,
}

impl Seen {
    /// How a column of this name and unit is seen.
    pub(crate) fn of(name: &str, unit: &str) -> Self {
        match unit {
            _ if name.ends_with("_95") => Self::Interval,
            "share" if name == "los" => Self::Chance,
            "share" => Self::Percent,
            "Elo" | "nElo" if name == "tau" => Self::Decimals(1),
            "Elo" | "nElo" => Self::Signed(1),
            "plies" => Self::Decimals(2),
            "points" | "positions" | "nodes" | "ms" => Self::Decimals(1),
            _ => Self::Decimals(3),
        }
    }

    /// Whether it is a share as percent.
    pub const fn is_percent(self) -> bool {
        matches!(self, Self::Percent | Self::SmallShare)
    }

    /// A value as text. Whole numbers have no decimals. What is undefined is a dash in a column of rounded numbers.
    pub fn text(self, value: &Value) -> String {
        match (self, value) {
            (_, Value::Text(text)) => text.clone(),
            (Self::Percent, _) => percent(value.number()),
            (Self::SmallShare, _) => percent_with(value.number(), 2),
            (Self::Chance, _) => chance(value.number()),
            (Self::Probability, Value::Number(p, _)) if *p < 0.0005 => "<0.001".to_owned(),
            (Self::Probability, _) => unsigned(value.number(), 3),
            (Self::Pawns, Value::Whole(value)) => signed(Some(*value as f64 / 100.0), 2),
            (Self::Signed(decimals), Value::Number(..)) => signed(value.number(), decimals),
            (Self::Signed(_), Value::Whole(value)) => format!("{value:+}"),
            (Self::Decimals(decimals), Value::Number(..)) => unsigned(value.number(), decimals),
            (Self::Decimals(_) | Self::Signed(_), Value::Missing) => "-".to_owned(),
            _ => value.to_string(),
        }
    }

    /// A number that is not in a file, as text.
    pub fn number(self, value: f64) -> String {
        self.text(&value.value())
    }

    /// Half the width of an interval, in the digits of its value.
    pub(crate) fn half_width(self, value: f64) -> String {
        match self {
            Self::Signed(decimals) => Self::Decimals(decimals).number(value),
            _ => self.number(value),
        }
    }
}
