//! The workbench: tournaments between search policies, their statistics, and the files that they leave behind.
//!
//! The core of this crate plays and counts, and tells what happens as [events](event::Event); it prints nothing. The
//! [commands] turn events into terminal output, the [recorder](record::recorder::Recorder) turns games into files.

pub mod commands;
pub mod evaluation_tuning;
pub mod event;
pub mod explanation;
pub mod failure;
pub mod hash;
pub mod interrupt;
pub mod lab;
pub mod opening_maker;
pub mod openings;
pub mod perft_suite;
pub mod player;
pub mod progress;
pub mod project;
pub mod rating;
pub mod record;
pub mod stats;
pub mod summary;
pub mod tournament;
pub mod tuning;
pub mod utc;
