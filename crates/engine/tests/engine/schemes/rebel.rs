//! Rebel: the page's two schemes, Rebel 15, and Pro Deo's history.

use lmrlab_policy::facts::Fact;

use super::fruit_toga::toga_conditions;
use super::scheme::{BEST, CAPTURES, CHECKS, EVASIONS, KILLERS, PV, ROOT, Scheme, hold, late, ln};
use super::watch::Seen;

#[test]
fn rebel_starter() {
    hold(&Scheme {
        policy: "rebel-starter",
        written: |s| {
            let spared = s.depth() < 3
                || s.number() <= 3
                || s.is(Fact::TtMove)
                || s.is(Fact::Capture)
                || s.is(Fact::QueenPromotion)
                || s.is(Fact::InCheck)
                || s.is(Fact::GivesCheck)
                || s.of(Fact::PawnRank) >= 6.0;
            let bad = i32::from(s.history() < -500) + i32::from(s.history() < -1500);
            match (spared, s.is(Fact::Root)) {
                (true, _) => 0,
                (false, true) => 1,
                (false, false) => s.leaving(0, 1 + bad),
            }
        },
        spared: &[
            CAPTURES,
            CHECKS,
            EVASIONS,
            ("pawns on the sixth rank", |s| {
                s.of(Fact::PawnRank) >= 6.0 && s.depth() >= 3
            }),
        ],
        reduced: &[
            KILLERS,
            PV,
            ROOT,
            ("moves with a bad history, twice,", |s| s.reduction == 2),
        ],
        cells: &[(3, 3, 0), (2, 9, 0)],
    });
}

/// The twelve steps; the table is the one that the file explains.
fn rebel_advanced_steps(s: &Seen) -> i32 {
    let losing = s.of(Fact::See) < 0.0;
    if s.depth() < 3
        || s.is(Fact::TtMove)
        || s.is(Fact::InCheck)
        || s.is(Fact::QueenPromotion)
        || s.of(Fact::PawnRank) >= 6.0
        || s.of(Fact::Iteration) >= 8.0 && s.is(Fact::WasBest)
    {
        return 0;
    }
    if s.is(Fact::Capture) || s.is(Fact::GivesCheck) {
        return s.leaving(0, i32::from(losing));
    }
    let mut r = (0.5 + 2.0 * ln(s.depth()) * ln(s.number().min(63)) / 2.1) as i32;
    for threshold in [0, 500, 1000, 1500] {
        r -= i32::from(s.history() > threshold);
        r += i32::from(s.history() < -threshold);
    }
    r -= i32::from(s.of(Fact::EvalMinusAlpha) > 10.0);
    r -= i32::from(s.of(Fact::Positional) > 50.0);
    r -= i32::from(s.is(Fact::CreatesThreat) && !losing);
    r -= i32::from(s.is(Fact::EscapesThreat) && !losing);
    r -= i32::from(s.of(Fact::PassedDelta) >= 25.0);
    r -= i32::from(s.of(Fact::KingSafetyDelta) >= 25.0);
    r -= i32::from(s.of(Fact::EvalDelta) >= 50.0);
    r += i32::from(s.of(Fact::EvalDelta) <= -50.0);
    r -= i32::from(s.is(Fact::Killer));
    r -= i32::from(s.of(Fact::PstDelta) >= 20.0);
    s.leaving(0, if r > 0 { r * 50 / 100 } else { 0 })
}

#[test]
fn rebel_advanced() {
    for policy in ["rebel-advanced", "rebel-advanced-tenfold"] {
        hold(&Scheme {
            policy,
            written: rebel_advanced_steps,
            spared: &[
                EVASIONS,
                BEST,
                ("good captures", |s| s.is(Fact::Capture) && s.of(Fact::See) >= 0.0),
                ("safe checks", |s| {
                    late(s) && s.is(Fact::GivesCheck) && s.of(Fact::See) >= 0.0
                }),
            ],
            reduced: &[
                ("losing captures", |s| s.is(Fact::Capture)),
                ("losing checks", |s| s.is(Fact::GivesCheck) && s.is(Fact::Quiet)),
                ROOT,
                PV,
            ],
            cells: &[(2, 20, 0)],
        });
    }
}

#[test]
fn rebel_15() {
    hold(&Scheme {
        policy: "rebel-15",
        written: |s| {
            if !toga_conditions(s) {
                return 0;
            }
            let table = (0.5 + ln(s.depth()) * ln(s.before()) / 2.1) as i32;
            let mut r = (table - i32::from(s.is(Fact::Pv))).max(0);
            if s.is(Fact::Capture) && s.of(Fact::See) < 0.0 {
                r /= 2;
            }
            if s.is(Fact::Cut) && s.is(Fact::Quiet) && s.depth() - 1 - (table + 1) > 1 {
                r += 1;
            }
            s.leaving(0, r)
        },
        spared: &[
            CHECKS,
            EVASIONS,
            ("captures before quiet moves", |s| {
                s.is(Fact::Capture) && s.of(Fact::QuietNumber) == 0.0 && s.before() >= 3 && s.depth() >= 3
            }),
        ],
        reduced: &[("losing captures", |s| s.is(Fact::Capture)), KILLERS, PV],
        cells: &[(3, 4, 1), (2, 20, 0), (3, 20, 2)],
    });
}

#[test]
fn prodeo() {
    hold(&Scheme {
        policy: "prodeo-history",
        written: |s| {
            let never = s.is(Fact::TtMove)
                || s.is(Fact::InCheck)
                || s.is(Fact::GivesCheck)
                || s.is(Fact::Capture)
                || s.of(Fact::StaticEval) > s.of(Fact::Alpha);
            s.leaving(0, i32::from(!never && s.history() < 50))
        },
        spared: &[
            CAPTURES,
            CHECKS,
            EVASIONS,
            ("moves above alpha", |s| {
                s.history() < 50 && s.of(Fact::EvalMinusAlpha) > 0.0
            }),
            ("moves that have not failed enough", |s| {
                (50..100).contains(&s.history())
            }),
        ],
        reduced: &[
            ("early moves", |s| s.before() < 3),
            ("moves near the horizon", |s| s.depth() == 2),
        ],
        cells: &[],
    });
}
