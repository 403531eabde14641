//! `lmrlab` as its users see it: the real program, run end to end in a temporary project.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod anywhere;
mod bad_input;
mod chess960;
mod commands;
mod comparing;
mod damaged_runs;
mod disturbed_runs;
mod documentation;
mod executors;
mod exporting;
mod fastchess;
mod host_check;
mod host_traces;
mod hosts;
mod ideas;
mod lab;
mod lists;
mod memory;
mod misbehaviour;
mod opening_books;
mod ordering;
mod outputs;
mod parts;
mod plainly;
mod playing;
mod race;
mod refusals;
mod replaying;
mod report;
mod report_lab;
mod resume;
mod scratch;
mod statistics;
mod tablebases;
mod threads_file;
mod three_men;
mod tournament;
mod trial;
mod tuning;
mod unfinished;
