//! Pictures, described by values. A page draws them.

use crate::outcome::table::{Known, Table};
use crate::seen::Seen;
use crate::value::Value;

/// A picture.
#[derive(Debug, Clone)]
pub enum Picture {
    /// Values with their intervals, one below the other.
    Intervals(Intervals),
    /// Curves between two axes.
    Lines(Lines),
    /// Bars, one below the other.
    Bars(Bars),
    /// Values by two names.
    Map(Map),
    /// A position with moves.
    Board(Board),
}

/// What a value is, and how a person sees it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Quantity {
    /// Its name, with the unit.
    pub name: String,
    /// How it is seen.
    pub seen: Seen,
    /// Whether it is a quotient. Its axis is logarithmic where the values differ much.
    pub is_ratio: bool,
    /// What it is compared with: the value at which nothing has changed, and its name.
    pub unchanged: Option<(f64, String)>,
    /// The meaning of a value below that, and of one above it: `weaker` and `stronger`. Empty: no value is better.
    pub sides: [&'static str; 2],
    /// Whether the smaller of two values is the better one.
    pub is_cost: bool,
}

/// What an interval says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judgement {
    /// It contains the value at which nothing has changed.
    Unclear,
    /// All of it is worse.
    Worse,
    /// All of it is better.
    Better,
}

impl Quantity {
    /// A quantity that is compared with nothing.
    pub fn new(name: impl Into<String>, seen: Seen) -> Self {
        Self {
            name: name.into(),
            seen,
            ..Self::default()
        }
    }

    /// Elo, compared with 0.
    pub fn elo(name: impl Into<String>, zero: impl Into<String>) -> Self {
        Self {
            unchanged: Some((0.0, zero.into())),
            sides: ["weaker", "stronger"],
            ..Self::new(name, Seen::Signed(1))
        }
    }

    /// A quotient, compared with 1. Less is better.
    pub fn ratio(name: impl Into<String>, one: impl Into<String>, sides: [&'static str; 2]) -> Self {
        Self {
            is_ratio: true,
            unchanged: Some((1.0, one.into())),
            sides,
            is_cost: true,
            ..Self::new(name, Seen::Decimals(3))
        }
    }

    /// What the interval of a value says.
    pub fn judge(&self, known: Known) -> Judgement {
        let (Some((unchanged, _)), Some((low, high))) = (&self.unchanged, known.interval) else {
            return Judgement::Unclear;
        };
        if self.sides[0].is_empty() || (low..=high).contains(unchanged) {
            Judgement::Unclear
        } else if self.is_better(known.value, *unchanged) {
            Judgement::Better
        } else {
            Judgement::Worse
        }
    }

    /// Whether one value is better than another.
    pub fn is_better(&self, one: f64, other: f64) -> bool {
        if self.is_cost { one < other } else { one > other }
    }

    /// A value with its interval in words.
    pub fn text(&self, known: Known) -> String {
        let value = self.seen.number(known.value);
        match known.spread() {
            None => value,
            Some((low, high)) if self.is_ratio || self.seen.is_percent() => {
                format!("{value} ({} to {})", self.seen.number(low), self.seen.number(high))
            }
            Some((low, high)) => format!("{value} ± {}", self.seen.half_width((high - low) / 2.0)),
        }
    }
}

/// Most lines of one picture of intervals.
pub const MOST_LINES: usize = 60;

/// Values with their intervals, one below the other.
#[derive(Debug, Clone)]
pub struct Intervals {
    /// What the picture shows.
    pub title: String,
    /// What the values are.
    pub quantity: Quantity,
    /// The lines from top to bottom.
    pub lines: Vec<Line>,
    /// What a reader has to know.
    pub note: String,
}

/// A line of [`Intervals`].
#[derive(Debug, Clone)]
pub enum Line {
    /// Words above the lines that follow.
    Heading(String),
    /// A value with its name, and whether it is marked.
    Value(String, Known, bool),
}

impl Intervals {
    /// The values of a column of a table, by the names in another.
    pub fn of(title: impl Into<String>, table: &Table, names: &str, value: &str, quantity: Quantity) -> Self {
        let line = |row: &Vec<Value>| Some(Line::Value(table.text(row, names), table.known(row, value)?, false));
        Self {
            title: title.into(),
            quantity,
            lines: table.rows.iter().filter_map(line).collect(),
            note: String::new(),
        }
    }

