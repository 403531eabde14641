//! Tuning: finds the numbers with which an engine plays best, by pairs of games between two settings. A trial measures
//! many ideas in the same games.
//!
//! - [`plan`] reads the file of a run; [`new_run`] makes one of options. [`subject`] is what is tuned: parameters, or the ideas of a trial.
//! - A [`Method`] returns the pairs to play next and learns from their outcomes. The default is [`methods::surface`], which fits
//!   a model of the strength to all pairs so far; [`methods::spsa`] is the method of fishtest and OpenBench. They depend on
//!   the seed and on the outcomes alone, so a repeated run gives the same values on any number of threads.
//! - [`run`] plays and resumes a run; [`trial_settings`] is a trial in several settings, each with a run.
//! - [`outcome`] says what was found.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod methods;
pub mod new_run;
pub mod outcome;
pub mod plan;
pub mod run;
pub mod subject;
pub mod trial_settings;

pub use methods::{Interaction, Method, PairResult, Probe};
