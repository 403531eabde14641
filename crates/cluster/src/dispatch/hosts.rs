//! The hosts that have appeared: which are excluded, and which are to be checked.

use std::collections::{BTreeMap, BTreeSet};

/// One of so many pairs is repeated even where every host was checked: machines may break at any time.
const CHECK_EVERY: u64 = 100;
/// Checks in play before any host has appeared.
const FIRST_CHECKS: usize = 100;

/// What is known of a host.
#[derive(Debug, Clone, Copy, Default)]
struct Host {
    excluded: bool,
    checked: bool,
}

/// Hosts by their names.
#[derive(Debug, Clone, Default)]
pub(super) struct Hosts {
    by_name: BTreeMap<String, Host>,
    excluded: BTreeSet<String>,
    /// Those that are neither excluded nor checked.
    unchecked: usize,
    /// Pairs of new parts since one of them was to repeat a pair.
    pairs_since_check: u64,
}

impl Hosts {
    /// A host has appeared.
    pub(super) fn meet(&mut self, name: &str) {
        if !self.by_name.contains_key(name) {
            self.by_name.insert(name.to_owned(), Host::default());
            self.unchecked += 1;
        }
    }

    pub(super) fn exclude(&mut self, name: &str) {
        self.change(name, |host| host.excluded = true);
        self.excluded.insert(name.to_owned());
    }

    pub(super) fn checked(&mut self, name: &str) {
        self.change(name, |host| host.checked = true);
    }

    pub(super) fn is_excluded(&self, name: &str) -> bool {
        self.excluded.contains(name)
    }

    /// Whether a new part of so many pairs should repeat a pair of another, while `in_play` parts do so.
    ///
    /// Before any host has appeared, every other part does: its repeated pair looks at two hosts, its own and the one that it is
    /// compared with. Later there are as many checks in play as hosts that have not been checked, and now and then one more.
    /// A single host can be compared with no other.
    pub(super) fn want_check(&mut self, pairs: u64, in_play: usize) -> bool {
        let first = self.pairs_since_check > 0;
        self.pairs_since_check += pairs;
        let want = match self.by_name.len() - self.excluded.len() {
            0 => first && in_play < FIRST_CHECKS,
            1 => false,
            _ => in_play < self.unchecked || self.pairs_since_check >= CHECK_EVERY,
        };
        if want {
            self.pairs_since_check = 0;
        }
        want
    }

    /// Hosts that are not to get an attempt at a part that was on `tried`: the excluded ones, and those of `tried` unless no
    /// other host is known.
    pub(super) fn to_avoid<'h>(&self, tried: impl Iterator<Item = &'h str>) -> Vec<String> {
        let mut avoid: Vec<String> = tried.map(str::to_owned).collect();
        avoid.sort_unstable();
        avoid.dedup();
        let other = |(name, host): (&String, &Host)| !host.excluded && avoid.binary_search(name).is_err();
        if !avoid.is_empty() && !self.by_name.iter().any(other) {
            avoid.clear();
        }
        avoid.extend(self.excluded.iter().cloned());
        avoid.sort_unstable();
        avoid.dedup();
        avoid
    }

    fn change(&mut self, name: &str, change: impl FnOnce(&mut Host)) {
        self.meet(name);
        if let Some(host) = self.by_name.get_mut(name) {
            let to_be_checked = |host: &Host| usize::from(!host.excluded && !host.checked);
            self.unchecked -= to_be_checked(host);
            change(host);
            self.unchecked += to_be_checked(host);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_host_is_preferred_where_there_is_one() {
        let mut hosts = Hosts::default();
        hosts.meet("a");
        assert_eq!(hosts.to_avoid(["a"].into_iter()), [""; 0]);
        hosts.meet("b");
        assert_eq!(hosts.to_avoid(["a"].into_iter()), ["a"]);
        hosts.exclude("b");
        assert_eq!(hosts.to_avoid(["a"].into_iter()), ["b"]);
        hosts.meet("c");
        assert_eq!(hosts.to_avoid(["a", "a"].into_iter()), ["a", "b"]);
    }

    #[test]
    fn checks_follow_the_hosts() {
        let mut hosts = Hosts::default();
        let checks = |hosts: &mut Hosts, in_play| (0..40).filter(|_| hosts.want_check(5, in_play)).count();
        assert_eq!(checks(&mut hosts, 99), 20, "every other part of the first ones");
        assert_eq!(checks(&mut hosts, 100), 0, "enough for the beginning");
        hosts.meet("a");
        assert_eq!(checks(&mut hosts, 0), 0, "there is no other host");
        hosts.meet("b");
        hosts.meet("c");
        hosts.checked("a");
        hosts.checked("a");
        assert_eq!(
            checks(&mut hosts, 1),
            40,
            "two hosts are unchecked, and one check is in play"
        );
        assert_eq!(
            checks(&mut hosts, 2),
            2,
            "as many checks are in play as hosts are unchecked"
        );
        hosts.checked("b");
        hosts.exclude("c");
        assert_eq!(checks(&mut hosts, 0), 2, "every host is checked");
        hosts.meet("d");
        assert_eq!(checks(&mut hosts, 0), 40, "a host has appeared");
    }
}