    /// The picture with this note.
    #[must_use]
    pub fn note(self, note: impl Into<String>) -> Self {
        Self {
            note: note.into(),
            ..self
        }
    }
}

/// Curves between two axes.
#[derive(Debug, Clone, Default)]
pub struct Lines {
    /// What the picture shows.
    pub title: String,
    /// From left to right.
    pub x: Quantity,
    /// From bottom to top.
    pub y: Quantity,
    /// The curves.
    pub curves: Vec<Curve>,
    /// What a reader has to know.
    pub note: String,
    /// The names of some points of the first curve, by their places on the axis.
    pub labels: Vec<(f64, String)>,
    /// Values of y to compare the curves with, and their meanings.
    pub levels: Vec<(f64, String)>,
    /// Whether the text of a command has the curves as a table.
    pub in_text: bool,
}

/// A curve.
#[derive(Debug, Clone)]
pub struct Curve {
    /// Its name.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<(f64, Known)>,
    /// Whether its intervals are a band. Otherwise each point has a bar.
    pub has_band: bool,
}

impl Curve {
    /// A curve for each text in a column: the values of column `y` over those of column `x`.
    pub fn all(table: &Table, names: &str, x: &str, y: &str) -> Vec<Self> {
        let curve = |name: String| {
            let rows = table.rows.iter().filter(|row| table.text(row, names) == name);
            let points = rows.filter_map(|row| Some((table.number(row, x)?, table.known(row, y)?)));
            Self {
                points: points.collect(),
                has_band: false,
                name,
            }
        };
        table.names(names).into_iter().map(curve).collect()
    }
}

/// Bars, one below the other, or upright side by side.
#[derive(Debug, Clone, Default)]
pub struct Bars {
    /// What the picture shows.
    pub title: String,
    /// What their lengths are.
    pub quantity: Quantity,
    /// The name of each bar, its length, and what it says.
    pub bars: Vec<(String, f64, String)>,
    /// The length of the axis.
    pub most: f64,
    /// What the numbers of many bars are, from 1. Such bars stand upright, and have their names where the mouse is.
    pub numbered: Option<String>,
    /// What a reader has to know.
    pub note: String,
}

/// Values by two names.
#[derive(Debug, Clone)]
pub struct Map {
    /// What the picture shows.
    pub title: String,
    /// What the rows are.
    pub down: String,
    /// What the columns are.
    pub right: String,
    /// The names of the rows, from top to bottom.
    pub rows: Vec<String>,
    /// The names of the columns, from left to right.
    pub columns: Vec<String>,
    /// The values.
    pub cells: Vec<MapCell>,
    /// What a reader has to know: what the numbers in the cells are, what the marks mean.
    pub note: String,
}

/// A value of a map.
#[derive(Debug, Clone)]
pub struct MapCell {
    /// Its row, from 0.
    pub row: usize,
    /// Its column, from 0.
    pub column: usize,
    /// How strongly it is coloured: -1 (worse) to 1 (better).
    pub level: f64,
    /// What stands in it.
    pub text: String,
    /// More about it.
    pub detail: String,
    /// How it differs from the others.
    pub mark: Mark,
}

/// How a cell differs from the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mark {
    /// Not at all.
    #[default]
    None,
    /// It has too few moves or games for a colour.
    Few,
    /// It is the best.
    Best,
    /// It is where the others come from.
    Start,
}

/// A position with moves.
#[derive(Debug, Clone)]
pub struct Board {
    /// The name of the position.
    pub title: String,
    /// The position.
    pub fen: String,
    /// The moves in UCI notation, whether each is right, and what it is.
    pub moves: Vec<(String, bool, String)>,
    /// Sentences below the board.
    pub text: Vec<String>,
}

macro_rules! pictures {
    ($($Name:ident)+) => {$(
        impl From<$Name> for Picture {
            fn from(picture: $Name) -> Self {
                Self::$Name(picture)
            }
        }
    )+};
}
pictures! { Intervals Lines Bars Map Board }
