//! From hidden layers to centipawns.

use super::accumulator::Accumulator;
use super::{HIDDEN_UNIT, Network, OUTPUT_UNIT, OUTPUTS, Row};
use crate::position::Position;

impl Network {
    /// What the network adds to the structure of a position for the side to move, in centipawns.
    pub(crate) fn evaluate(&self, position: &Position) -> i32 {
        let mut accumulator = Accumulator::empty(self);
        accumulator.update(self, position);
        self.output(&accumulator, position)
    }

    /// As [`Network::evaluate`], with this accumulator.
    #[inline]
    pub(super) fn output(&self, accumulator: &Accumulator, position: &Position) -> i32 {
        let layer = output_layer(position.board().occupied().len());
        let us = position.side_to_move();
        let [own, enemy] = [us, !us].map(|side| &accumulator.hidden[side as usize]);
        let [own_weights, enemy_weights] = &self.outputs[layer];
        let sum = squared_sum(own, own_weights) + squared_sum(enemy, enemy_weights);
        let output = sum / i32::from(HIDDEN_UNIT) + self.output_biases[layer];
        let unit = i64::from(HIDDEN_UNIT) * i64::from(OUTPUT_UNIT);
        (i64::from(output) * i64::from(self.centipawns) / unit) as i32
    }
}

/// The sum of weights times hidden values, which are clipped and squared.
#[inline]
fn squared_sum(hidden: &Row, weights: &Row) -> i32 {
    hidden.0.iter().zip(&weights.0).fold(0_i32, |sum, (value, weight)| {
        let value = (*value).clamp(0, HIDDEN_UNIT);
        sum.wrapping_add(i32::from(value) * i32::from(value.wrapping_mul(*weight)))
    })
}

/// The output layer for a number of pieces, kings and pawns included.
#[inline]
pub(super) fn output_layer(pieces: u32) -> usize {
    (pieces.saturating_sub(2) as usize / 4).min(OUTPUTS - 1)
}
