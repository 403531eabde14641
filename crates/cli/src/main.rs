//! `lmrlab`, the command line of the workbench: arguments in, text out.
//!
//! [`commands`] has a file for each command: its arguments, and one function that calls a library. [`frame`] has what they share.
//! The libraries:
//!
//! - `lmrlab_runner` plays and records games (`run`, `resume`, `match`), here or on many machines (`merge`), and rates players
//!   (`rate`),
//! - `lmrlab_lab` measures and compares policies (`bench`, `profile`, `audit`, `suite`, `ablate`, `sweep`), explains
//!   them (`explain`), and checks engines that play them (`host`),
//! - `lmrlab_tune` tunes parameters and tries ideas (`tune`, `trial`),
//! - `lmrlab_results` writes pages (`report`, `compare`, `index`),
//! - `lmrlab_stats` judges and plans tests (`sprt`),
//! - `lmrlab_policy` reads policy files (`policy`).
//!
//! [`progress`] shows a run while it is played. Results go to standard output; progress, warnings and errors to standard
//! error. The exit status is 0 on success, and 2 on wrong input. It is 1 when a run failed, or standard output could not be
//! written. After a signal it is 128 and the number of the signal: 130 after Ctrl-C.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod advice;
mod commands;
mod frame;
mod invocation;
mod open_outcome;
mod progress;

use std::process::ExitCode;

fn main() -> ExitCode {
    commands::main()
}
