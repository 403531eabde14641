//! The rules of a policy by name, and those that applied to a move.

pub use lmrlab_host::runtime::Rule;

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
        (0..128).filter(move |index| self.contains(*index))
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
