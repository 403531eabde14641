//! Fruit and its descendants.

use lmrlab_policy::facts::Fact;

use super::scheme::{CAPTURES, CHECKS, EVASIONS, KILLERS, NULL_WINDOWS, PV, Scheme, hold, ln, ordinary, unforced};
use super::watch::Seen;

/// What Toga 3.0 asks, and Rebel 15 after it.
pub(crate) fn toga_conditions(s: &Seen) -> bool {
    unforced(s) && s.before() >= 3 && s.depth() >= 3 && s.of(Fact::PawnRank) < 7.0 && s.of(Fact::QuietNumber) > 0.0
}

#[test]
fn fruit_and_its_descendants() {
    hold(&Scheme {
        policy: "fruit-2.1",
        written: |s| {
            let reducible = !s.is(Fact::Pv) && s.depth() >= 3 && s.before() >= 3 && unforced(s) && ordinary(s);
            i32::from(reducible && s.history() < 9830)
        },
        spared: &[
            CAPTURES,
            CHECKS,
            EVASIONS,
            KILLERS,
            PV,
            ("moves that have not failed", |s| s.history() == 16384),
        ],
        reduced: &[NULL_WINDOWS],
        cells: &[(2, 12, 0), (3, 3, 0)],
    });
    hold(&Scheme {
        policy: "toga-3.0",
        written: |s| {
            if !toga_conditions(s) {
                return 0;
            }
            let both = ln(s.depth()) * ln(s.before());
            let r = if s.is(Fact::Pv) { both / 3.0 } else { 0.33 + both / 2.25 };
            s.leaving(0, r as i32)
        },
        spared: &[CHECKS, EVASIONS],
        reduced: &[("captures after quiet moves", |s| s.is(Fact::Capture)), KILLERS, PV],
        // 0.33 + ln 3 * ln 4 / 2.25 = 1.01; ln 3 * ln 20: 1.79; ln 4 * ln 15: 2.0.
        cells: &[(3, 4, 0), (3, 5, 1), (3, 21, 1), (4, 16, 1), (4, 17, 2), (2, 20, 0)],
    });
    hold(&Scheme {
        policy: "fruit-reloaded",
        written: |s| {
            if s.is(Fact::Pv) || s.is(Fact::InCheck) || s.before() < 3 || s.depth() < 3 || !ordinary(s) {
                return 0;
            }
            let units = 2 * s.depth();
            let halves = (f64::from(units - 1).sqrt() + f64::from(s.before() - 1).sqrt()) as i32;
            let most = if s.is(Fact::Extended) { 1 } else { 256 };
            s.leaving(1, (halves / 2).min(most))
        },
        spared: &[CAPTURES, EVASIONS, KILLERS, PV],
        reduced: &[("extended moves", |s| s.is(Fact::Extended))],
        // sqrt 5 + sqrt 2 = 3.65 half-plies; depth 4 at move 11: sqrt 7 + 3 = 5.6.
        cells: &[(3, 4, 1), (4, 11, 2), (3, 3, 0), (2, 12, 0)],
    });
    hold(&Scheme {
        policy: "fruit-reloaded-wiki",
        written: |s| {
            if s.is(Fact::InCheck) || s.before() < 3 || s.depth() < 3 || !ordinary(s) {
                return 0;
            }
            let plies = (f64::from(s.depth() - 1).sqrt() + f64::from(s.before() - 1).sqrt()) as i32;
            let plies = if s.is(Fact::Pv) { 2 * plies / 3 } else { plies };
            let most = if s.is(Fact::Extended) { 1 } else { 256 };
            s.leaving(1, plies.min(most))
        },
        spared: &[CAPTURES, EVASIONS, KILLERS],
        reduced: &[PV, NULL_WINDOWS],
        cells: &[(4, 4, 2), (3, 4, 1), (2, 12, 0)],
    });
}
