//! Expressions: what a policy file writes between quotes.
//!
//! An expression goes through five forms, one file each: characters (`lexer.rs`) become a syntax tree that still carries
//! places (`syntax.rs`), that a typed tree in which every name is resolved (`types.rs`), that a tree without parameters
//! and with its constants computed (`fold.rs`), and that a program which a search can afford (`program.rs`).
//!
//! # The language
//!
//! A value is a number (a finite 64-bit float) or a boolean. From loose to tight binding: `or`; `and`; `not`; one
//! comparison (`==` `!=` `<` `<=` `>` `>=`, never chained); `+` `-`; `*` `/` `%`; unary `-`; literals, names, calls and
//! parentheses. [`FUNCTIONS`](function::FUNCTIONS) lists the functions, [`CATALOGUE`](crate::facts::CATALOGUE) the facts.
//! `and`, `or`, `if` and the values of `steps` are lazy: what they do not need is not asked of the search.
//!
//! # Numbers at the edges
//!
//! No operation yields an infinity or a NaN, whatever it is given, and every machine computes the same bits:
//!
//! - a result too large for a float saturates at the largest finite one, with its sign;
//! - `x / 0` and `x % 0` are 0; `x % y` has the sign of `x`;
//! - `ln(x)` and `log2(x)` are 0 for `x <= 0`, as published tables set their entries for depth 0 or move 0 to 0;
//! - `sqrt(x)` is 0 for `x < 0`;
//! - `pow(x, y)` is 0 where it has no finite value (`pow(0, -1)`, `pow(-2, 0.5)`), except that it saturates when too large;
//! - `round` takes halves away from zero; `trunc` cuts towards zero;
//! - `clamp(x, low, high)` is `min(max(x, low), high)`: `high` wins when the bounds cross;
//! - `steps` is 0 below its first threshold, and otherwise the value of the last threshold, in the order of the text, that
//!   is not above its first argument (numbers must ascend in the text; parameters may be changed so that they do not);
//! - `table(row, column)` cuts both towards zero and moves what is outside the table to its nearest edge.

mod advice;
pub(crate) mod arithmetic;
pub(crate) mod fold;
pub mod function;
pub(crate) mod lexer;
pub(crate) mod program;
pub(crate) mod syntax;
pub(crate) mod tabulated;
#[cfg(test)]
mod tests;
pub(crate) mod typed;
pub(crate) mod types;

use std::ops::Range;

use lmrlab_diagnostics::{Diagnostic, Text};

/// The longest expression that is read, in bytes.
pub const MAX_EXPRESSION_BYTES: usize = 8192;

/// How deep parentheses and calls may nest.
pub const MAX_NESTING: usize = 64;

/// The largest absolute value of a number in a file.
pub const MAX_LITERAL: f64 = 1e12;

/// One thing that is wrong with an expression, placed in the expression itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) message: String,
    pub(crate) span: Range<usize>,
    pub(crate) label: String,
    pub(crate) help: Option<String>,
}

impl Problem {
    pub(crate) fn new(
        message: impl Into<String>,
        span: Range<usize>,
        label: impl Into<String>,
    ) -> Self {
        Self {
            message: message.into(),
            span,
            label: label.into(),
            help: None,
        }
    }

    #[must_use]
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same problem, placed in the file that `text` comes from.
    pub(crate) fn into_diagnostic(self, text: &Text) -> Diagnostic {
        let diagnostic = Diagnostic::error(self.message).at(text.place(self.span), self.label);
        match self.help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }
}
