//! The shipped policies, as files.

use crate::common::{Move, shipped};
use lmrlab_policy::Policy;
use lmrlab_policy::facts::Fact;

#[test]
fn every_shipped_policy_is_read_without_a_warning_and_is_named_like_its_file() {
    let folder = crate::common::root().join("configs/policies");
    let names = lmrlab_diagnostics::Files::on_disk().toml_names(&folder);
    assert!(names.len() >= 5, "{names:?}");
    for name in names {
        let path = folder.join(format!("{name}.toml"));
        let (policy, warnings) = Policy::load(&path).unwrap_or_else(|e| panic!("{e}"));
        assert!(warnings.list.is_empty(), "{warnings}");
        assert_eq!(policy.name(), name);
        assert!(!policy.description().is_empty() && !policy.provenance().is_empty());
    }
}

#[test]
fn none_reduces_nothing_and_needs_nothing() {
    let policy = shipped("none");
    assert!(policy.never_reduces());
    assert_eq!(policy.needs().iter().count(), 0);
    assert_eq!(policy.reduction(&Move::quiet(30, 60)), 0);
}

#[test]
fn only_the_facts_that_are_mentioned_are_needed() {
    let needs = |policy: &str| -> Vec<&str> {
        let needs = shipped(policy).needs();
        needs.iter().map(|fact| fact.info().name).collect()
    };
    assert_eq!(
        needs("mediocre-2007"),
        [
            "gives_check",
            "capture",
            "extended",
            "depth",
            "moves_searched",
            "extension"
        ]
    );
    assert_eq!(
        needs("madchess-2.0"),
        [
            "in_check",
            "gives_check",
            "capture",
            "promotion",
            "extended",
            "advanced_pawn",
            "depth",
            "quiet_number",
            "extension"
        ]
    );
    assert!(shipped("rebel-starter").needs().contains(Fact::History));
}
