//! Plays the parts of a run on many machines, and merges their results.
//!
//! - [`part`] is a part of a run in a folder of its own; [`worker`] plays it, on any [`host`].
//! - [`merge`] merges the parts of a run that were played without a coordinator.
//! - [`executor`] places parts on machines: processes here, Slurm, or any command such as ssh.
//! - [`coordinator`] cuts a run into parts, has an executor play them, and records what comes back.

pub mod coordinator;
pub mod executor;
pub mod host;
pub mod merge;
pub mod part;
pub mod worker;
