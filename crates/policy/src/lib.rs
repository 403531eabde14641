//! Late move reduction policies: a small typed language in TOML, checked and compiled.
//!
//! A policy says when a move is searched shallower, by how much, and what happens when the shallow search is surprised.
//! This crate reads such a file, reports everything that is wrong with it, and compiles it. It knows no board and no
//! search: a search hands it [facts] about a move and gets a number of plies back.

mod compiled;
mod condition;
mod definition;
pub mod diagnostic;
pub mod document;
pub mod expression;
pub mod facts;
pub mod finish;
pub mod history;
pub mod parameter;
pub mod policy;
pub mod reference;
pub mod research;
pub mod rule;
pub mod show;

pub use policy::Policy;
pub use reference::PolicyReference;
