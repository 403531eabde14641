//! Runs on machines that exist only in this process: the folders and files are real, the hosts are threads that fail, hang,
//! damage what they leave, and lie.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod fake_hosts;
mod head;
