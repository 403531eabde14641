//! Shipped policies in real searches: every reduction is compared with the scheme written by hand.

mod intricate;
mod ladders;
mod watch;

use lmrlab_policy::facts::Fact;

use self::watch::{POSITIONS, Seen, plain_search, root, search, shipped, watch};

/// Of each position.
const NODES: u64 = 10_000;

/// Compares a policy with its scheme.
fn hold(name: &str, written: fn(&Seen) -> i32) {
    let seen = watch(name, &plain_search(), NODES);
    for s in &seen {
        assert_eq!(s.reduction, written(s), "{name}: {}", s.tells());
    }
    let reduced = seen.iter().filter(|s| s.reduction > 0).count();
    assert!(
        0 < reduced && reduced < seen.len(),
        "{name}: {reduced} of {} moves",
        seen.len()
    );
}

fn ln(x: i32) -> f64 {
    f64::from(x).ln()
}

/// So each condition of a scheme meets moves for which it holds, and others.
#[test]
fn moves_of_every_kind_are_late() {
    let seen = watch("none", &plain_search(), NODES);
    let late = || seen.iter().filter(|s| s.depth() >= 3 && s.before() >= 3);
    let kinds = "root pv cut all improving in_check gives_check capture castling pawn_move killer extended tt_pv tt_capture \
                 passed_pawn advanced_pawn king_zone creates_threat escapes_threat";
    for fact in kinds.split_whitespace().map(|name| Fact::named(name).unwrap()) {
        assert!(late().any(|s| s.is(fact)), "{}", fact.name());
        assert!(late().any(|s| !s.is(fact)), "{}", fact.name());
    }
    for good in [true, false] {
        assert!(late().any(|s| s.is(Fact::Capture) && good == (s.of(Fact::See) >= 0.0)));
    }
}

#[test]
fn every_shipped_policy_repeats_itself() {
    let names = lmrlab_diagnostics::Files::on_disk().toml_names(&root().join("configs/policies"));
    assert!(names.len() >= 30, "{names:?}");
    for name in &names {
        let policy = shipped(name);
        let (a, b) = (search(&policy, POSITIONS[1], 5), search(&policy, POSITIONS[1], 5));
        assert!(a.nodes > 0 && a.best.is_some(), "{name}");
        assert_eq!((a.nodes, a.score, a.pv), (b.nodes, b.score, b.pv), "{name}");
    }
}
