//! Runs lmrlab's late move reduction policies in any chess engine, and traces its late moves.
//!
//! An engine that does so is a *host*. It fills the facts about each late move and asks for the reduction. A policy in TOML,
//! compiled by `lmrlab policy compile`, then plays in that engine without a rebuild.
//!
//! - [`Host`] is what an engine uses: options, reductions, traces. A [`LateMove`] holds the facts about one move.
//! - [`Program`] reads and runs a compiled policy. A file is checked when it is read, so running it cannot fail. [`runtime`] has it
//!   with its facts: lmrlab's own engine runs policies with the same code.
//! - [`trace`] reads traces.
//! - [`for_c`] has lmrlab.h and the example in C as texts.
//!
//! `examples/small-engine` is a small engine that does all of this.
//!
//! `lmrlab.h` is the same for engines in C and C++. The crate has no `unsafe` code, so it does not copy the process itself: an engine in
//! Rust forks for its shadow searches, or does them with a copy of its search.

#[macro_use]
pub mod runtime;

pub mod for_c;
mod host;
mod late_move;
mod random;
pub mod trace;
mod vocabulary;

pub use crate::runtime::facts::{CATALOGUE, Fact, MOST_OWN};
pub use crate::runtime::research::{Ladder, Research, Trigger};
pub use crate::runtime::{ChangeError, Parameter, PolicyError, Program, Units, Values};
pub use host::Host;
pub use late_move::LateMove;
pub use random::Random;
pub use trace::{MoveResult, Shadow};
pub use vocabulary::FactsError;
