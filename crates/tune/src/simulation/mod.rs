//! Simulated tuning: methods compared on surfaces whose best point is known.

pub mod landscape;
pub mod pair_model;
pub mod study;
