//! A check of an engine: what the engine is, and what has been found so far.

use lmrlab_policy::facts::Fact;
use lmrlab_runner::player::uci::HostedPolicy;

use super::finding::{self, Finding, NOTE, OK, WARNING, WRONG};
use super::process::HostCheck;

/// A check of an engine, and what it has found so far. Each file has a part of it.
pub(super) struct Check<'c> {
    pub(super) host: &'c HostCheck<'c>,
    /// The engine's own scheme.
    pub(super) own: Option<&'c HostedPolicy>,
    /// The facts of the catalogue that the engine fills.
    pub(super) filled: Vec<Fact>,
    pub(super) findings: Vec<Finding>,
    pub(super) report: &'c mut dyn FnMut(&Finding),
}

impl Check<'_> {
    /// Reports a finding, unless it was reported before.
    pub(super) fn add(&mut self, finding: Finding) {
        if !self.findings.contains(&finding) {
            (self.report)(&finding);
            self.findings.push(finding);
        }
    }

    /// Something is as it should be.
    pub(super) fn ok(&mut self, check: &str, what: impl Into<String>) {
        self.add(finding::of(OK, check, what, "", ""));
    }

    /// Something to know.
    pub(super) fn note(&mut self, check: &str, what: impl Into<String>) {
        self.add(finding::of(NOTE, check, what, "", ""));
    }

    /// Something that may be a mistake, and what would be right.
    pub(super) fn warn(&mut self, check: &str, what: impl Into<String>, advice: &str) {
        self.add(finding::of(WARNING, check, what, advice, ""));
    }

    /// A mistake, what would be right, and an example: the position, the move, what is there and what was expected.
    pub(super) fn wrong(&mut self, check: &str, what: impl Into<String>, advice: &str, seen: &str) {
        self.add(finding::of(WRONG, check, what, advice, seen));
    }

    /// Two things that have to be the same: `difference` says where they are not, and `right` and `wrong` what that means. Whether they
    /// are the same.
    pub(super) fn same(
        &mut self,
        check: &str,
        difference: Option<String>,
        right: &str,
        wrong: &str,
        advice: &str,
    ) -> bool {
        match &difference {
            Some(seen) => self.wrong(check, wrong, advice, seen),
            None => self.ok(check, right),
        }
        difference.is_none()
    }

    /// Whether a mistake has this name.
    pub(super) fn is_wrong(&self, check: &str) -> bool {
        (self.findings.iter()).any(|finding| finding.verdict == WRONG && finding.check == check)
    }
}
