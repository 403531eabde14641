//! The shipped policies, at the edges of what their authors published.

use std::path::Path;

use crate::common::{Move, shipped};
use lmrlab_policy::Policy;
use lmrlab_policy::facts::Fact;
use lmrlab_policy::history::{History, HistoryModel};
use lmrlab_policy::research::{Ladder, Research, Trigger};

/// Asserts by how many plies a policy reduces each move.
fn assert_reductions(policy: &str, cases: &[(Move, i32)]) {
    let compiled = shipped(policy);
    for (facts, plies) in cases {
        assert_eq!(compiled.reduction(facts), *plies, "{policy}: {facts:?}");
    }
}

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

/// This notices only what is very wrong: the machine may be busy, and the build is not optimised.
#[test]
fn every_shipped_policy_is_loaded_in_no_time() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs/policies");
    for name in lmrlab_diagnostics::Files::on_disk().toml_names(&folder) {
        let path = folder.join(format!("{name}.toml"));
        let quickest = (0..5)
            .map(|_| {
                let start = std::time::Instant::now();
                assert!(Policy::load(&path).is_ok(), "{name}");
                start.elapsed()
            })
            .min()
            .unwrap_or_default();
        assert!(quickest.as_millis() < 100, "{name}: {quickest:?}");
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
fn mediocre_2007() {
    let fifth = Move::quiet(3, 4);
    assert_reductions(
        "mediocre-2007",
        &[
            (fifth, 1),
            (Move::quiet(3, 3), 0),
            (Move::quiet(2, 4), 0),
            (Move::quiet(40, 100), 1),
            (fifth.capture(), 0),
            (fifth.with(Fact::GivesCheck), 0),
            // The code spares neither of these.
            (fifth.with(Fact::InCheck), 1),
            (fifth.with(Fact::QueenPromotion).with(Fact::Promotion), 1),
            (fifth.with(Fact::Pv), 1),
            (fifth.with(Fact::Root), 1),
            (fifth.with(Fact::Killer), 1),
        ],
    );
    let policy = shipped("mediocre-2007");
    let usual = Research {
        ladder: Ladder::NullThenFull,
        trigger: Trigger::AboveAlpha,
        ..Research::default()
    };
    assert_eq!(policy.research(), usual);
    assert_eq!(policy.history(), None);
}

#[test]
fn mediocre_2007_with_its_advice() {
    let mut policy = shipped("mediocre-2007");
    policy.enable_rule("spare-queen-promotions", true).unwrap();
    policy.enable_rule("spare-extended-moves", true).unwrap();
    let fifth = Move::quiet(3, 4);
    assert_eq!(policy.reduction(&fifth), 1);
    assert_eq!(policy.reduction(&fifth.with(Fact::QueenPromotion)), 0);
    assert_eq!(policy.reduction(&fifth.with(Fact::Extended)), 0);
}

#[test]
fn micromax_4() {
    let second = Move::quiet(4, 1);
    assert_reductions(
        "micromax-4",
        &[
            (second, 1),
            (Move::quiet(4, 0), 0),
            (Move::quiet(3, 1), 0),
            (Move::quiet(30, 40), 1),
            (second.capture(), 0),
            (second.with(Fact::PawnMove), 0),
            (second.with(Fact::TtMove), 0),
            (second.with(Fact::GivesCheck), 1),
            (second.with(Fact::Castling), 1),
            (second.with(Fact::InCheck), 1),
        ],
    );
    let mut policy = shipped("micromax-4");
    policy.enable_rule("spare-in-check", true).unwrap();
    assert_eq!(policy.reduction(&second.with(Fact::InCheck)), 0);
    assert_eq!(policy.reduction(&second), 1);
    let step_up = Research {
        ladder: Ladder::StepUp,
        trigger: Trigger::AboveOriginalAlpha,
        ..Research::default()
    };
    assert_eq!(policy.research(), step_up);
}

#[test]
fn rebel_starter() {
    let fourth = Move::quiet(5, 3);
    let history = |value: i32| fourth.number(Fact::History, f64::from(value));
    assert_reductions(
        "rebel-starter",
        &[
            (fourth, 1),
            (Move::quiet(5, 2), 0),
            (Move::quiet(2, 3), 0),
            (Move::quiet(3, 3), 1),
            (history(1999), 1),
            (history(-500), 1),
            (history(-501), 2),
            (history(-1500), 2),
            (history(-1501), 3),
            (history(-1999), 3),
            (history(-1999).with(Fact::Root), 1),
            (history(-1999).with(Fact::Pv), 3),
            (fourth.capture(), 0),
            (fourth.with(Fact::TtMove), 0),
            (fourth.with(Fact::Promotion).with(Fact::QueenPromotion), 0),
            (fourth.with(Fact::Promotion), 1),
            (fourth.with(Fact::InCheck), 0),
            (fourth.with(Fact::GivesCheck), 0),
            (fourth.with(Fact::AdvancedPawn), 0),
            (fourth.with(Fact::Killer), 1),
        ],
    );
    // Three plies of remaining depth leave two after the move, which a reduction cannot exceed.
    let shallow = Move::quiet(3, 9).number(Fact::History, -1900.0);
    assert_eq!(shipped("rebel-starter").reduction(&shallow), 2);
    assert_eq!(
        shipped("rebel-starter").history(),
        Some(&History {
            model: HistoryModel::Rebel {
                ply_limit: 8,
                bound: 2000
            },
            orders_moves: false
        })
    );
}

#[test]
fn madchess_2_0() {
    let third = Move::quiet(9, 2);
    assert_reductions(
        "madchess-2.0",
        &[
            (Move::quiet(9, 0), 0),
            (Move::quiet(9, 1), 0),
            (third, 1),
            (Move::quiet(9, 5), 1),
            (Move::quiet(9, 6), 2),
            (Move::quiet(9, 13), 2),
            (Move::quiet(9, 14), 3),
            (Move::quiet(9, 70), 3),
            // Only quiet moves count.
            (Move::quiet(9, 14).number(Fact::QuietNumber, 2.0), 0),
            // Near the horizon: no more than what is left.
            (Move::quiet(1, 14), 0),
            (Move::quiet(2, 14), 1),
            (Move::quiet(3, 14), 2),
            (Move::quiet(4, 14), 3),
            (third.capture(), 0),
            (third.with(Fact::Promotion), 0),
            (third.with(Fact::GivesCheck), 0),
            (third.with(Fact::InCheck), 0),
            (third.with(Fact::AdvancedPawn).with(Fact::PawnMove), 0),
            (third.with(Fact::PawnMove), 1),
            (third.with(Fact::Killer), 1),
            (third.with(Fact::Root), 1),
        ],
    );
    let mut policy = shipped("madchess-2.0");
    policy.enable_rule("any-pawn-push", true).unwrap();
    assert_eq!(policy.reduction(&third.with(Fact::PawnMove)), 0);
    let full = Research {
        ladder: Ladder::Full,
        trigger: Trigger::AboveBestScore,
        ..Research::default()
    };
    assert_eq!(policy.research(), full);
    assert_eq!(
        policy.history(),
        Some(&History {
            model: HistoryModel::MadChess { age_percent: 95 },
            orders_moves: true
        })
    );
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
