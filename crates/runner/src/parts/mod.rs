//! Plays the parts of a run, here or on many machines, and merges their results.
//!
//! [`PartFolder`] is a part in a folder of its own. [`play`] plays it, on any machine. [`merge`] merges the parts of a run
//! that were played without a coordinator. [`executor`] cuts a run into parts, starts a command for each of them, and
//! records what comes back.
//!
//! | file of a part | content | written by |
//! |---|---|---|
//! | manifest.toml | the run, with `[part]` | what cuts the run into parts |
//! | tasks.csv | the pairs to play, with their openings | what cuts the run into parts |
//! | games.csv, journal.sha256, timings.csv | as of every run | what plays the part |
//! | completion.toml | where and with which program it was played, and the digests of the other files | what plays it, at the end |
//!
//! Only one process writes to the folder of a part. Results are accepted only if the digests match: they show that a
//! file is truncated, or is of another part.

mod choice;
mod completion;
pub mod executor;
mod folder;
pub mod machine_name;
pub mod merge;
pub mod play;

pub use self::choice::{PartChoice, Whole};
pub use self::completion::Completion;
pub use self::folder::{PartFolder, Rejected};
