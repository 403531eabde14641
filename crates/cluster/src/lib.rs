//! Plays the parts of a run on many machines, and puts them together again.
//!
//! - [`part`] is a part of a run in a folder of its own; [`worker`] plays it, on any [`host`].
//! - [`merge`] puts the parts of a run together, when all were played by themselves.
//! - [`executor`] places parts on machines: processes here, Slurm, or any command such as ssh.
//! - [`dispatch`] decides which pairs make a part, how many are played ahead, and what is tried again or checked. It knows
//!   neither files nor clocks, so that a simulation can drive it.
//! - [`simulation`] drives it on machines that are made up, to see what ten thousand of them would do.

pub mod dispatch;
pub mod executor;
pub mod head;
pub mod host;
pub mod merge;
pub mod part;
pub mod simulation;
pub mod worker;
