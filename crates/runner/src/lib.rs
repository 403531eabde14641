//! Plays tournaments between engines and records them.
//!
//! This crate plays and counts, and tells what happens as [events](conduct::event::Event); it prints nothing. The
//! [recorder](record::recorder::Recorder) turns games into files.

pub mod conduct;
pub mod epd;
pub mod failure;
pub mod game;
pub mod interrupt;
pub mod number_text;
pub mod opening_maker;
pub mod openings;
pub mod pgn;
pub mod player;
mod processors;
pub mod project;
pub mod rating;
pub mod record;
pub mod run;
pub mod sha256;
pub mod summary;
pub mod text_table;
pub mod tournament;
pub mod utc;
