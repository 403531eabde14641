//! Late move reduction policies: a small typed language in TOML, checked and compiled.
//!
//! A policy says which moves are searched with reduced depth, by how many plies, and how a move is searched again. This
//! crate reads a policy file, reports every mistake in it, and compiles it. A search then asks the [`Policy`] for the
//! reduction of a move and answers its questions about the move through the trait [`Facts`](facts::Facts). The crate knows
//! neither boards nor searches.
//!
//! ```
//! use lmrlab_diagnostics::Source;
//! use lmrlab_policy::Policy;
//! use lmrlab_policy::show::{Given, plain_move};
//!
//! let text = r#"
//!     name   = "my-idea"
//!     when   = "depth >= 3 and quiet"
//!     reduce = "0.5 + ln(depth) * ln(move_number) / 2.25"
//!
//!     [[rule]]
//!     name = "improving"
//!     when = "improving"
//!     add  = "-1"
//! "#;
//! let (policy, _warnings) = Policy::compile(Source::new("my-idea.toml", text))?;
//!
//! // The reduction at depth 12 after 20 other moves, in plies.
//! let given = Given::default();
//! assert_eq!(policy.reduction(&plain_move(12, 20, &given)), 3);
//! let given: Given = "improving=1".parse()?;
//! assert_eq!(policy.reduction(&plain_move(12, 20, &given)), 2);
//! # Ok::<(), lmrlab_diagnostics::Diagnostics>(())
//! ```
//!
//! - [`policy`] loads and compiles policies and computes reductions; [`mod@reference`] names one with overrides, as in
//!   `house@research.ladder=full`.
//! - [`facts`] is the catalogue of what an expression may mention.
//! - [`history`] and [`research`] say what a search must do for a policy besides reducing; [`rule`] names the rules
//!   that applied.
//! - [`idea`] reads files of ideas: policies with and without a change.
//! - [`show`] tabulates reductions; [`export`] writes a policy as source for another engine, [`host_file`] as a file that
//!   another engine reads.
//!
//! Facts, histories, ladders and export languages may come with a minor version. So a `match` on their enums needs a `_` arm, also where the
//! compiler does not ask for it.
//!
//! `docs/policy-language.md` is the reference of the language; [`language_reference`] writes it.

mod complaint;
mod contradiction;
mod definition;
pub mod export;
mod expression;
mod expression_reader;
mod finish;
pub mod history;
pub mod host_file;
pub mod idea;
mod inherit;
pub mod language_reference;
mod lets;
mod own_facts;
pub mod parameter;
pub mod policy;
pub mod reference;
pub mod research;
mod resolve;
pub mod rule;
mod rule_reader;
pub mod show;
mod warnings;

pub use lmrlab_host::runtime::facts;
pub use parameter::Parameter;
pub use policy::Policy;
pub use reference::PolicyReference;
