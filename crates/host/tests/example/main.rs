//! Tests of the example engines and of the tutorial that leads to them. Those in C need `cc`. Where
//! there is none, they fail on CI and pass elsewhere.
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a helper fails by panicking"
)]

mod engine;
mod hosting;
mod rules;
mod rust;
mod steps;
mod tutorial;
