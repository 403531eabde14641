//! Runs on machines that exist only in this process: the folders and files are real, the hosts are threads that fail, hang,
//! damage what they leave, and lie.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod fake_hosts;
mod head;
