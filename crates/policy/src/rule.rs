//! `[[rule]]`: named steps that change the reduction.

use std::ops::Range;

use crate::expression::typed::{Boolean, Number};

/// One rule as the file has it.
#[derive(Debug, Clone)]
pub(crate) struct Rule {
    pub(crate) name: String,
    pub(crate) name_span: Range<usize>,
    pub(crate) when: Boolean,
    pub(crate) when_span: Range<usize>,
    pub(crate) effect: Option<Effect>,
    /// What the rule does when its condition does not hold.
    pub(crate) otherwise: Option<Effect>,
    /// Upper limit on the reduction so far, after the effect.
    pub(crate) cap: Option<Number>,
    /// Whether later rules are skipped.
    pub(crate) stop: bool,
    /// Whether the file has it switched on.
    pub(crate) enabled: bool,
}

/// What a rule does to the reduction so far.
#[derive(Debug, Clone)]
pub(crate) enum Effect {
    Add(Number),
    Set(Number),
    Multiply(Number),
}

/// A rule of a policy, as a report or an ablation sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleInfo {
    /// Its name, unique in the policy.
    pub name: String,
    /// Whether it is in force.
    pub enabled: bool,
}
