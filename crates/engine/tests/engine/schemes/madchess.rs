//! MadChess 2.0 and 3.

use lmrlab_policy::facts::Fact;

use super::scheme::{CAPTURES, CHECKS, EVASIONS, KILLERS, PV, ROOT, Scheme, hold};

#[test]
fn madchess() {
    hold(&Scheme {
        policy: "madchess-2.0",
        written: |s| {
            if !s.is(Fact::Quiet) || s.is(Fact::InCheck) || s.is(Fact::GivesCheck) || s.of(Fact::PawnRank) >= 6.0 {
                return 0;
            }
            let r = match s.of(Fact::QuietNumber) as i32 {
                15.. => 3,
                7.. => 2,
                3.. => 1,
                _ => 0,
            };
            s.leaving(0, r)
        },
        spared: &[CAPTURES, CHECKS, EVASIONS],
        reduced: &[KILLERS, PV, ROOT, ("moves near the horizon", |s| s.depth() == 2)],
        cells: &[(2, 1, 0)],
    });
    hold(&Scheme {
        policy: "madchess-3",
        written: |s| {
            if s.before() < 1
                || s.is(Fact::InCheck)
                || s.is(Fact::Killer)
                || s.is(Fact::Castling)
                || s.of(Fact::PawnRank) >= 7.0
            {
                return 0;
            }
            if s.is(Fact::Capture) {
                return s.leaving(0, i32::from(s.of(Fact::See) <= -100.0));
            }
            let logs = s.of(Fact::QuietNumber).log2() * s.of(Fact::Depth).log2();
            let r = (48.0 / 128.0 * logs - 160.0 / 128.0).max(0.0) as i32;
            s.leaving(0, r + i32::from(s.of(Fact::Improvement) < 0.0))
        },
        spared: &[
            EVASIONS,
            KILLERS,
            ("captures that lose nothing", |s| {
                s.is(Fact::Capture) && s.of(Fact::See) >= 0.0
            }),
        ],
        reduced: &[CHECKS, ("losing captures", |s| s.is(Fact::Capture)), PV],
        cells: &[],
    });
}
