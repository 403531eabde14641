//! What is drawn between the axes of a chart.

/// A point with its errors.
#[derive(Debug, Clone, Default)]
pub struct Point {
    /// Where it is.
    pub at: (f64, f64),
    /// From where to where it may be, along x.
    pub across: Option<(f64, f64)>,
    /// From where to where it may be, along y.
    pub along: Option<(f64, f64)>,
    /// What it says when it is pointed at.
    pub hover: String,
    /// What stands beside it.
    pub label: Option<String>,
}

/// A rectangle in the chart.
#[derive(Debug, Clone)]
pub struct Bar {
    /// From where to where along x.
    pub x: (f64, f64),
    /// From where to where along y.
    pub y: (f64, f64),
    /// What it says when it is pointed at.
    pub hover: String,
    /// What stands above it, or behind a bar that lies.
    pub text: String,
}

/// A cell of a map.
#[derive(Debug, Clone)]
pub struct Cell {
    /// Its column, from 0.
    pub column: usize,
    /// Its row, from 0.
    pub row: usize,
    /// How strongly it is coloured: -1 to 1.
    pub level: f64,
    /// What stands in it.
    pub text: String,
    /// What it says when it is pointed at.
    pub hover: String,
    /// What makes it unlike the others.
    pub mark: Mark,
}

/// What makes a cell unlike the others. The note of the picture says what it means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mark {
    /// Nothing.
    #[default]
    None,
    /// A dotted frame in the place of a colour.
    Bare,
    /// A frame.
    Framed,
    /// A frame of dashes.
    Dashed,
}

/// Something that is drawn between the axes. A series is a number from 0: it decides colour, dash and mark.
#[derive(Debug, Clone)]
pub enum Layer {
    /// A line of a series through points, from left to right.
    Line(usize, Vec<(f64, f64)>),
    /// What lies between two lines of a series: x, low and high.
    Band(usize, Vec<(f64, f64, f64)>),
    /// Points of a series, with errors.
    Points(usize, Vec<Point>),
    /// Bars of a series.
    Bars(usize, Vec<Bar>),
    /// Cells of a map of named columns and rows.
    Cells(Vec<Cell>),
    /// A line across the chart at a value of y, with its meaning.
    Level(f64, String),
    /// A line from top to bottom at a value of x, with its meaning.
    Upright(f64, String),
}

impl Layer {
    /// A line through points that have marks, and say this when they are pointed at.
    pub fn marked(series: usize, points: Vec<(f64, f64)>, hover: impl Fn((f64, f64)) -> String) -> [Self; 2] {
        let marks = points.iter().map(|at| Point {
            at: *at,
            hover: hover(*at),
            ..Point::default()
        });
        let marks = marks.collect();
        [Self::Line(series, points), Self::Points(series, marks)]
    }
}
