//! Traces: what an engine did with a sample of its late moves.
//!
//! A trace is a header of text lines up to the line `end`, and then records of equal length, each appended whole. `header.rs`
//! and `record.rs` write and read the two, `writer.rs` writes a file, and `reader.rs` reads one.

mod header;
mod reader;
mod record;
mod writer;

pub(crate) use header::in_line;
pub use header::{Shadow, TraceHeader, TracedPolicy};
pub use reader::{TraceError, TraceReader};
pub use record::{MoveResult, Record, RecordKind, TracedPosition};
pub(crate) use writer::TraceWriter;
