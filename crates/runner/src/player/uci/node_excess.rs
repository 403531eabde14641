//! Engines that do not obey `go nodes`.

use crate::player::warning::{Warning, WarningKind};

/// Nodes beyond twice the limit that an engine may report: many look at their node count only now and then.
const MARGIN: u64 = 10_000;

/// This many searches make a habit.
const HABIT: u32 = 5;

/// Counts the searches of an engine that reported far more nodes than they were allowed.
#[derive(Debug, Default)]
pub(super) struct NodeExcess {
    searches: u32,
}

impl NodeExcess {
    /// Counts a search that was allowed `allowed` nodes and reported `reported`. Returns a warning for the search that makes it
    /// a habit.
    pub(super) fn count(&mut self, allowed: Option<u64>, reported: u64) -> Option<Warning> {
        let allowed = allowed?;
        if !is_far_too_many(allowed, reported) {
            return None;
        }
        self.searches = self.searches.saturating_add(1);
        (self.searches == HABIT).then(|| {
            Warning::new(
                WarningKind::TooManyNodes,
                format!(
                    "does not obey `go nodes {allowed}`: it reported {reported} nodes, and far too many in {HABIT} \
                     searches; use a limit of time or depth"
                ),
            )
        })
    }
}

/// The warning about a search without an answer before its deadline. It was allowed `allowed` nodes and reported `reported`.
/// `stops` says whether the engine answered `stop`.
pub(super) fn endless(allowed: Option<u64>, reported: u64, stops: bool) -> Option<Warning> {
    let allowed = allowed?;
    (stops || is_far_too_many(allowed, reported)).then(|| {
        Warning::new(
            WarningKind::TooManyNodes,
            format!(
                "does not obey `go nodes {allowed}`: it searched on until its deadline; use a limit of time or depth"
            ),
        )
    })
}

fn is_far_too_many(allowed: u64, reported: u64) -> bool {
    reported > allowed.saturating_mul(2).saturating_add(MARGIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_habit_is_reported_once() {
        let mut excess = NodeExcess::default();
        // Within the margin, without a limit of nodes, or without a report.
        for (allowed, reported) in [
            (Some(100), 10_200),
            (Some(50_000), 110_000),
            (None, u64::MAX),
            (Some(1), 0),
        ] {
            for _ in 0..10 {
                assert_eq!(excess.count(allowed, reported), None);
            }
        }
        let warnings: Vec<u32> = (1..=20).filter(|_| excess.count(Some(100), 10_201).is_some()).collect();
        assert_eq!(warnings, [HABIT]);
        assert_eq!(excess.count(Some(u64::MAX), u64::MAX), None);
    }

    #[test]
    fn a_search_without_an_end_is_reported_at_once() {
        assert!(endless(Some(100), 0, true).is_some());
        assert!(endless(Some(100), 10_201, false).is_some());
        // It may hang for any reason.
        assert_eq!(endless(Some(100), 100, false), None);
        assert_eq!(endless(None, u64::MAX, true), None);
    }
}
