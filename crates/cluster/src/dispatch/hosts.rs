//! The hosts that have appeared: which are excluded, and which are to be checked.

use std::collections::{BTreeMap, BTreeSet};

/// One of so many parts repeats a pair even where every host was checked: machines may break at any time.
const CHECK_EVERY: u64 = 20;

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
    /// Whether any was checked.
    any_checked: bool,
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
        self.any_checked = true;
    }

    pub(super) fn is_excluded(&self, name: &str) -> bool {
        self.excluded.contains(name)
    }

    /// Whether a new part should repeat a pair of another, while `in_play` parts do so.
    ///
    /// Before any host was checked, every other part does: its repeated pair looks at two hosts, its own and the one that it is
    /// compared with. Later there are as many checks in play as hosts that have not been checked, and now and then one more.
    pub(super) fn want_check(&self, part: u64, in_play: usize) -> bool {
        if !self.any_checked {
            return part % 2 == 1;
        }
        in_play < self.unchecked || part % CHECK_EVERY == CHECK_EVERY - 1
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
        let checks = |hosts: &Hosts, in_play| (0..40).filter(|&part| hosts.want_check(part, in_play)).count();
        assert_eq!(checks(&hosts, 0), 20, "every other part of the first ones");
        hosts.meet("a");
        hosts.meet("b");
        hosts.meet("c");
        hosts.checked("a");
        hosts.checked("a");
        assert_eq!(
            checks(&hosts, 1),
            40,
            "two hosts are unchecked, and one check is in play"
        );
        assert_eq!(
            checks(&hosts, 2),
            2,
            "as many checks are in play as hosts are unchecked"
        );
        hosts.checked("b");
        hosts.exclude("c");
        assert_eq!(checks(&hosts, 0), 2, "every host is checked");
        hosts.meet("d");
        assert_eq!(checks(&hosts, 0), 40, "a host has appeared");
    }
}
