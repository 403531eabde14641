//! A part of a run: a folder with everything that is to be played, and with what came of it.
//!
//! | file | what it has | who writes it |
//! |---|---|---|
//! | manifest.toml | the run, with `[part]` | who cuts the run into parts |
//! | tasks.csv | the pairs to play, with their openings | who cuts the run into parts |
//! | results.csv, journal.sha256 | a journal of the results, one line a pair, in the order of the tasks | who plays the part |
//! | completion.toml | where and with which program it was played, and the digests of the other files | who plays it, at the end |
//!
//! A folder belongs to one attempt at a part: nobody else writes to it. Whoever reads results believes only what fits: the
//! digests say whether a file was cut short or is of another part.

mod completion;
mod folder;
mod program;

pub use self::completion::Completion;
pub(crate) use self::folder::in_a_line;
pub use self::folder::{PartFolder, Rejected};
pub use self::program::Program;
