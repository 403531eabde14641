//! The file of a network: a text that says how it was made, a zero byte, and the numbers in little-endian order.

use super::{HIDDEN, INPUTS, Network, OUTPUTS, Row};

/// Rows of 16-bit numbers: the input weights, the hidden biases and the output weights.
const ROWS: usize = INPUTS + 1 + 2 * OUTPUTS;
/// Numbers of 32 bits: the output biases and the centipawns of an output of 1.
const LONG_NUMBERS: usize = OUTPUTS + 1;

/// The bytes of the numbers.
const NUMBER_BYTES: usize = 2 * ROWS * HIDDEN + 4 * LONG_NUMBERS;

impl Network {
    /// Reads the bytes of a file; `None` when they are not a network of this size.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let end = bytes.iter().position(|byte| *byte == 0)?;
        let numbers = &bytes[end + 1..];
        if numbers.len() != NUMBER_BYTES {
            return None;
        }
        let (short, long) = numbers.split_at(2 * ROWS * HIDDEN);
        let mut short = short.as_chunks::<2>().0.iter().map(|bytes| i16::from_le_bytes(*bytes));
        let mut long = long.as_chunks::<4>().0.iter().map(|bytes| i32::from_le_bytes(*bytes));
        let mut network = Self::zero();
        for place in network.rows_mut().flat_map(|row| &mut row.0) {
            *place = short.next().unwrap_or_default();
        }
        for place in network.output_biases.iter_mut().chain([&mut network.centipawns]) {
            *place = long.next().unwrap_or_default();
        }
        Some(network)
    }

    /// All rows, in the order of the file.
    fn rows_mut(&mut self) -> impl Iterator<Item = &mut Row> {
        self.inputs
            .iter_mut()
            .chain([&mut self.hidden_biases])
            .chain(self.outputs.as_flattened_mut())
    }
}
