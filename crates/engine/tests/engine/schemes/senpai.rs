//! Senpai 1.0 and 2.0.

use lmrlab_policy::facts::Fact;

use super::scheme::{CAPTURES, CHECKS, EVASIONS, KILLERS, NULL_WINDOWS, PV, ROOT, Scheme, hold, ordinary, unforced};

#[test]
fn senpai() {
    hold(&Scheme {
        policy: "senpai-1.0",
        written: |s| {
            let push = s.is(Fact::PassedPawn) && s.of(Fact::PawnRank) >= 6.0;
            if s.depth() < 3 || s.before() < 3 || !unforced(s) || !ordinary(s) || push || s.is(Fact::Castling) {
                return 0;
            }
            if s.number() <= 6 { 1 } else { s.depth() / 3 }
        },
        spared: &[
            CAPTURES,
            CHECKS,
            EVASIONS,
            KILLERS,
            ("pushes of passed pawns", |s| {
                s.depth() >= 3 && s.before() >= 3 && s.is(Fact::PassedPawn) && s.of(Fact::PawnRank) >= 6.0
            }),
        ],
        reduced: &[PV, ROOT, NULL_WINDOWS],
        cells: &[(3, 3, 0), (3, 4, 1), (2, 12, 0), (5, 12, 1), (4, 6, 1)],
    });
    hold(&Scheme {
        policy: "senpai-2.0",
        written: |s| {
            if s.depth() < 3 || s.before() < 1 {
                return 0;
            }
            if !s.is(Fact::Quiet) || s.is(Fact::InCheck) || s.is(Fact::GivesCheck) {
                let losing = !s.is(Fact::Pv) && s.before() >= 3 && s.of(Fact::See) < 0.0;
                return s.leaving(1, i32::from(losing));
            }
            let logs = f64::from(s.before()).log2() * f64::from(s.depth()).log2();
            let r = (0.4 * logs) as i32;
            s.leaving(1, if s.is(Fact::Pv) { r / 2 } else { r })
        },
        spared: &[
            ("good captures", |s| s.is(Fact::Capture) && s.of(Fact::See) >= 0.0),
            ("checks in PV nodes", |s| s.is(Fact::Pv) && s.is(Fact::GivesCheck)),
        ],
        reduced: &[
            ("losing captures", |s| s.is(Fact::Capture)),
            ("losing checks", |s| s.is(Fact::GivesCheck)),
            KILLERS,
            PV,
        ],
        // 0.4 * log2 3 * log2 4 = 1.27, and with 2: 0.63.
        cells: &[(3, 5, 1), (4, 3, 0), (4, 5, 1), (2, 12, 0)],
    });
}
