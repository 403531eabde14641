//! The trace of an evaluation: which weights it adds, and how often.

use cozy_chess::Color;

use crate::weights::{Tapered, WEIGHTS};

/// Receives every weight that an evaluation adds.
pub(crate) trait Trace {
    /// Whether the trace is read. When not, work that only serves the trace is skipped.
    const ACTIVE: bool;

    /// Adds a weight `count` times for a side.
    fn add(&mut self, color: Color, weight: usize, count: i32);
}

/// No trace: the search evaluates at full speed.
impl Trace for () {
    const ACTIVE: bool = false;

    #[inline(always)]
    fn add(&mut self, _: Color, _: usize, _: i32) {}
}

/// A weight times `count`; adds it to the trace.
#[inline(always)]
pub(super) fn weight<T: Trace>(trace: &mut T, color: Color, index: usize, count: i32) -> Tapered {
    trace.add(color, index, count);
    WEIGHTS[index] * count
}
