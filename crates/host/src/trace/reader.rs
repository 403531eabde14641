//! Reads a trace.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read};

use super::header::TraceHeader;
use super::record::Record;

/// The most bytes of a header.
const MAX_HEADER_BYTES: usize = 1 << 20;

/// Why a trace cannot be read: the file, its header or a record is wrong.
#[derive(Debug)]
pub struct TraceError(String);

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TraceError {}

impl From<io::Error> for TraceError {
    fn from(error: io::Error) -> Self {
        Self(error.to_string())
    }
}

/// A trace that is being read: its header, and its records one after the other.
///
/// An incomplete record at the end of a file is left out; [`TraceReader::cut_bytes`] counts its bytes.
#[derive(Debug)]
pub struct TraceReader<R> {
    input: BufReader<R>,
    header: TraceHeader,
    /// The bytes of a record.
    buffer: Vec<u8>,
    number: u64,
    cut_bytes: usize,
    ended: bool,
}

impl<R: Read> TraceReader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// When the input cannot be read, or is no trace.
    pub fn new(input: R) -> Result<Self, TraceError> {
        let mut input = BufReader::new(input);
        let mut lines = Vec::new();
        let mut left = MAX_HEADER_BYTES as u64;
        loop {
            let mut line = Vec::new();
            left -= input.by_ref().take(left).read_until(b'\n', &mut line)? as u64;
            let complete = line.pop_if(|byte| *byte == b'\n').is_some();
            let line = String::from_utf8(line).unwrap_or_default();
            if lines.is_empty() {
                TraceHeader::check_first(&line).map_err(TraceError)?;
            }
            if !complete {
                let message = "the header of the trace does not end with `end`";
                return Err(TraceError(message.to_owned()));
            }
            if line == "end" {
                break;
            }
            lines.push(line);
        }
        let header = TraceHeader::parse(&lines).map_err(TraceError)?;
        Ok(Self {
            buffer: Vec::new(),
            input,
            header,
            number: 0,
            cut_bytes: 0,
            ended: false,
        })
    }

    /// The header.
    pub fn header(&self) -> &TraceHeader {
        &self.header
    }

    /// After the last record: the number of bytes of an incomplete record; 0 when there is none.
    pub fn cut_bytes(&self) -> usize {
        self.cut_bytes
    }

    fn record(&mut self) -> Result<Option<Record>, TraceError> {
        self.buffer.clear();
        let length = self.header.record_bytes();
        let read = self.input.by_ref().take(length as u64).read_to_end(&mut self.buffer)?;
        if read < length {
            self.cut_bytes = read;
            return Ok(None);
        }
        self.number += 1;
        let record = Record::read(&self.buffer, self.header.numbers.len(), self.header.has_positions);
        let number = self.number;
        let damaged = |what| TraceError(format!("record {number} of the trace is damaged: {what}"));
        record.map(Some).map_err(damaged)
    }
}

impl<R: Read> Iterator for TraceReader<R> {
    type Item = Result<Record, TraceError>;

    /// The next record. After an error there are no more.
    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let record = self.record().transpose();
        self.ended = !matches!(record, Some(Ok(_)));
        record
    }
}
