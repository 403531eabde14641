//! Tests of the example engine and of the tutorial that leads to it: they need `cc`, and pass where there is none.
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a helper fails by panicking"
)]

mod engine;
mod hosting;
mod rules;
mod steps;
mod tutorial;
