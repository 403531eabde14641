//! A part of a run: a folder with its tasks and its results.
//!
//! | file | content | written by |
//! |---|---|---|
//! | manifest.toml | the run, with `[part]` | what cuts the run into parts |
//! | tasks.csv | the pairs to play, with their openings | what cuts the run into parts |
//! | results.csv, journal.sha256 | a journal of the results, one line a pair, in the order of the tasks | what plays the part |
//! | completion.toml | where and with which program it was played, and the digests of the other files | what plays it, at the end |
//!
//! Only one process writes to the folder of a part. Results are accepted only if the digests match: they show that a
//! file is truncated, or is of another part.

mod build;
mod completion;
mod folder;

pub use self::build::Build;
pub use self::completion::Completion;
pub use self::folder::{PartFolder, Rejected, Returned};
