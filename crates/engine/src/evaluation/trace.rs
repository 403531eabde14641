//! Who listens while a position is evaluated.

use cozy_chess::Color;

use crate::weights::{Tapered, WEIGHTS};

/// Hears of every weight that an evaluation counts.
pub(crate) trait Trace {
    /// Whether anything is heard at all: what is only counted for a trace is left out otherwise.
    const LISTENS: bool;

    /// A side has a weight so many times.
    fn add(&mut self, color: Color, weight: usize, count: i32);
}

/// A search listens to nothing, and pays nothing.
impl Trace for () {
    const LISTENS: bool = false;

    #[inline(always)]
    fn add(&mut self, _: Color, _: usize, _: i32) {}
}

/// A weight so many times, told to `trace`.
#[inline(always)]
pub(super) fn weight<T: Trace>(trace: &mut T, color: Color, index: usize, count: i32) -> Tapered {
    trace.add(color, index, count);
    WEIGHTS[index] * count
}
