//! Pages and pictures of results: the outcome of a run, a tuning run or an experiment of the lab, as one HTML file.
//!
//! | module | what it is for |
//! |---|---|
//! | [`outcome`] | the page of what a command found |
//! | [`index`] | a list of all runs below a folder |
//! | [`chart`] | pictures: axes, lines, bands, points, bars, maps |
//! | [`board`] | chess boards: positions, arrows |
//! | [`page`] | a page: sections, style sheet, script |
//! | [`table`] | tables |
//!
//! Nothing here plays, searches or prints. A page is a value. Its text is one file that loads no other file.

pub mod board;
pub mod chart;
pub mod index;
pub mod outcome;
pub mod page;
pub mod table;
