//! Mediocre, of 2007 and version 0.5.

use lmrlab_policy::facts::Fact;

use super::scheme::{BEST, CAPTURES, CHECKS, EVASIONS, KILLERS, NULL_WINDOWS, PV, ROOT, Scheme, hold, late};

#[test]
fn mediocre() {
    hold(&Scheme {
        policy: "mediocre-2007",
        written: |s| {
            let late = s.before() >= 4 && s.depth() >= 3;
            i32::from(late && !s.is(Fact::Capture) && !s.is(Fact::GivesCheck))
        },
        spared: &[CAPTURES, CHECKS],
        reduced: &[KILLERS, EVASIONS, PV, ROOT],
        cells: &[(3, 5, 1), (2, 9, 0), (3, 4, 0), (4, 20, 1)],
    });
    hold(&Scheme {
        policy: "mediocre-0.5",
        written: |s| {
            if s.before() <= 3 || s.depth() <= 3 || s.is(Fact::GivesCheck) {
                return 0;
            }
            if s.is(Fact::Root) {
                return 1;
            }
            let threat = s.is(Fact::NullMate) || s.of(Fact::PawnRank) == 7.0;
            i32::from(!(threat || s.is(Fact::TtMove) || s.is(Fact::Capture) || s.is(Fact::Killer)))
        },
        spared: &[
            ("captures below the root", |s| {
                late(s) && s.is(Fact::Capture) && !s.is(Fact::Root)
            }),
            CHECKS,
            BEST,
        ],
        reduced: &[
            ("captures at the root", |s| s.is(Fact::Capture) && s.is(Fact::Root)),
            PV,
            NULL_WINDOWS,
        ],
        cells: &[(4, 5, 1), (3, 5, 0), (4, 4, 0), (3, 20, 0)],
    });
}
