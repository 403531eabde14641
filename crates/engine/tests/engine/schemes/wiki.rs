//! The wiki's formulas and conditions.

use lmrlab_policy::facts::Fact;

use super::scheme::{CAPTURES, CHECKS, EVASIONS, KILLERS, PAWNS, PV, Scheme, hold, late, ln, unforced};
use super::watch::Seen;

/// The wiki's formulas: depth 3, from the second move on.
fn by_formula(s: &Seen, r: f64) -> i32 {
    if s.depth() < 3 || s.number() < 2 {
        0
    } else {
        s.leaving(1, r.max(0.0) as i32)
    }
}

#[test]
fn formulas_of_the_wiki() {
    hold(&Scheme {
        policy: "ethereal",
        written: |s| {
            let quiet = 0.7844 + ln(s.depth()) * ln(s.number()) / 2.4696;
            let capture = if s.is(Fact::GivesCheck) { 2.0 } else { 3.0 };
            by_formula(s, if s.is(Fact::Quiet) { quiet } else { capture })
        },
        spared: &[("first moves", |s| s.before() == 0)],
        reduced: &[CAPTURES, CHECKS, EVASIONS, KILLERS, PV],
        // 0.7844 + ln 4 * ln m / 2.4696 is 2 from m = 9 on (8.7).
        cells: &[(3, 2, 1), (4, 8, 1), (4, 9, 2), (2, 20, 0)],
    });
    hold(&Scheme {
        policy: "weiss",
        written: |s| {
            let both = ln(s.depth()) * ln(s.number());
            let quiet = s.is(Fact::Quiet);
            by_formula(s, if quiet { 1.35 + both / 2.75 } else { 0.20 + both / 3.35 })
        },
        spared: &[
            ("first moves", |s| s.before() == 0),
            ("early captures", |s| {
                s.is(Fact::Capture) && s.number() == 2 && s.depth() <= 5
            }),
        ],
        reduced: &[CHECKS, EVASIONS, KILLERS, PV],
        // 1.35 + ln 4 * ln m / 2.75 is 2 from m = 4 on (3.6).
        cells: &[(3, 2, 1), (4, 3, 1), (4, 4, 2), (2, 20, 0)],
    });
    hold(&Scheme {
        policy: "obsidian",
        written: |s| by_formula(s, 0.99 + ln(s.depth()) * ln(s.number()) / (314.0 / 100.0)),
        spared: &[("first moves", |s| s.before() == 0)],
        reduced: &[CAPTURES, CHECKS, EVASIONS, KILLERS, PV],
        // 0.99 + ln 4 * ln m / 3.14 is 2 from m = 10 on (9.9).
        cells: &[(3, 2, 1), (4, 9, 1), (4, 10, 2), (2, 20, 0)],
    });
    hold(&Scheme {
        policy: "halogen",
        written: |s| {
            let (d, m) = (ln(s.depth() + 1), ln(s.number() + 1));
            by_formula(s, -0.7851 + 1.041 * d + 2.126 * m - 0.6481 * d * m)
        },
        spared: &[("first moves", |s| s.before() == 0)],
        reduced: &[CAPTURES, CHECKS, EVASIONS, KILLERS, PV],
        // At depth 4, 0.890 + 1.083 ln(m + 1): 2 from m = 2 on, 3 from m = 7 on (6.0).
        cells: &[(3, 2, 1), (4, 2, 2), (2, 20, 0)],
    });
}

#[test]
fn conditions_of_the_wiki() {
    hold(&Scheme {
        policy: "wiki-common",
        written: |s| {
            let common = s.depth() >= 3 && s.before() >= 3 && !s.is(Fact::Pv);
            i32::from(common && s.is(Fact::Quiet) && unforced(s))
        },
        spared: &[CAPTURES, CHECKS, EVASIONS, PV],
        reduced: &[KILLERS, PAWNS],
        cells: &[(3, 3, 0), (3, 4, 1), (2, 20, 0), (5, 20, 1)],
    });
    hold(&Scheme {
        policy: "wiki-uncommon",
        written: |s| {
            let common = s.depth() >= 3 && s.before() >= 3 && !s.is(Fact::Pv);
            if !common || !unforced(s) || s.is(Fact::Promotion) {
                return 0;
            }
            if s.is(Fact::Capture) {
                return i32::from(s.of(Fact::See) < 0.0);
            }
            let spared = [
                Fact::PassedPawn,
                Fact::Killer,
                Fact::KingZone,
                Fact::CreatesThreat,
                Fact::NullThreat,
            ];
            i32::from(s.history() < 60 && !spared.iter().any(|fact| s.is(*fact)))
        },
        spared: &[
            KILLERS,
            CHECKS,
            EVASIONS,
            PV,
            ("passed pawns", |s| s.is(Fact::PassedPawn) && s.is(Fact::Quiet)),
            ("the king's area", |s| {
                late(s) && s.is(Fact::Quiet) && s.is(Fact::KingZone)
            }),
            ("threats", |s| late(s) && s.is(Fact::Quiet) && s.is(Fact::CreatesThreat)),
        ],
        reduced: &[("losing captures", |s| s.is(Fact::Capture)), PAWNS],
        cells: &[(3, 3, 0), (2, 20, 0)],
    });
    hold(&Scheme {
        policy: "wiki-uncommon@+all-pawns,-killers,-bad-captures",
        written: |s| {
            let common = s.depth() >= 3 && s.before() >= 3 && !s.is(Fact::Pv);
            let spared = [Fact::PawnMove, Fact::KingZone, Fact::CreatesThreat, Fact::NullThreat];
            i32::from(
                common
                    && unforced(s)
                    && s.is(Fact::Quiet)
                    && s.history() < 60
                    && !spared.iter().any(|fact| s.is(*fact)),
            )
        },
        spared: &[PAWNS, CAPTURES],
        reduced: &[KILLERS],
        cells: &[],
    });
}
