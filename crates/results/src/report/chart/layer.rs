//! What is drawn between the axes of a chart.

use crate::outcome::picture::MapCell;

/// A dot with its errors.
#[derive(Debug, Clone, Default)]
pub struct Dot {
    /// Where it is.
    pub at: (f64, f64),
    /// Its interval along x: the low and the high end.
    pub across: Option<(f64, f64)>,
    /// Its interval along y: the low and the high end.
    pub along: Option<(f64, f64)>,
    /// The text that appears when the mouse is over it.
    pub hover: String,
    /// The text beside it.
    pub label: Option<String>,
}

/// A rectangle in the chart.
#[derive(Debug, Clone)]
pub struct Bar {
    /// The left and the right end.
    pub x: (f64, f64),
    /// The low and the high end.
    pub y: (f64, f64),
    /// The text that appears when the mouse is over it.
    pub hover: String,
    /// The text above the bar, or to the right of a horizontal one.
    pub text: String,
}

/// Something that is drawn between the axes. A series is a number from 0: it decides colour, dash and mark.
#[derive(Debug, Clone)]
pub enum Layer {
    /// A line of a series through points, from left to right.
    Line(usize, Vec<(f64, f64)>),
    /// The area between two lines of a series: x, low and high.
    Band(usize, Vec<(f64, f64, f64)>),
    /// Points of a series, with errors.
    Points(usize, Vec<Dot>),
    /// Bars of a series.
    Bars(usize, Vec<Bar>),
    /// Cells of a map of named columns and rows. The text that appears when the mouse is over one is its detail.
    Cells(Vec<MapCell>),
    /// A line across the chart at a value of y, with its meaning.
    Level(f64, String),
    /// A line from top to bottom at a value of x, with its meaning.
    Upright(f64, String),
}

impl Layer {
    /// Whether it shows a value, and not only a place to compare values with.
    pub(super) fn has_values(&self) -> bool {
        match self {
            Self::Line(_, points) => !points.is_empty(),
            Self::Band(_, points) => !points.is_empty(),
            Self::Points(_, points) => !points.is_empty(),
            Self::Bars(_, bars) => !bars.is_empty(),
            Self::Cells(cells) => !cells.is_empty(),
            Self::Level(..) | Self::Upright(..) => false,
        }
    }
}
