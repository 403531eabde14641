//! Errors that point at the line and column of a file, and TOML values with their places.
//!
//! Every configuration file of the project is read through this crate. A reader asks a [`TomlTable`] for the keys that it
//! knows. The table checks kinds and ranges, and [`TomlTable::close`] reports the keys that no reader has asked for. All mistakes of
//! a file are reported at once, each with its place and, where possible, with the [nearest] correct name.
//!
//! [`failure`] says why a command failed, and its exit status. [`built_in`] and [`Files`] find configuration files, built in or on disk, and
//! remember which ones were read. [`cut`] and [`number_text`] write foreign text and numbers.
//!
//! ```
//! use lmrlab_diagnostics::{Document, Source};
//!
//! let source = Source::new("search.toml", "depth = 200\nhsah = 16\n");
//! let document = Document::parse(source)?;
//! let root = document.root();
//! let depth = root.integer("depth", 1..=128);
//! let hash = root.integer("hash", 1..=1024);
//! root.close();
//!
//! let errors = document.finish(depth.zip(hash)).unwrap_err();
//! assert_eq!(
//!     errors.to_string(),
//!     "\
//! error: `depth` is 200, out of range
//!  --> search.toml:1:9
//!   |
//! 1 | depth = 200
//!   |         ^^^ must be from 1 to 128
//!
//! error: unknown key `hsah` at the top level
//!  --> search.toml:2:1
//!   |
//! 2 | hsah = 16
//!   | ^^^^ nothing reads this
//!   |
//!   = help: did you mean `hash`?"
//! );
//! # Ok::<(), lmrlab_diagnostics::Diagnostics>(())
//! ```

pub mod built_in;
mod configuration_files;
mod cut;
mod diagnostic;
mod document;
mod exact_number;
pub mod failure;
pub mod inputs;
mod nearest;
mod source;
mod source_file;
mod toml_table;
mod toml_value;

pub use configuration_files::{Files, MAX_SOURCE_BYTES, without_parents};
pub use cut::{SHOWN_CHARACTERS, cut};
pub use diagnostic::{Diagnostic, Diagnostics, Severity};
pub use document::{Document, Located, Text};
pub use exact_number::number_text;
pub use nearest::nearest;
pub use source::Source;
pub use toml_table::TomlTable;
pub use toml_value::{Entry, Node, Value};
