//! Every way to run a policy is compared here: in lmrlab, from its file by the crate and by lmrlab.h, and as exported C and Rust.
//! The other tests are of the host: files and options in, reductions and traces out. Those in C need `cc`. Where there is none,
//! they fail on CI and pass elsewhere.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a helper fails by panicking")]

mod agreement;
mod broken_files;
mod example;
mod exports;
mod header;
mod hosting;
mod interpreter;
mod mistakes;
mod odd_policies;
mod policies;
mod random_moves;
mod random_policies;
mod traces;
