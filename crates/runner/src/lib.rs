//! Plays tournaments between engines and records them.
//!
//! This crate plays and counts, and tells what happens as [events](conduct::event::Event); it prints nothing. The
//! [recorder](record::recorder::Recorder) turns games into files.

pub mod conduct;
pub mod failure;
pub mod game;
pub mod hash;
pub mod interrupt;
pub mod opening_maker;
pub mod openings;
pub mod player;
mod processors;
pub mod project;
pub mod rating;
pub mod record;
pub mod summary;
pub mod tournament;
pub mod utc;
