//! What a tuning run or a trial found, as an outcome.

pub mod learning;
pub mod trial;
mod tuning;
