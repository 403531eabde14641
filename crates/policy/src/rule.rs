//! `[[rule]]`: a named step that changes the reduction.

use std::ops::Range;

use crate::expression::typed_tree::{Boolean, Number};

/// One rule of a file.
#[derive(Debug, Clone)]
pub(crate) struct Rule {
    pub(crate) name: String,
    pub(crate) name_span: Range<usize>,
    pub(crate) when: Boolean,
    pub(crate) when_span: Range<usize>,
    pub(crate) effect: Option<Effect>,
    /// The effect when the condition does not hold.
    pub(crate) otherwise: Option<Effect>,
    /// Upper limit on the reduction so far, after the effect.
    pub(crate) cap: Option<Number>,
    /// Whether later rules are skipped.
    pub(crate) stop: bool,
    /// Whether the file enables it.
    pub(crate) enabled: bool,
}

impl Rule {
    /// Whether both have the same effect. Their names and places do not count.
    pub(crate) fn acts_like(&self, other: &Self) -> bool {
        (&self.when, &self.effect, &self.otherwise, &self.cap, self.stop)
            == (&other.when, &other.effect, &other.otherwise, &other.cap, other.stop)
    }
}

/// A change to the reduction so far.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Effect {
    Add(Number),
    Set(Number),
    Multiply(Number),
}

impl Effect {
    /// The number that is added, multiplied by or set.
    pub(crate) fn amount(&self) -> &Number {
        match self {
            Self::Add(number) | Self::Set(number) | Self::Multiply(number) => number,
        }
    }
}

/// The name of a rule, and whether it is enabled.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RuleInfo {
    /// Its name, unique in the policy.
    pub name: String,
    /// Whether it is enabled.
    pub enabled: bool,
}

/// The rules that applied to a move, by their index in the file.
///
/// Only the first 128 rules of a policy are recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct RuleSet(u128);

impl RuleSet {
    /// Adds the rule with this index (from 0).
    #[inline]
    pub fn insert(&mut self, index: usize) {
        if index < 128 {
            self.0 |= 1 << index;
        }
    }

    /// Whether the rule with this index is in the set.
    #[inline]
    pub fn contains(self, index: usize) -> bool {
        index < 128 && self.0 >> index & 1 != 0
    }

    /// The indices, in the order of the file.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let index = left.trailing_zeros() as usize;
            left &= left.wrapping_sub(1);
            (index < 128).then_some(index)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_the_first_128_rules() {
        let mut set = RuleSet::default();
        for index in [0, 7, 127, 128, 500] {
            set.insert(index);
        }
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 7, 127]);
        assert!(set.contains(127) && !set.contains(1) && !set.contains(128));
    }
}
