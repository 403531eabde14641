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
//! The first lines of the file describe its training data; crates/engine/README.md says which program wrote it.

mod accumulator;
mod file;
mod output;

use std::sync::LazyLock;

use cozy_chess::{Color, File, Piece, Square};

pub(crate) use self::accumulator::AccumulatorStack;

/// Inputs of one side: own and enemy pieces of six kinds on 64 squares.
const INPUTS: usize = 768;
/// Values of the hidden layer of one side.
const HIDDEN: usize = 256;
/// Output layers, by the number of pieces.
const OUTPUTS: usize = 8;
/// A hidden value of 1, as an integer.
const HIDDEN_UNIT: i16 = 255;
/// A weight of 1 of the output layer, as an integer. No weight is above 127, so that its product with [`HIDDEN_UNIT`] fits 16 bits.
const OUTPUT_UNIT: i16 = 64;

/// One row of weights, or the values of one hidden layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
struct Row([i16; HIDDEN]);

/// The weights of a network, as integers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Network {
    /// For each input, the weights to the hidden layer, in units of 1 / [`HIDDEN_UNIT`].
    inputs: Box<[Row; INPUTS]>,
    /// The biases of the hidden layer, in the same unit.
    hidden_biases: Row,
    /// For each output layer, the weights of the side to move and of the other side, in units of 1 / [`OUTPUT_UNIT`].
    outputs: [[Row; 2]; OUTPUTS],
    /// The biases of the output layers, in units of 1 / ([`HIDDEN_UNIT`] * [`OUTPUT_UNIT`]).
    output_biases: [i32; OUTPUTS],
    /// Centipawns of an output of 1.
    centipawns: i32,
}

/// The network of this engine.
static STANDARD: LazyLock<Network> =
    LazyLock::new(|| Network::read(include_bytes!("standard.network")).unwrap_or_else(Network::zero));

impl Network {
    /// The network of this engine.
    pub(crate) fn standard() -> &'static Self {
        &STANDARD
    }

    /// A network that adds nothing to any position.
    fn zero() -> Self {
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

#[cfg(test)]
mod tests;
