//! The schemes of other engines and of pages.

use lmrlab_policy::facts::Fact;

use super::watch::Seen;
use super::{hold, ln, ordinary, unforced};

#[test]
fn mediocre() {
    hold("mediocre-2007", |s| {
        let late = s.before() >= 4 && s.depth() >= 3;
        i32::from(late && !s.is(Fact::Capture) && !s.is(Fact::GivesCheck))
    });
    hold("mediocre-0.5", |s| {
        if s.before() <= 3 || s.depth() <= 3 || s.is(Fact::GivesCheck) {
            return 0;
        }
        if s.is(Fact::Root) {
            return 1;
        }
        let threat = s.is(Fact::NullMate) || s.of(Fact::PawnRank) == 7.0;
        i32::from(!(threat || s.is(Fact::TtMove) || s.is(Fact::Capture) || s.is(Fact::Killer)))
    });
}

#[test]
fn glaurung() {
    hold("glaurung-2.2", |s| {
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
    });
}

#[test]
fn micromax() {
    hold("micromax-4", |s| {
        i32::from(
            s.depth() >= 4 && s.before() > 0 && !(s.is(Fact::PawnMove) || s.is(Fact::Capture) || s.is(Fact::TtMove)),
        )
    });
}

#[test]
fn rebel_starter() {
    hold("rebel-starter", |s| {
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
        hold(policy, rebel_advanced_steps);
    }
}

#[test]
fn rebel_15() {
    hold("rebel-15", |s| {
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
    });
}

#[test]
fn prodeo() {
    hold("prodeo-history", |s| {
        let never = s.is(Fact::TtMove)
            || s.is(Fact::InCheck)
            || s.is(Fact::GivesCheck)
            || s.is(Fact::Capture)
            || s.of(Fact::StaticEval) > s.of(Fact::Alpha);
        s.leaving(0, i32::from(!never && s.history() < 50))
    });
}

#[test]
fn madchess() {
    hold("madchess-2.0", |s| {
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
    });
    hold("madchess-3", |s| {
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
    });
}

#[test]
fn senpai() {
    hold("senpai-1.0", |s| {
        let push = s.is(Fact::PassedPawn) && s.of(Fact::PawnRank) >= 6.0;
        if s.depth() < 3 || s.before() < 3 || !unforced(s) || !ordinary(s) || push || s.is(Fact::Castling) {
            return 0;
        }
        if s.number() <= 6 { 1 } else { s.depth() / 3 }
    });
    hold("senpai-2.0", |s| {
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
    });
}

/// What Toga 3.0 asks, and Rebel 15 after it.
pub(crate) fn toga_conditions(s: &Seen) -> bool {
    unforced(s) && s.before() >= 3 && s.depth() >= 3 && s.of(Fact::PawnRank) < 7.0 && s.of(Fact::QuietNumber) > 0.0
}

#[test]
fn fruit_and_its_descendants() {
    hold("fruit-2.1", |s| {
        let reducible = !s.is(Fact::Pv) && s.depth() >= 3 && s.before() >= 3 && unforced(s) && ordinary(s);
        i32::from(reducible && s.history() < 9830)
    });
    hold("toga-3.0", |s| {
        if !toga_conditions(s) {
            return 0;
        }
        let both = ln(s.depth()) * ln(s.before());
        let r = if s.is(Fact::Pv) { both / 3.0 } else { 0.33 + both / 2.25 };
        s.leaving(0, r as i32)
    });
    hold("fruit-reloaded", |s| {
        if s.is(Fact::Pv) || s.is(Fact::InCheck) || s.before() < 3 || s.depth() < 3 || !ordinary(s) {
            return 0;
        }
        let units = 2 * s.depth();
        let halves = (f64::from(units - 1).sqrt() + f64::from(s.before() - 1).sqrt()) as i32;
        let most = if s.is(Fact::Extended) { 1 } else { 256 };
        s.leaving(1, (halves / 2).min(most))
    });
    hold("fruit-reloaded-wiki", |s| {
        if s.is(Fact::InCheck) || s.before() < 3 || s.depth() < 3 || !ordinary(s) {
            return 0;
        }
        let plies = (f64::from(s.depth() - 1).sqrt() + f64::from(s.before() - 1).sqrt()) as i32;
        let plies = if s.is(Fact::Pv) { 2 * plies / 3 } else { plies };
        let most = if s.is(Fact::Extended) { 1 } else { 256 };
        s.leaving(1, plies.min(most))
    });
}

#[test]
fn relative_history() {
    hold("relative-history", |s| {
        let reducible = !s.is(Fact::Pv)
            && s.depth() >= 3
            && s.before() >= 3
            && s.is(Fact::Quiet)
            && !s.is(Fact::InCheck)
            && !s.is(Fact::GivesCheck)
            && !s.is(Fact::TtMove)
            && !s.is(Fact::Killer);
        i32::from(reducible && s.history() < 60)
    });
}

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
    hold("ethereal", |s| {
        let quiet = 0.7844 + ln(s.depth()) * ln(s.number()) / 2.4696;
        let capture = if s.is(Fact::GivesCheck) { 2.0 } else { 3.0 };
        by_formula(s, if s.is(Fact::Quiet) { quiet } else { capture })
    });
    hold("weiss", |s| {
        let both = ln(s.depth()) * ln(s.number());
        let quiet = s.is(Fact::Quiet);
        by_formula(s, if quiet { 1.35 + both / 2.75 } else { 0.20 + both / 3.35 })
    });
    hold("obsidian", |s| {
        by_formula(s, 0.99 + ln(s.depth()) * ln(s.number()) / (314.0 / 100.0))
    });
    hold("halogen", |s| {
        let (d, m) = (ln(s.depth() + 1), ln(s.number() + 1));
        by_formula(s, -0.7851 + 1.041 * d + 2.126 * m - 0.6481 * d * m)
    });
}

#[test]
fn conditions_of_the_wiki() {
    hold("wiki-common", |s| {
        let common = s.depth() >= 3 && s.before() >= 3 && !s.is(Fact::Pv);
        i32::from(common && s.is(Fact::Quiet) && unforced(s))
    });
    hold("wiki-uncommon", |s| {
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
    });
    hold("wiki-uncommon@+all-pawns,-killers,-bad-captures", |s| {
        let common = s.depth() >= 3 && s.before() >= 3 && !s.is(Fact::Pv);
        let spared = [Fact::PawnMove, Fact::KingZone, Fact::CreatesThreat, Fact::NullThreat];
        i32::from(
            common && unforced(s) && s.is(Fact::Quiet) && s.history() < 60 && !spared.iter().any(|fact| s.is(*fact)),
        )
    });
}
