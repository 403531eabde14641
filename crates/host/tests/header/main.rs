//! Tests of `lmrlab.h`: they compile C programs with `cc`. Where there is none, they fail on CI and pass elsewhere.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a helper fails by panicking")]

mod agreement;
mod catalogue;
mod compilers;
mod driver;
mod fuzzing;
mod options;
mod traces;

// The tests of the policy crate and of this one have the same random policies and moves.
#[path = "../../../policy/tests/policy/common.rs"]
#[allow(dead_code, reason = "the tests of the policy crate use the rest")]
mod common;
#[path = "../host/expressions.rs"]
mod expressions;
#[path = "../../../policy/tests/policy/odd_policies.rs"]
mod odd_policies;
#[path = "../../../policy/tests/policy/random_moves.rs"]
#[allow(dead_code, reason = "the tests of the policy crate use the rest")]
mod random_moves;
