//! Late move reduction policies at run time: what a compiled policy says, and the machine that runs it.
//!
//! lmrlab's policies are written in TOML, and `lmrlab policy compile` turns one into a compiled policy, a text file of lines
//! with postfix words. This folder reads and checks such a file, makes it fast, and computes the reductions of moves. lmrlab's
//! own engine and engines in Rust run policies with it; engines in C have lmrlab.h.
//!
//! - [`facts`] is the catalogue of what an expression may mention; a search implements [`Facts`](facts::Facts), or fills
//!   [`Values`].
//! - [`arithmetic`] has the operations of the words, [`expression`] the trees that words are the text of.
//! - A [`Scheme`] is what a file says. [`Scheme::read`] reads and checks it, [`Scheme::write`] writes it.
//! - A [`Program`] is a scheme made fast. Running it cannot fail.
//! - [`finish`] and [`research`] say how the result becomes whole plies, and how moves are searched again.

#[macro_use]
mod tables;

pub mod arithmetic;
mod change;
mod condition;
pub mod expression;
pub mod facts;
pub mod finish;
pub mod nearest;
pub mod number;
mod program;
pub mod reader;
pub mod research;
mod scheme;
mod stage;
mod value;
mod values;
pub mod words;
mod writer;

pub use change::ChangeError;
pub use expression::Expression;
pub use program::{AppliedRule, Explanation, Program};
pub use reader::PolicyError;
pub(crate) use scheme::own_word;
pub use scheme::{Effect, OwnFacts, Parameter, Rule, Scheme, Units};
pub use stage::Step;
pub use values::{Factors, Scaled, Values};
