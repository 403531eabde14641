//! Values with their intervals, one below the other.

use std::collections::BTreeSet;

use super::measures::Known;
use crate::chart::axis::Axis;
use crate::chart::{Chart, Layer, Picture, Point};

/// Most lines of one picture.
pub(super) const MOST_LINES: usize = 60;

/// A line of the picture.
#[derive(Debug, Clone)]
pub(super) enum Line {
    /// Words above the lines that follow.
    Heading(String),
    /// A value.
    Value(Dot),
}

/// A value.
#[derive(Debug, Clone)]
pub(super) struct Dot {
    pub(super) name: String,
    pub(super) known: Known,
    /// Which mark it has.
    pub(super) series: usize,
    /// The text that appears when the mouse is over it.
    pub(super) hover: String,
}

/// The picture without its lines.
pub(super) struct Dots {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) description: String,
    pub(super) note: String,
    pub(super) x: Axis,
    /// What the names are: `rules`, `depth (plies)`.
    pub(super) names: String,
    pub(super) legend: Vec<(usize, String)>,
    /// The value that means no change, and its name.
    pub(super) upright: Option<(f64, String)>,
}

impl Dots {
    /// Draws it with these lines, from top to bottom.
    pub(super) fn draw(self, lines: &[Line]) -> Picture {
        // The name of the vertical line is written above the first value.
        let room = self.upright.as_ref().map(|_| Line::Heading(String::new()));
        let lines: Vec<&Line> = room.iter().chain(lines).collect();
        let names = lines.iter().map(|line| match line {
            Line::Heading(text) => text.clone(),
            Line::Value(dot) => dot.name.clone(),
        });
        let y = Axis::names(self.names, names.collect()).reversed();
        let mut layers: Vec<Layer> = Vec::new();
        layers.extend(self.upright.map(|(value, text)| Layer::Upright(value, text)));
        let series: BTreeSet<usize> = lines.iter().filter_map(|line| line.series()).collect();
        for series in series {
            let points = lines.iter().enumerate().filter_map(|(index, line)| match line {
                Line::Value(dot) if dot.series == series => Some(Point {
                    at: (dot.known.value, index as f64),
                    across: dot.known.spread(),
                    hover: dot.hover.clone(),
                    ..Point::default()
                }),
                _ => None,
            });
            layers.push(Layer::Points(series, points.collect()));
        }
        Chart {
            id: self.id,
            title: self.title,
            description: self.description,
            x: self.x,
            y,
            // Room for the name of the axis, too.
            height: (30.0 + 25.0 * lines.len() as f64).max(125.0),
            legend: self.legend,
            note: self.note,
            layers,
        }
        .draw()
    }
}

impl Line {
    fn series(&self) -> Option<usize> {
        match self {
            Self::Heading(_) => None,
            Self::Value(dot) => Some(dot.series),
        }
    }
}
