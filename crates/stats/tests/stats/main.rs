//! Compares the statistics with other programs, and with simulated matches of known strength.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod golden;
mod simulation;
