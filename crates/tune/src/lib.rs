//! Tuning: finds the numbers with which an engine plays best, by pairs of games between two settings.
//!
//! A [`Method`] returns the pairs to play next and learns from their outcomes. The default is [`surface`], which fits a
//! model of the strength to all pairs so far; [`spsa`] is the method of fishtest and OpenBench. Both depend on the seed and on
//! the outcomes alone, so a repeated run gives the same values on any number of threads.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod choice;
mod files;
mod fishtest;
pub mod gate;
pub mod idea;
mod idea_switch;
pub mod learning;
mod method;
pub mod parameter;
pub mod plan;
mod policy_file;
pub mod random;
pub mod result;
#[cfg(test)]
mod simulated;
pub mod spsa;
pub mod staged;
pub mod steering;
pub mod subject;
pub mod surface;
pub mod trial;
pub mod trial_outcome;
mod tuning_outcome;
pub mod tuning_pairs;
pub mod tuning_run;

pub use method::{Interaction, Method, PairResult, Probe};
