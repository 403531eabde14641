//! The relative history heuristic as a condition.

use lmrlab_policy::facts::Fact;

use super::scheme::{CAPTURES, CHECKS, EVASIONS, KILLERS, PV, Scheme, hold};

#[test]
fn relative_history() {
    hold(&Scheme {
        policy: "relative-history",
        written: |s| {
            let reducible = !s.is(Fact::Pv)
                && s.depth() >= 3
                && s.before() >= 3
                && s.is(Fact::Quiet)
                && !s.is(Fact::InCheck)
                && !s.is(Fact::GivesCheck)
                && !s.is(Fact::TtMove)
                && !s.is(Fact::Killer);
            i32::from(reducible && s.history() < 60)
        },
        spared: &[
            CAPTURES,
            CHECKS,
            EVASIONS,
            KILLERS,
            PV,
            ("good history", |s| s.history() >= 60),
        ],
        reduced: &[("some cutoffs", |s| s.history() > 0)],
        cells: &[(2, 12, 0), (3, 3, 0)],
    });
}
