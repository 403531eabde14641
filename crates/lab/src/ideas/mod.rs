//! What authors of other engines reported about ideas for late move reductions.
//!
//! [`reports`] is the file of what was reported, [`reported`] what an idea is worth by its reports.

pub mod reported;
pub mod reports;
#[cfg(test)]
mod tests;
