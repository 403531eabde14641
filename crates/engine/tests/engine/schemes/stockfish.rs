//! Stockfish with whole plies: 1.7 to 8.

use lmrlab_policy::facts::Fact;

use super::scheme::{
    BEST, CAPTURES, CHECKS, EVASIONS, KILLERS, NULL_WINDOWS, PV, Scheme, Test, hold, late, ln, ordinary,
};
use super::watch::Seen;

/// The conditions of Stockfish 1.7 to 2.
fn old_stockfish_conditions(s: &Seen) -> bool {
    s.depth() >= 3
        && s.is(Fact::Quiet)
        && !s.is(Fact::Extended)
        && !s.is(Fact::GivesCheck)
        && !s.is(Fact::Castling)
        && !s.is(Fact::Killer)
        && !s.is(Fact::PassedPawn)
        && s.of(Fact::PawnRank) < 7.0
        && !s.is(Fact::NullMate)
}

fn old_stockfish(s: &Seen, [base, divisor]: [f64; 2], [pv_base, pv_divisor]: [f64; 2]) -> i32 {
    if !old_stockfish_conditions(s) {
        return 0;
    }
    let both = ln(s.depth()) * ln(s.number());
    let r = if s.is(Fact::Pv) {
        pv_base + both / pv_divisor
    } else {
        base + both / divisor
    };
    s.leaving(0, if r < 1.0 { 0 } else { (2.0 * r) as i32 / 2 })
}

const OLD_SPARED: &[(&str, Test)] = &[
    CAPTURES,
    CHECKS,
    KILLERS,
    ("passed pawns", |s| late(s) && s.is(Fact::PassedPawn)),
];

#[test]
fn stockfish_1_and_2() {
    hold(&Scheme {
        policy: "stockfish-1.7",
        written: |s| old_stockfish(s, [0.5, 3.0], [0.5, 6.0]),
        spared: OLD_SPARED,
        reduced: &[EVASIONS, PV, NULL_WINDOWS],
        // 0.5 + ln 3 * ln m / 3 is 1 from m = 4 on (3.92).
        cells: &[(3, 3, 0), (3, 4, 1), (3, 25, 1), (2, 20, 0)],
    });
    hold(&Scheme {
        policy: "stockfish-1.8",
        written: |s| old_stockfish(s, [0.0, 1.5], [0.0, 3.0]),
        spared: OLD_SPARED,
        reduced: &[EVASIONS, PV, NULL_WINDOWS],
        // ln 3 * ln m / 1.5 is 1 from m = 4 on (3.92), 2 from m = 16 on (15.3).
        cells: &[(3, 3, 0), (3, 4, 1), (3, 15, 1), (3, 16, 2), (2, 20, 0)],
    });
    hold(&Scheme {
        policy: "stockfish-2",
        written: |s| old_stockfish(s, [0.33, 2.25], [0.0, 3.0]),
        spared: OLD_SPARED,
        reduced: &[EVASIONS, PV, NULL_WINDOWS],
        // 0.33 + ln 3 * ln m / 2.25 is 1 from m = 4 on (3.94).
        cells: &[(3, 3, 0), (3, 4, 1), (3, 25, 1), (2, 20, 0)],
    });
}

#[test]
fn stockfish_6() {
    hold(&Scheme {
        policy: "stockfish-6",
        written: |s| {
            if s.depth() < 3 || s.number() < 2 || !ordinary(s) {
                return 0;
            }
            let both = ln(s.depth()) * ln(s.number());
            let pv = s.is(Fact::Pv);
            let r = if pv { both / 3.0 } else { 0.33 + both / 2.25 };
            let mut plies = if r < 1.0 { 0 } else { (r + 0.5) as i32 };
            if !pv && !s.is(Fact::Improving) && plies >= 2 {
                plies += 1;
            }
            s.leaving(1, plies)
        },
        spared: &[CAPTURES, KILLERS, BEST],
        reduced: &[CHECKS, EVASIONS, PV, ("improving", |s| s.is(Fact::Improving))],
        cells: &[(3, 3, 0), (3, 4, 1), (3, 11, 1), (2, 20, 0)],
    });
}

#[test]
fn stockfish_8() {
    hold(&Scheme {
        policy: "stockfish-8",
        written: |s| {
            let (d, m) = (s.depth(), s.number());
            let improving = s.is(Fact::Improving);
            let quiet = s.is(Fact::Quiet);
            let many = f64::from((5 + d * d) * if improving { 2 } else { 1 }) / 2.0 - 1.0;
            if d < 3 || m < 2 || !quiet && f64::from(m) < many {
                return 0;
            }
            let both = ln(d) * ln(m) / 2.0;
            let table = if both < 0.8 { 0 } else { both.round() as i32 };
            let mut r = table;
            if s.is(Fact::Pv) {
                r = (r - 1).max(0);
            } else if !improving && table >= 2 {
                r += 1;
            }
            if !quiet {
                return s.leaving(1, (r - 1).max(0));
            }
            if s.is(Fact::Cut) {
                r += 2;
            } else if !s.is(Fact::PawnMove) && !s.is(Fact::Castling) && s.is(Fact::EscapesThreat) {
                r -= 2;
            }
            let stat = s.history() + 3 * s.of(Fact::ContinuationHistory) as i32 - 8000;
            s.leaving(1, (r - stat / 20000).max(0))
        },
        spared: &[("early captures", |s| s.is(Fact::Capture) && s.number() < 6)],
        reduced: &[CHECKS, KILLERS, PV, ("cut nodes", |s| s.is(Fact::Cut))],
        cells: &[(2, 20, 0)],
    });
}
