//! The axes of a chart with their ticks and the grid between them, and where a value is on the picture.

use super::axis::Axis;
use super::style::{LETTERS, LONGEST_TICK};
use super::svg::{Anchor, Dash, Elements, Ink, Words, shortened};

/// The area between the axes.
pub(super) struct Frame<'f> {
    pub(super) x: &'f Axis,
    pub(super) y: &'f Axis,
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

impl Frame<'_> {
    /// Where these values are; values beyond an axis are at its end.
    pub(super) fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (
            self.left + self.x.share(x) * (self.right - self.left),
            self.bottom - self.y.share(y) * (self.bottom - self.top),
        )
    }

    /// Draws the axes, and the grid where it is wanted.
    pub(super) fn draw(&self, out: &mut Elements, has_grid: bool) {
        let across = self.x.ticks(9).into_iter();
        let across: Vec<(f64, f64)> = across.map(|tick| (tick, self.place((tick, 0.0)).0)).collect();
        let upwards = self.y.ticks(6).into_iter();
        let upwards: Vec<(f64, f64)> = upwards.map(|tick| (tick, self.place((0.0, tick)).1)).collect();
        if has_grid {
            for (_, x) in &across {
                out.line((*x, self.bottom), (*x, self.top), Ink::Grid, 1.0, Dash::Solid);
            }
            for (_, y) in &upwards {
                out.line((self.left, *y), (self.right, *y), Ink::Grid, 1.0, Dash::Solid);
            }
        }
        let corner = (self.left, self.bottom);
        out.line(corner, (self.right, self.bottom), Ink::Axis, 1.0, Dash::Solid);
        out.line(corner, (self.left, self.top), Ink::Axis, 1.0, Dash::Solid);
        let text = |axis: &Axis, tick: f64| shortened(&axis.text(tick), LETTERS, LONGEST_TICK);
        let label = |anchor: Anchor| Words {
            anchor,
            ..Words::note("", LETTERS)
        };
        for (tick, x) in across {
            out.line((x, self.bottom), (x, self.bottom + 3.0), Ink::Axis, 1.0, Dash::Solid);
            let words = Words {
                text: &text(self.x, tick),
                ..label(Anchor::Middle)
            };
            out.words((x, self.bottom + 6.0 + 0.8 * LETTERS), words);
        }
        for (tick, y) in upwards {
            out.line((self.left - 3.0, y), (self.left, y), Ink::Axis, 1.0, Dash::Solid);
            let words = Words {
                text: &text(self.y, tick),
                ..label(Anchor::End)
            };
            out.words((self.left - 6.0, y + 0.35 * LETTERS), words);
        }
        let middle = ((self.left + self.right) / 2.0, (self.top + self.bottom) / 2.0);
        out.words(
            (middle.0, self.bottom + 44.0 - 0.2 * LETTERS),
            Words::centred(&self.x.name, LETTERS),
        );
        let name = Words {
            upwards: true,
            ..Words::centred(&self.y.name, LETTERS)
        };
        out.words((8.0 + 0.8 * LETTERS, middle.1), name);
    }
}
