//! Who listens while a position is evaluated.

use cozy_chess::Color;

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
