//! Engines that do what no engine should: the tournament ends by itself, the fault is scored and named, no process is
//! left, and no other game is disturbed.

#![cfg(target_os = "linux")]

mod faults;
mod handshake;
mod killed_runs;
mod logs;
mod pondering;
mod processes;
mod same_games;
mod too_many;
mod trouble;
