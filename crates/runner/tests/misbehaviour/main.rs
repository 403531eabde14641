//! Engines that do what no engine should: the tournament ends by itself, the fault is scored and named, no process is
//! left, and no other game is disturbed.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]
#![cfg(target_os = "linux")]

mod faults;
mod guard;
mod processes;
mod same_games;
#[path = "../scratch/mod.rs"]
mod scratch;
mod trouble;
