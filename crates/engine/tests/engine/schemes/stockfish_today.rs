//! Stockfish 11 and of today.

use lmrlab_policy::facts::Fact;

use super::scheme::{CAPTURES, CHECKS, EVASIONS, KILLERS, Scheme, hold, ln};
use super::watch::{NODES, plain_search, watch};

#[test]
fn stockfish_11() {
    hold(&Scheme {
        policy: "stockfish-11",
        written: |s| {
            let (d, m) = (s.depth(), s.number());
            let improving = i32::from(s.is(Fact::Improving));
            let quiet = s.is(Fact::Quiet);
            let many = (5 + d * d) * (1 + improving) / 2 - 1;
            let first = if s.is(Fact::Root) { 4 } else { 2 };
            if d < 3 || m < first || !(quiet || s.is(Fact::Cut) || m >= many) {
                return 0;
            }
            let table = |i: i32| (24.8 * ln(i)) as i32;
            let product = table(d) * table(m);
            let mut r = (product + 511) / 1024 + i32::from(improving == 0 && product > 1007);
            r -= i32::from(s.of(Fact::ParentMoveNumber) > 14.0);
            r -= if s.is(Fact::TtPv) { 2 } else { 0 };
            if quiet {
                r += i32::from(s.is(Fact::TtCapture));
                if s.is(Fact::Cut) {
                    r += 2;
                } else if !s.is(Fact::Castling) && s.is(Fact::EscapesThreat) {
                    r -= 2;
                }
                let continuation = 29952.0 / 16384.0 * s.of(Fact::ContinuationHistory);
                let stat = s.of(Fact::History) + continuation - 4926.0;
                r -= (stat / 16384.0) as i32;
            } else if d < 8 && m > 2 {
                r += 1;
            }
            s.leaving(1, r.max(0))
        },
        spared: &[("captures in PV nodes", |s| {
            s.is(Fact::Capture) && s.is(Fact::Pv) && s.number() < 6
        })],
        reduced: &[
            CHECKS,
            EVASIONS,
            KILLERS,
            ("captures in cut nodes", |s| s.is(Fact::Capture) && s.is(Fact::Cut)),
        ],
        cells: &[(2, 20, 0)],
    });
}

#[test]
fn stockfish_head() {
    hold(&Scheme {
        policy: "stockfish-head",
        written: |s| {
            let (d, m) = (s.depth(), s.number());
            if d < 2 || m < 2 {
                return 0;
            }
            let when = |fact: Fact, value: f64| if s.is(fact) { value } else { 0.0 };
            let product = (22.44 * ln(d)).trunc() * (22.44 * ln(m)).trunc();
            let mut r = product + 982.0 + 697.0 - 65.0 * f64::from(m);
            r -= (577.0 * s.of(Fact::Window) / s.of(Fact::RootWindow)).trunc();
            if !s.is(Fact::Improving) {
                r += (product * 197.0 / 512.0).trunc();
            }
            if s.is(Fact::TtPv) {
                r += 929.0 - 3023.0 - when(Fact::Pv, 1004.0);
                if s.is(Fact::TtHit) && s.of(Fact::TtScore) > s.of(Fact::Alpha) {
                    r -= 885.0;
                }
                if s.is(Fact::TtHit) && s.of(Fact::TtDepth) >= f64::from(d) {
                    r -= 816.0 + when(Fact::Cut, 940.0);
                }
            }
            if s.is(Fact::Cut) {
                r += 4026.0 + if s.is(Fact::TtHit) { 0.0 } else { 933.0 };
            }
            r += when(Fact::TtCapture, 1079.0);
            if s.of(Fact::ChildCutoffs) > 1.0 {
                r += 264.0 + when(Fact::All, 1138.0);
                r += if s.of(Fact::ChildCutoffs) > 2.0 { 1095.0 } else { 0.0 };
            } else {
                r -= when(Fact::TtMove, 2179.0);
            }
            let stat = if s.is(Fact::Capture) {
                s.of(Fact::CaptureHistory)
            } else {
                let continuation = s.of(Fact::ContinuationHistory) * 30000.0 / 16384.0;
                (2252.0 * s.of(Fact::History) + 1126.0 * continuation) / 1024.0
            };
            r -= (stat * 439.0 / 4096.0).trunc();
            if s.is(Fact::All) {
                r += r * 276.0 / f64::from(256 * d + 268);
            }
            // The depth of the reduced search, as the source has it.
            let new_depth = s.full_depth();
            let least = new_depth.min(1);
            let reduced = (new_depth - (r / 1024.0) as i32).min(new_depth + 2).max(least);
            new_depth - reduced - i32::from(s.is(Fact::Pv))
        },
        spared: &[
            ("first moves", |s| s.before() == 0),
            ("the last ply", |s| s.depth() == 1),
        ],
        reduced: &[CAPTURES, CHECKS, EVASIONS, KILLERS],
        cells: &[],
    });
    let seen = watch("stockfish-head", &plain_search(), NODES);
    assert!(seen.iter().any(|s| s.reduction < 0 && s.is(Fact::Pv)));
}
