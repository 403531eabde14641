//! Expressions: what a policy file writes between quotes.
//!
//! An expression passes through these forms:
//!
//! - tokens (`lexer.rs`);
//! - a typed tree in which every name is resolved (`parser.rs`, `type_checker.rs`, `typed_tree.rs`).
//!
//! The tree is an [`Expression`](lmrlab_host::runtime::Expression) of the run-time.
//!
//! # The language
//!
//! A value is a number (a finite 64-bit float) or a boolean. From loose to tight binding: `or`; `and`; `not`; one
//! comparison (`==` `!=` `<` `<=` `>` `>=`, never chained); `+` `-`; `*` `/` `%`; unary `-`; literals, names, calls and
//! parentheses. [`functions`](function::functions) lists the functions, [`CATALOGUE`](crate::facts::CATALOGUE) the facts.
//! `and`, `or`, `if` and the values of `steps` are lazy: they ask the search only for the facts that they need.
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
//! - `steps` is 0 below its first threshold. Otherwise it is the value of the last threshold, in the order of the text,
//!   that is not above its first argument. Thresholds that are numbers must ascend, parameters need not;
//! - `table(row, column)` cuts both towards zero and moves what is outside the table to its nearest edge.

mod advice;
pub(crate) mod function;
mod lexer;
pub(crate) mod list;
pub(crate) mod parser;
pub(crate) mod scope;
mod type_checker;
pub(crate) mod typed_tree;
