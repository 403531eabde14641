//! Glaurung 2.2.

use lmrlab_policy::facts::Fact;

use super::scheme::{CAPTURES, CHECKS, EVASIONS, KILLERS, ROOT, Scheme, hold, late};

#[test]
fn glaurung() {
    hold(&Scheme {
        policy: "glaurung-2.2",
        written: |s| {
            let first = if s.is(Fact::Pv) { 15 } else { 4 };
            let reducible = s.number() >= first
                && s.depth() >= 2
                && !s.is(Fact::Root)
                && s.is(Fact::Quiet)
                && !s.is(Fact::Extended)
                && !s.is(Fact::GivesCheck)
                && !s.is(Fact::Castling)
                && !s.is(Fact::Killer)
                && !s.is(Fact::PassedPawn)
                && s.of(Fact::PawnRank) < 7.0;
            i32::from(reducible)
        },
        spared: &[
            CAPTURES,
            CHECKS,
            KILLERS,
            ROOT,
            ("passed pawns", |s| late(s) && s.is(Fact::PassedPawn)),
            ("the 14th move in PV nodes", |s| {
                s.is(Fact::Pv) && s.number() == 14 && s.depth() >= 2
            }),
        ],
        reduced: &[
            EVASIONS,
            ("the 15th move in PV nodes", |s| s.is(Fact::Pv) && s.number() == 15),
        ],
        cells: &[(2, 4, 1), (2, 3, 0), (1, 12, 0), (4, 12, 1)],
    });
}
