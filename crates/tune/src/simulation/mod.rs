//! Methods of tuning compared on surfaces whose best point is known.

pub mod games;
pub mod landscape;
pub mod study;
