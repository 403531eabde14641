//! A small neural network in the evaluation. Moves update its hidden layer (Yu Nasu, "Efficiently Updatable
//! Neural-Network-based Evaluation Functions for Computer Shogi", 2018).
//!
//! Each side sees the board from its own point of view: own and enemy pieces by kind and square, mirrored so that its king
//! stands on the files a to d. What a side sees becomes the values of its hidden layer, an accumulator. The output layer
//! reads those of the side to move and of the other side, clipped and squared. It has weights of its own for each number of
//! pieces on the board.
//!
//! The output is added to the terms that caches hold: material, piece squares, pawn structure and king shelter. So the
//! network has to learn only how pieces work together.
//!
//! `lmrlab-workshop train` writes the file of the network. The first lines of the file describe its training data.

mod accumulator;
mod file;

use std::sync::LazyLock;

use cozy_chess::{Color, File, Piece, Square};

use self::accumulator::Accumulator;
pub(crate) use self::accumulator::AccumulatorStack;
pub use self::file::NetworkFileError;
use crate::position::Position;

/// Inputs of one side: own and enemy pieces of six kinds on 64 squares.
pub const INPUTS: usize = 768;
/// Values of the hidden layer of one side.
pub const HIDDEN: usize = 256;
/// Output layers, by the number of pieces.
pub const OUTPUTS: usize = 8;
/// A hidden value of 1, as an integer.
pub const HIDDEN_UNIT: i16 = 255;
/// A weight of 1 of the output layer, as an integer.
pub const OUTPUT_UNIT: i16 = 64;
/// The greatest absolute value of an integer weight of the output layer: its product with [`HIDDEN_UNIT`] fits 16 bits.
pub const MAX_OUTPUT_WEIGHT: i16 = 127;

/// One row of weights, or the values of one hidden layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
pub struct Row(pub [i16; HIDDEN]);

/// The weights of a network, as integers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Network {
    /// For each input, the weights to the hidden layer, in units of 1 / [`HIDDEN_UNIT`].
    pub inputs: Box<[Row; INPUTS]>,
    /// The biases of the hidden layer, in the same unit.
    pub hidden_biases: Row,
    /// For each output layer, the weights of the side to move and of the other side, in units of 1 / [`OUTPUT_UNIT`].
    pub outputs: [[Row; 2]; OUTPUTS],
    /// The biases of the output layers, in units of 1 / ([`HIDDEN_UNIT`] * [`OUTPUT_UNIT`]).
    pub output_biases: [i32; OUTPUTS],
    /// Centipawns of an output of 1.
    pub centipawns: i32,
}

/// The network of this engine.
static STANDARD: LazyLock<Network> =
    LazyLock::new(|| Network::read(include_bytes!("standard.network")).unwrap_or_else(|_| Network::zero()));

impl Network {
    /// The network of this engine.
    pub fn standard() -> &'static Self {
        &STANDARD
    }

    /// A network that adds nothing to any position.
    pub fn zero() -> Self {
        const ZERO: Row = Row([0; HIDDEN]);
        let inputs = vec![ZERO; INPUTS].into_boxed_slice();
        Self {
            inputs: inputs.try_into().unwrap_or_else(|_| Box::new([ZERO; INPUTS])),
            hidden_biases: ZERO,
            outputs: [[ZERO; 2]; OUTPUTS],
            output_biases: [0; OUTPUTS],
            centipawns: 0,
        }
    }

    /// What the network adds to the structure of a position for the side to move, in centipawns.
    pub fn evaluate(&self, position: &Position) -> i32 {
        let mut accumulator = Accumulator::empty(self);
        accumulator.update(self, position);
        self.output(&accumulator, position)
    }

    /// As [`Network::evaluate`], with this accumulator.
    #[inline]
    fn output(&self, accumulator: &Accumulator, position: &Position) -> i32 {
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
pub fn output_layer(pieces: u32) -> usize {
    (pieces.saturating_sub(2) as usize / 4).min(OUTPUTS - 1)
}

/// How a side sees the squares of the board: it mirrors them by its colour and by the file of its king.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct View {
    side: Color,
    /// Bits of the square's index to flip.
    flip: usize,
}

impl View {
    #[inline]
    fn of(side: Color, king: Square) -> Self {
        let ranks = if side == Color::White { 0 } else { 56 };
        let files = if king.file() >= File::E { 7 } else { 0 };
        Self {
            side,
            flip: ranks ^ files,
        }
    }

    #[inline]
    fn input(self, color: Color, piece: Piece, square: Square) -> usize {
        let kind = piece as usize + if color == self.side { 0 } else { Piece::NUM };
        kind * Square::NUM + (square as usize ^ self.flip)
    }
}

/// The inputs that are 1 in a position, seen by one side.
pub fn active_inputs(position: &Position, side: Color) -> impl Iterator<Item = usize> {
    let view = View::of(side, position.board().king(side));
    Color::ALL.into_iter().flat_map(move |color| {
        Piece::ALL.into_iter().flat_map(move |piece| {
            position
                .pieces(color, piece)
                .into_iter()
                .map(move |square| view.input(color, piece, square))
        })
    })
}

#[cfg(test)]
mod tests;
