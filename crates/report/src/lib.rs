//! Pages and pictures of results: the outcome of a run, a tuning run or an experiment of the lab, as one HTML file.
//!
//! | module | what it is for |
//! |---|---|
//! | [`results`] | finds out what wrote a folder or a CSV file, and makes its page |
//! | [`tournament`] | the page of a match, a tournament, a race |
//! | [`tuning`] | the page of a tuning run |
//! | `lab` | the pages of profile, audit, ablate, sweep, trial, suite, bench |
//! | [`comparison`] | runs side by side |
//! | [`explanation`] | what a policy does to each move of a position |
//! | [`index`] | a list of all runs below a folder |
//! | [`chart`] | pictures: axes, lines, bands, points, bars, maps |
//! | [`board`] | chess boards: positions, arrows |
//! | [`page`] | a page: sections, style sheet, script |
//! | [`table`], [`rows`] | tables, and CSV files as tables |
//!
//! Nothing here plays, searches or prints. A page is a value. Its text is one file that loads no other file.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod board;
pub mod chart;
pub mod comparison;
mod computed;
pub mod explanation;
pub mod index;
mod lab;
pub mod page;
pub mod results;
pub mod rows;
pub mod table;
pub mod tournament;
pub mod tuning;
