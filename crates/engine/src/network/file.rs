//! The file of a network: a text that says how it was made, a zero byte, and the numbers in little-endian order.

use super::{HIDDEN, INPUTS, Network, OUTPUTS, Row};

/// Bytes that are not a network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NetworkFileError {
    /// No zero byte ends the text at the beginning.
    #[error("no zero byte ends the text at the beginning")]
    NoHeader,
    /// The number of bytes after the text is another one than that of this engine's networks.
    #[error("{0} bytes of numbers; a network with {HIDDEN} hidden values has {NUMBER_BYTES}")]
    Length(usize),
}

/// The text at the beginning, and the bytes of the numbers.
fn split(bytes: &[u8]) -> Result<(&[u8], &[u8]), NetworkFileError> {
    let end = bytes
        .iter()
        .position(|byte| *byte == 0)
        .ok_or(NetworkFileError::NoHeader)?;
    Ok((&bytes[..end], &bytes[end + 1..]))
}

/// Rows of 16-bit numbers: the input weights, the hidden biases and the output weights.
const ROWS: usize = INPUTS + 1 + 2 * OUTPUTS;
/// Numbers of 32 bits: the output biases and the centipawns of an output of 1.
const LONG_NUMBERS: usize = OUTPUTS + 1;

/// The bytes of the numbers.
const NUMBER_BYTES: usize = 2 * ROWS * HIDDEN + 4 * LONG_NUMBERS;

impl Network {
    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// When the bytes are not a network, or one of another size.
    pub fn read(bytes: &[u8]) -> Result<Self, NetworkFileError> {
        let (_, numbers) = split(bytes)?;
        if numbers.len() != NUMBER_BYTES {
            return Err(NetworkFileError::Length(numbers.len()));
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
        Ok(network)
    }

    /// The text at the beginning of a file. It says how the network was made.
    ///
    /// # Errors
    /// When the bytes have no such text.
    pub fn header(bytes: &[u8]) -> Result<String, NetworkFileError> {
        split(bytes).map(|(header, _)| String::from_utf8_lossy(header).into_owned())
    }

    /// The bytes of its file. `header` says how it was made; it has no zero byte.
    pub fn write(&self, header: &str) -> Vec<u8> {
        let mut bytes = header.as_bytes().to_vec();
        bytes.push(0);
        let numbers = self.rows().flat_map(|row| row.0);
        bytes.extend(numbers.flat_map(i16::to_le_bytes));
        let biases = self.output_biases.into_iter().chain([self.centipawns]);
        bytes.extend(biases.flat_map(i32::to_le_bytes));
        bytes
    }

    /// All rows, in the order of the file.
    fn rows(&self) -> impl Iterator<Item = &Row> {
        self.inputs
            .iter()
            .chain([&self.hidden_biases])
            .chain(self.outputs.as_flattened())
    }

    fn rows_mut(&mut self) -> impl Iterator<Item = &mut Row> {
        self.inputs
            .iter_mut()
            .chain([&mut self.hidden_biases])
            .chain(self.outputs.as_flattened_mut())
    }
}
