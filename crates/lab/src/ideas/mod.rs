//! The library of ideas for late move reductions: policies with and without each idea, reports by authors of other
//! engines, and games.
//!
//! [`library`] reads it. [`reports`] is the file of what was reported. [`reported`] is the value of an idea by its
//! reports. [`games`] is the file of games that were played here.
//! [`policies`] are those with an idea and without it. [`outcome`] is what `lmrlab idea` shows.

pub mod games;
pub mod library;
mod lines;
pub mod outcome;
pub mod policies;
pub mod reported;
pub mod reports;
#[cfg(test)]
mod tests;
