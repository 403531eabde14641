//! Runs on machines that exist only in this process: the folders and files are real, the hosts are threads that fail and
//! damage what they leave.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod coordinator;
mod fake_hosts;
