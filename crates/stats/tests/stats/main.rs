//! The statistics against figures of other programs, and against simulated matches whose truth is known.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod golden;
mod simulation;
