//! The engine's integration tests, in one binary.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that panics has failed, which is what it is for"
)]

mod allocation;
mod facts;
mod hostile_input;
mod observation;
mod schemes;
mod search;
mod seen;
mod uci;
