//! A scheme written by hand, and its comparison with the shipped policy.

use lmrlab_policy::facts::Fact;

use super::watch::{NODES, Seen, plain_search, watch};

pub(crate) type Test = fn(&Seen) -> bool;

/// What is asked of a scheme.
pub(crate) struct Scheme {
    pub(crate) policy: &'static str,
    /// The reduction of any move.
    pub(crate) written: fn(&Seen) -> i32,
    /// Moves that have to occur and must not be reduced.
    pub(crate) spared: &'static [(&'static str, Test)],
    /// Moves that have to occur and be reduced.
    pub(crate) reduced: &'static [(&'static str, Test)],
    /// Of plain moves in null-window nodes: depth, number, plies.
    pub(crate) cells: &'static [(i32, i32, i32)],
}

pub(crate) fn hold(scheme: &Scheme) {
    let name = scheme.policy;
    let seen = watch(name, &plain_search(), NODES);
    let mut wrong = Vec::new();
    if let Some(seen) = seen.iter().find(|s| s.reduction != (scheme.written)(s)) {
        let (by_file, written) = (seen.reduction, (scheme.written)(seen));
        wrong.push(format!("{by_file}, not {written}: {}", seen.tells()));
    }
    if !seen.iter().any(|seen| seen.reduction > 0) {
        wrong.push("nothing was reduced".to_owned());
    }
    for (what, test) in scheme.spared {
        let mut such = seen.iter().filter(|seen| test(seen)).peekable();
        if such.peek().is_none() {
            wrong.push(format!("{what} did not occur"));
        }
        if let Some(reduced) = such.find(|seen| seen.reduction != 0) {
            wrong.push(format!("{what} were reduced: {}", reduced.tells()));
        }
    }
    for (what, test) in scheme.reduced {
        if !seen.iter().any(|seen| seen.reduction > 0 && test(seen)) {
            wrong.push(format!("{what} were not reduced"));
        }
    }
    for &(depth, number, plies) in scheme.cells {
        let mut cell = seen
            .iter()
            .filter(|seen| seen.plain() && !seen.is(Fact::Pv))
            .filter(|seen| (seen.depth(), seen.number()) == (depth, number))
            .peekable();
        if cell.peek().is_none() {
            wrong.push(format!("no plain move {number} at depth {depth}"));
        }
        if let Some(seen) = cell.find(|seen| seen.reduction != plies) {
            let tells = seen.tells();
            wrong.push(format!("move {number} at depth {depth}, not {plies}: {tells}"));
        }
    }
    assert!(wrong.is_empty(), "{name}:\n{}", wrong.join("\n"));
}

/// Late enough, and deep enough, for any scheme.
pub(crate) fn late(seen: &Seen) -> bool {
    seen.before() >= 8 && seen.depth() >= 4
}

pub(crate) const CAPTURES: (&str, Test) = ("late captures", |s| {
    s.depth() >= 4 && s.before() >= 4 && s.is(Fact::Capture)
});

pub(crate) const CHECKS: (&str, Test) = ("late checks", |s| {
    late(s) && s.is(Fact::Quiet) && s.is(Fact::GivesCheck)
});

pub(crate) const EVASIONS: (&str, Test) = ("evasions", |s| {
    s.depth() >= 3 && s.before() >= 3 && s.is(Fact::Quiet) && s.is(Fact::InCheck)
});

pub(crate) const KILLERS: (&str, Test) = ("killers", |s| s.depth() >= 3 && s.before() >= 3 && s.is(Fact::Killer));

pub(crate) const PAWNS: (&str, Test) = ("pawns", |s| late(s) && s.is(Fact::Quiet) && s.is(Fact::PawnMove));

pub(crate) const PV: (&str, Test) = ("moves in PV nodes", |s| late(s) && s.is(Fact::Pv));

pub(crate) const ROOT: (&str, Test) = ("root moves", |s| late(s) && s.is(Fact::Root));

pub(crate) const NULL_WINDOWS: (&str, Test) = ("moves in null windows", |s| late(s) && !s.is(Fact::Pv));

pub(crate) const BEST: (&str, Test) = ("hash moves", |s| s.depth() >= 4 && s.is(Fact::TtMove));

pub(crate) fn ln(x: i32) -> f64 {
    f64::from(x).ln()
}

/// What every scheme with Fruit's or Senpai's stages calls neither tactical nor promising.
pub(crate) fn ordinary(s: &Seen) -> bool {
    s.is(Fact::Quiet) && !s.is(Fact::TtMove) && !s.is(Fact::Killer)
}

pub(crate) fn unforced(s: &Seen) -> bool {
    !s.is(Fact::InCheck) && !s.is(Fact::GivesCheck) && !s.is(Fact::Extended)
}
