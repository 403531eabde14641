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
mod odd_policies;
mod own_facts;
mod published_tables;
mod random_expressions;
mod random_moves;
mod random_policies;
mod reduction_tables;
mod references;
mod research;
mod schemes;
mod shipped_policies;
mod warnings;
