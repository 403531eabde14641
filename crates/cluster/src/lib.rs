//! Plays the parts of a run on many machines, and merges their results.
//!
//! - [`part`] is a part of a run in a folder of its own; [`worker`] plays it, on any [`host`].
//! - [`merge`] merges the parts of a run that were played without a coordinator.
//! - [`executor`] cuts a run into parts, starts a command for each of them, and records what comes back.

pub mod executor;
pub mod host;
pub mod merge;
pub mod part;
pub mod worker;
