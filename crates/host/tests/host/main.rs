//! Tests of the crate from outside: files and options in, reductions and traces out.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a helper fails by panicking")]

mod agreement;
mod broken_files;
mod changes;
mod expressions;
mod hosting;
mod traces;

// The tests of the policy crate have the same random policies and moves.
#[path = "../../../policy/tests/policy/common.rs"]
#[allow(dead_code, reason = "the tests of the policy crate use the rest")]
mod common;
#[path = "../../../policy/tests/policy/interpreter.rs"]
mod interpreter;
#[path = "../../../policy/tests/policy/odd_policies.rs"]
mod odd_policies;
#[path = "../../../policy/tests/policy/random_moves.rs"]
#[allow(dead_code, reason = "the tests of the policy crate use the rest")]
mod random_moves;
#[path = "../../../policy/tests/policy/schemes.rs"]
#[allow(dead_code, reason = "the tests of the policy crate use the rest")]
mod schemes;
