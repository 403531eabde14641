//! Writes a policy as source for another engine: one file in C or Rust that needs nothing else.
//!
//! The file has a struct of the facts that the policy reads, and functions of it: whether a move is late, its reduction in whole
//! plies, the same before rounding and limits, and by how much a re-search changes its depth. They give what
//! [`Policy::reduction`], [`Explanation::scaled`](crate::policy::Explanation::scaled) and [`Policy::depth_change`] give, for
//! all facts within their [ranges](crate::facts::NumberFact::range), as long as no result of an operation is beyond the largest float. The rest of the scheme, its re-searches and its history,
//! is described in comments.
//!
//! - `file.rs` writes the file, `functions.rs` its functions, `printer.rs` their expressions, `helper.rs` the small functions that they call;
//! - `spelling.rs` has what C and Rust spell in different ways;
//! - `history_bound.rs` names the bounds of histories;
//! - `pseudocode.rs` describes re-searches and history as pseudocode;
//! - `template.rs` fills the templates of longer texts;
//! - `reduction_table.rs` writes a table `reductions[depth][move]` in place of all this.

mod comment;
mod file;
mod functions;
mod helper;
mod history_bound;
mod names;
mod printer;
mod pseudocode;
mod reduction_table;
mod spelling;
mod template;

pub use reduction_table::{OtherFacts, reduction_table};

use crate::facts::Fact;
use crate::policy::Policy;

/// The language of an exported file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// A header in C99 that also compiles as C++.
    C,
    /// A module in Rust.
    Rust,
}

/// A policy as source.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Export {
    /// The file.
    pub text: String,
    /// What the names of the file begin with in C; the name of the module in Rust.
    pub name: String,
    /// The facts in the struct, in its order.
    pub facts: Vec<Fact>,
    /// Facts of the policy's `[host]` in the struct, after the others. A field has the name of the fact, or `own_` before a
    /// name that a compiler may not accept.
    pub own: Vec<(Fact, String)>,
    /// The facts that are parameters of the functions that read them, after the struct: only lmrlab's evaluation can
    /// compute them, so the caller must choose a number.
    pub parameters: Vec<Fact>,
    /// Functions of the system that the file calls and that may differ from lmrlab's in their last bit, such as
    /// "natural logarithm"; mostly none.
    pub inexact: Vec<String>,
}

/// Writes a policy with its parameters and rules as they are in force.
pub fn export(policy: &Policy, language: Language) -> Export {
    file::write(policy, language)
}

/// Whether a fact has no meaning outside lmrlab: it is a term of lmrlab's own evaluation, and no other engine can be
/// asked for it.
pub fn is_of_this_engine(fact: Fact) -> bool {
    matches!(fact, Fact::PstDelta | Fact::PassedDelta | Fact::KingSafetyDelta)
}
