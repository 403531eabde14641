//! Late move reduction policies: a small typed language in TOML, checked and compiled.
//!
//! A policy says when a move is searched shallower, by how much, and what happens when the shallow search is surprised.
//! This crate reads such a file, reports everything that is wrong with it, and compiles it. It knows no board and no
//! search: a search hands it [facts] about a move and gets a number of plies back.
//!
//! # A policy file
//!
//! ```toml
//! name        = "my-idea"            # required; letters, digits, `-`, `_` and `.`
//! description = "..."                # for people
//! source      = "..."                # who published it, and where
//! extends     = "other.toml"         # a file, seen from this one, whose keys hold where this one has none
//! when   = "depth >= 3 and quiet"    # which moves; default: all of them
//! reduce = "base + ln(depth) * ln(move_number) / 2.25"     # by how many plies; required
//! table  = [[0, 0], [0, 1]]          # for `table(row, column)`, if an expression calls it
//!
//! [param]                            # numbers that can be changed without editing the file
//! base = { value = 0.5, min = 0.0, max = 1.5, step = 0.1 } # `step`: a twentieth of the range if left out
//!
//! [[rule]]                           # any number of them, in their order
//! name    = "bad-history"            # required, unique
//! when    = "history < 0"            # default: always
//! add     = "1"                      # or `mul`, `set`: what the rule does to the reduction so far
//! else_add = "-1"                    # or `else_mul`, `else_set`: when its `when` does not hold
//! cap     = "4"                      # then, at most this much
//! stop    = false                    # then, whether the rules end here
//! enabled = true
//!
//! [finish]                           # see [`finish::Finish`] for the order and the defaults
//! scale = 1.0
//! round = "trunc"                    # or "floor", "ceil", "nearest"
//! min = 0                            # also max, max_at_root, max_in_pv, max_if_extended, floor, pv_bonus, negative
//!
//! [history]                          # see [`history::HistoryModel`]
//! model = "rebel"
//!
//! [research]                         # see [`research::Research`]
//! ladder  = "null_then_full"         # or "none", "full", "full_reduced_first", "step_up", "intermediate", "by_score"
//! trigger = "above_alpha"            # or "at_or_above_beta", "above_original_alpha", "above_best_score"
//! updates_history = false
//! # threat_feedback = 5              # with "intermediate": above, reduction; with "by_score": deeper, shallower
//! ```
//!
//! [`expression`] says what may stand between the quotes, [`facts::CATALOGUE`] which facts there are, and
//! [`Policy`] how a reduction comes about.

mod compiled;
mod contradiction;
mod definition;
mod expression;
pub mod facts;
mod finish;
pub mod history;
mod inherit;
pub mod language_reference;
mod parameter;
pub mod policy;
mod policy_folder;
pub mod reference;
pub mod research;
pub mod rule;
pub mod show;

/// The crate `lmrlab-diagnostics` under its old path.
pub mod diagnostic {
    pub use lmrlab_diagnostics::{
        Diagnostic, Diagnostics, MAX_SOURCE_BYTES, Severity, Source, nearest,
    };
}
/// The crate `lmrlab-diagnostics` under its old path.
pub mod document {
    pub use lmrlab_diagnostics::{Document, Located, Table, Text};
}

pub use parameter::Parameter;
pub use policy::Policy;
pub use reference::PolicyReference;
