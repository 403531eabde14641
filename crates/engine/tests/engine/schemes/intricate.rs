//! The most intricate schemes: Rebel's steps, Stockfish, and Tarnished. Simpler ones are in their files as they are in their sources.

use lmrlab_policy::facts::Fact;

use super::watch::{NODES, Seen, plain_search, watch};
use super::{hold, ln};

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
        hold(policy, rebel_advanced_steps);
    }
}

#[test]
fn stockfish_11() {
    hold("stockfish-11", |s| {
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
    });
}

#[test]
fn stockfish_head() {
    hold("stockfish-head", |s| {
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
        r -= (s.of(Fact::Correction).abs() * 131_072.0 / 26_310.0).trunc();
        if s.is(Fact::Pv) || s.is(Fact::TtPv) {
            r += 929.0 - 3023.0 - when(Fact::Pv, 1004.0);
            if !s.is(Fact::TtHit) || s.of(Fact::TtScore) > s.of(Fact::Alpha) {
                r -= 885.0;
            }
            if s.is(Fact::TtHit) && s.of(Fact::TtDepth) >= f64::from(d) {
                r -= 816.0 + when(Fact::Cut, 940.0);
            }
        }
        if s.is(Fact::Cut) {
            r += 4026.0 + if s.is(Fact::TtHasMove) { 0.0 } else { 933.0 };
        }
        r += when(Fact::TtCapture, 1079.0);
        if s.of(Fact::ChildCutoffs) > 1.0 {
            r += 264.0 + when(Fact::All, 1138.0);
            r += if s.of(Fact::ChildCutoffs) > 2.0 { 1095.0 } else { 0.0 };
        } else {
            r -= when(Fact::TtMove, 2179.0);
        }
        let stat = if s.is(Fact::Capture) {
            (873.0 * 2.08 * s.of(Fact::CapturedValue) / 128.0).trunc() + s.of(Fact::CaptureHistory)
        } else {
            let [one, two] = [Fact::ContinuationHistory, Fact::ContinuationHistory2].map(|fact| s.of(fact));
            let continuation = (1126.0 * one + 1093.0 * two) * 30_000.0 / 16_384.0;
            (2252.0 * s.of(Fact::History) + continuation) / 1024.0
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
    });
    let seen = watch("stockfish-head", &plain_search(), NODES);
    assert!(seen.iter().any(|s| s.reduction < 0 && s.is(Fact::Pv)));
}

const ONE: [i32; 8] = [128, 1019, -880, 1835, -945, 211, 477, -522];
#[rustfmt::skip]
const TWO: [i32; 28] = [
    235, -227, 433, -177, -18, -1, 16, -529, 483, -47, 267, -159, -188, 155,
    -39, 234, 67, 123, 173, 125, 589, -628, 672, -32, 58, -193, -69, 60,
];
#[rustfmt::skip]
const THREE: [i32; 56] = [
    -80, -556, 90, -69, -325, -75, 385, -399, -117, -208, -271, -164, 516, 70,
    115, 47, -224, 244, -423, -152, -245, -120, 522, -99, 271, 123, 106, -194,
    -720, -12, 121, -286, -160, 152, -176, 297, -314, -237, -220, -68, -638, 127,
    393, 263, 120, 229, 193, -151, -531, -55, -69, -44, 365, -267, 254, -34,
];

/// What the weights of all flags that hold, alone, in pairs and in threes, add up to.
fn interactions(flags: [bool; 8]) -> i32 {
    let (mut sum, mut pair, mut triple) = (0, 0, 0);
    for i in 0..8 {
        sum += ONE[i] * i32::from(flags[i]);
        for j in i + 1..8 {
            sum += TWO[pair] * i32::from(flags[i] && flags[j]);
            pair += 1;
            for k in j + 1..8 {
                sum += THREE[triple] * i32::from(flags[i] && flags[j] && flags[k]);
                triple += 1;
            }
        }
    }
    sum
}

#[test]
fn tarnished() {
    hold("tarnished", |s| {
        let (d, m) = (s.depth(), s.before());
        if d < 3 || m < if s.is(Fact::Root) { 3 } else { 2 } {
            return 0;
        }
        let (base, divisor) = if s.is(Fact::Quiet) { (1.55, 2.57) } else { (0.26, 3.3) };
        let mut r = 1103 * (base + ln(d) * ln(m) / divisor) as i32;
        r += interactions([
            !s.is(Fact::Capture),
            !s.is(Fact::Pv),
            s.is(Fact::Improving),
            s.is(Fact::Cut),
            s.is(Fact::Pv) || s.is(Fact::TtPv),
            s.is(Fact::TtHit),
            s.of(Fact::ChildCutoffs) > 2.0,
            s.of(Fact::Correction) < -82.0,
        ]);
        r -= 1024 * s.of(Fact::OrderingHistory) as i32 / 8212;
        s.leaving(1, (r / 1024).max(0))
    });
}
