//! Tests of policies from outside: files in, reductions and messages out.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a helper fails by panicking")]

mod common;
mod complaints;
mod evaluation;
mod export;
mod extends;
mod host_file;
mod hostile_files;
mod language_reference;
mod lets;
mod lists;
mod published_tables;
mod reduction_tables;
mod references;
mod shipped_policies;
mod warnings;
