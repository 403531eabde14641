//! The weights of the evaluation, and the piece-square tables for the incremental sum of a position.
//!
//! [`terms`] is the catalogue of the weights, `values` their fitted numbers.

mod piece_square;
mod tapered;
pub(crate) mod terms;
mod values;

pub(crate) use self::piece_square::{piece_square, square_weight};
pub(crate) use self::tapered::{FULL_PHASE, Tapered, phase_weight, t};
pub(crate) use self::values::WEIGHTS;
