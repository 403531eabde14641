//! The lines of the files that runs, measures, tuning and statistics write, a file for each subject.

pub mod audit;
pub mod bench;
pub mod comparison;
pub mod experiments;
pub mod explanation;
pub mod games;
pub mod host_check;
pub mod ideas;
pub mod page;
pub mod pairs;
pub mod parts;
pub mod policy;
pub mod profile;
pub mod rating;
pub mod sprt;
pub mod standings;
pub mod suite;
pub mod timings;
pub mod tuning;
