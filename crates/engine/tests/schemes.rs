//! The shipped schemes through the real search: each move's reduction against the scheme written again by hand.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that panics has failed, which is what it is for"
)]
#![allow(
    clippy::approx_constant,
    reason = "3.14 is a published number that a tuner found, not a rough pi"
)]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use lmrlab_engine::engine::{Engine, Report};
use lmrlab_engine::game::Game;
use lmrlab_engine::limits::Limits;
use lmrlab_engine::position::Position;
use lmrlab_engine::preset::Preset;
use lmrlab_engine::search::observer::{Attempt, Decision, Observer};
use lmrlab_policy::facts::{CATALOGUE, Fact, Flags};
use lmrlab_policy::policy::Policy;
use lmrlab_policy::reference::{PolicyReference, names_in};

/// Captures and checks everywhere; a slow middle game; pawns about to promote; an attack with losing captures;
/// queens that give check after check.
const POSITIONS: [&str; 5] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
    "4r1k1/5p1p/1P4p1/8/1b3P2/p2p2P1/R2R3K/8 w - - 0 1",
    "r2q1rk1/1b2bppp/p1n1pn2/1p6/3NP3/1BN1B3/PPP1QPPP/R4RK1 w - - 0 1",
    "3q2k1/5p1p/6p1/8/8/5QP1/5P1P/6K1 w - - 0 1",
];

/// Of each position.
const NODES: u64 = 25_000;

/// A decision, with all that could be known about it.
struct Seen {
    reduction: i32,
    flags: Flags,
    numbers: Vec<f64>,
    attempts: Vec<Attempt>,
}

impl Seen {
    fn is(&self, fact: Fact) -> bool {
        if fact.is_flag() {
            self.flags.has(fact)
        } else {
            self.numbers[fact as usize] != 0.0
        }
    }

    fn of(&self, fact: Fact) -> f64 {
        self.numbers[fact as usize]
    }

    fn depth(&self) -> i32 {
        self.of(Fact::Depth) as i32
    }

    /// Moves searched before.
    fn before(&self) -> i32 {
        self.of(Fact::MovesSearched) as i32
    }

    /// The number of the move, from 1.
    fn number(&self) -> i32 {
        self.of(Fact::MoveNumber) as i32
    }

    fn history(&self) -> i32 {
        self.of(Fact::History) as i32
    }

    /// The depth of an unreduced search of the move.
    fn full_depth(&self) -> i32 {
        self.depth() - 1 + self.of(Fact::Extension) as i32
    }

    /// A reduction that leaves so many plies.
    fn leaving(&self, floor: i32, plies: i32) -> i32 {
        plies.min((self.full_depth() - floor).max(0))
    }

    /// Nothing but quiet: no check, no pawn, no best move, no killer.
    fn plain(&self) -> bool {
        let special = [
            Fact::GivesCheck,
            Fact::InCheck,
            Fact::Castling,
            Fact::PawnMove,
            Fact::TtMove,
            Fact::Killer,
            Fact::Extended,
            Fact::NullMate,
        ];
        self.is(Fact::Quiet) && !special.iter().any(|fact| self.is(*fact))
    }

    fn tells(&self) -> String {
        CATALOGUE
            .iter()
            .filter(|info| info.fact.is_flag() && self.is(info.fact))
            .map(|info| info.name.to_owned())
            .chain(
                CATALOGUE
                    .iter()
                    .filter(|info| !info.fact.is_flag() && self.of(info.fact) != 0.0)
                    .map(|info| format!("{}={}", info.name, self.of(info.fact))),
            )
            .collect::<Vec<_>>()
            .join(" ")
    }
}

#[derive(Default)]
struct Watcher {
    seen: Vec<Seen>,
    /// By ply, the decision whose move is being searched.
    current: Vec<usize>,
}

impl Observer for Watcher {
    const WATCHES_MOVES: bool = true;

    fn deciding(&mut self, decision: &Decision<'_>) {
        let facts = decision.facts;
        let flags = facts.flags();
        let numbers = CATALOGUE
            .iter()
            .map(|info| match info.kind {
                _ if info.fact.is_flag() => 0.0,
                lmrlab_policy::facts::Kind::Boolean => {
                    f64::from(u8::from(facts.boolean(info.fact)))
                }
                lmrlab_policy::facts::Kind::Number => facts.number(info.fact),
            })
            .collect();
        let ply = decision.ply as usize;
        self.current.resize(self.current.len().max(ply + 1), 0);
        self.current[ply] = self.seen.len();
        self.seen.push(Seen {
            reduction: decision.reduction,
            flags,
            numbers,
            attempts: Vec::new(),
        });
    }

    fn searched(&mut self, attempt: &Attempt) {
        let index = self.current[attempt.ply as usize];
        self.seen[index].attempts.push(*attempt);
    }
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn shipped(name: &str) -> Policy {
    let reference: PolicyReference = name.parse().unwrap_or_else(|e| panic!("{e}"));
    let (policy, warnings) = reference.resolve(root()).unwrap_or_else(|e| panic!("{e}"));
    assert!(warnings.list.is_empty(), "{warnings}");
    policy
}

fn engine(policy: Policy) -> Engine {
    Engine::new(Arc::new(Preset::default()), Arc::new(policy), 4)
}

/// Every decision of searches from all positions.
fn watch(name: &str, preset: &Preset, nodes: u64) -> Vec<Seen> {
    let mut watcher = Watcher::default();
    for fen in POSITIONS {
        let game = Game::new(Position::from_fen(fen).unwrap());
        let mut engine = Engine::new(Arc::new(preset.clone()), Arc::new(shipped(name)), 4);
        let stop = AtomicBool::new(false);
        engine.search_observed(&game, &Limits::nodes(nodes), &stop, &mut watcher);
    }
    watcher.seen
}

type Test = fn(&Seen) -> bool;

/// What is asked of a scheme.
struct Scheme {
    policy: &'static str,
    /// The reduction of any move.
    written: fn(&Seen) -> i32,
    /// Moves that have to occur and must not be reduced.
    spared: &'static [(&'static str, Test)],
    /// Moves that have to occur and be reduced.
    reduced: &'static [(&'static str, Test)],
    /// Of plain moves in null-window nodes: depth, number, plies.
    cells: &'static [(i32, i32, i32)],
}

fn hold(scheme: &Scheme) {
    let name = scheme.policy;
    let seen = watch(name, &Preset::default(), NODES);
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
            wrong.push(format!(
                "move {number} at depth {depth}, not {plies}: {tells}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{name}:\n{}", wrong.join("\n"));
}

/// Late enough, and deep enough, for any scheme.
fn late(seen: &Seen) -> bool {
    seen.before() >= 8 && seen.depth() >= 4
}

const CAPTURES: (&str, Test) = ("late captures", |s| {
    s.depth() >= 4 && s.before() >= 4 && s.is(Fact::Capture)
});
const CHECKS: (&str, Test) = ("late checks", |s| {
    late(s) && s.is(Fact::Quiet) && s.is(Fact::GivesCheck)
});
const EVASIONS: (&str, Test) = ("evasions", |s| {
    s.depth() >= 3 && s.before() >= 3 && s.is(Fact::Quiet) && s.is(Fact::InCheck)
});
const KILLERS: (&str, Test) = ("killers", |s| {
    s.depth() >= 3 && s.before() >= 3 && s.is(Fact::Killer)
});
const PAWNS: (&str, Test) = ("pawns", |s| {
    late(s) && s.is(Fact::Quiet) && s.is(Fact::PawnMove)
});
const PV: (&str, Test) = ("moves in PV nodes", |s| late(s) && s.is(Fact::Pv));
const ROOT: (&str, Test) = ("root moves", |s| late(s) && s.is(Fact::Root));
const NULL_WINDOWS: (&str, Test) = ("moves in null windows", |s| late(s) && !s.is(Fact::Pv));
const BEST: (&str, Test) = ("hash moves", |s| s.depth() >= 4 && s.is(Fact::TtMove));

fn ln(x: i32) -> f64 {
    f64::from(x).ln()
}

/// What every scheme with Fruit's or Senpai's stages calls neither tactical nor promising.
fn ordinary(s: &Seen) -> bool {
    s.is(Fact::Quiet) && !s.is(Fact::TtMove) && !s.is(Fact::Killer)
}

fn unforced(s: &Seen) -> bool {
    !s.is(Fact::InCheck) && !s.is(Fact::GivesCheck) && !s.is(Fact::Extended)
}

#[test]
fn mediocre() {
    hold(&Scheme {
        policy: "mediocre-2007",
        written: |s| {
            let late = s.before() >= 4 && s.depth() >= 3;
            i32::from(late && !s.is(Fact::Capture) && !s.is(Fact::GivesCheck))
        },
        spared: &[CAPTURES, CHECKS],
        reduced: &[KILLERS, EVASIONS, PV, ROOT],
        cells: &[(3, 5, 1), (2, 9, 0), (3, 4, 0), (4, 20, 1)],
    });
    hold(&Scheme {
        policy: "mediocre-0.5",
        written: |s| {
            if s.before() <= 3 || s.depth() <= 3 || s.is(Fact::GivesCheck) {
                return 0;
            }
            if s.is(Fact::Root) {
                return 1;
            }
            let threat = s.is(Fact::NullMate) || s.of(Fact::PawnRank) == 7.0;
            i32::from(!(threat || s.is(Fact::TtMove) || s.is(Fact::Capture) || s.is(Fact::Killer)))
        },
        spared: &[
            ("captures below the root", |s| {
                late(s) && s.is(Fact::Capture) && !s.is(Fact::Root)
            }),
            CHECKS,
            BEST,
        ],
        reduced: &[
            ("captures at the root", |s| {
                s.is(Fact::Capture) && s.is(Fact::Root)
            }),
            PV,
            NULL_WINDOWS,
        ],
        cells: &[(4, 5, 1), (3, 5, 0), (4, 4, 0), (3, 20, 0)],
    });
}

#[test]
fn micromax() {
    hold(&Scheme {
        policy: "micromax-4",
        written: |s| {
            i32::from(
                s.depth() >= 4
                    && s.before() > 0
                    && !(s.is(Fact::PawnMove) || s.is(Fact::Capture) || s.is(Fact::TtMove)),
            )
        },
        spared: &[CAPTURES, PAWNS, BEST],
        reduced: &[CHECKS, PV, ("castling", |s| s.is(Fact::Castling))],
        cells: &[(4, 2, 1), (3, 9, 0), (5, 3, 1), (4, 1, 0)],
    });
}

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
                ("good captures", |s| {
                    s.is(Fact::Capture) && s.of(Fact::See) >= 0.0
                }),
                ("safe checks", |s| {
                    late(s) && s.is(Fact::GivesCheck) && s.of(Fact::See) >= 0.0
                }),
            ],
            reduced: &[
                ("losing captures", |s| s.is(Fact::Capture)),
                ("losing checks", |s| {
                    s.is(Fact::GivesCheck) && s.is(Fact::Quiet)
                }),
                ROOT,
                PV,
            ],
            cells: &[(2, 20, 0)],
        });
    }
}

fn toga_conditions(s: &Seen) -> bool {
    unforced(s)
        && s.before() >= 3
        && s.depth() >= 3
        && s.of(Fact::PawnRank) < 7.0
        && s.of(Fact::QuietNumber) > 0.0
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
                s.is(Fact::Capture)
                    && s.of(Fact::QuietNumber) == 0.0
                    && s.before() >= 3
                    && s.depth() >= 3
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

#[test]
fn fruit_and_its_descendants() {
    hold(&Scheme {
        policy: "fruit-2.1",
        written: |s| {
            let reducible =
                !s.is(Fact::Pv) && s.depth() >= 3 && s.before() >= 3 && unforced(s) && ordinary(s);
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
            let r = if s.is(Fact::Pv) {
                both / 3.0
            } else {
                0.33 + both / 2.25
            };
            s.leaving(0, r as i32)
        },
        spared: &[CHECKS, EVASIONS],
        reduced: &[
            ("captures after quiet moves", |s| s.is(Fact::Capture)),
            KILLERS,
            PV,
        ],
        // 0.33 + ln 3 * ln 4 / 2.25 = 1.01; ln 3 * ln 20: 1.79; ln 4 * ln 15: 2.0.
        cells: &[
            (3, 4, 0),
            (3, 5, 1),
            (3, 21, 1),
            (4, 16, 1),
            (4, 17, 2),
            (2, 20, 0),
        ],
    });
    hold(&Scheme {
        policy: "fruit-reloaded",
        written: |s| {
            if s.is(Fact::Pv)
                || s.is(Fact::InCheck)
                || s.before() < 3
                || s.depth() < 3
                || !ordinary(s)
            {
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

#[test]
fn senpai() {
    hold(&Scheme {
        policy: "senpai-1.0",
        written: |s| {
            let push = s.is(Fact::PassedPawn) && s.of(Fact::PawnRank) >= 6.0;
            if s.depth() < 3
                || s.before() < 3
                || !unforced(s)
                || !ordinary(s)
                || push
                || s.is(Fact::Castling)
            {
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
                s.depth() >= 3
                    && s.before() >= 3
                    && s.is(Fact::PassedPawn)
                    && s.of(Fact::PawnRank) >= 6.0
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
            ("good captures", |s| {
                s.is(Fact::Capture) && s.of(Fact::See) >= 0.0
            }),
            ("checks in PV nodes", |s| {
                s.is(Fact::Pv) && s.is(Fact::GivesCheck)
            }),
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

#[test]
fn glaurung() {
    hold(&Scheme {
        policy: "glaurung-2.2",
        written: |s| {
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
        },
        spared: &[
            CAPTURES,
            CHECKS,
            KILLERS,
            ROOT,
            ("passed pawns", |s| late(s) && s.is(Fact::PassedPawn)),
            ("the 14th move in PV nodes", |s| {
                s.is(Fact::Pv) && s.number() == 14 && s.depth() >= 2
            }),
        ],
        reduced: &[
            EVASIONS,
            ("the 15th move in PV nodes", |s| {
                s.is(Fact::Pv) && s.number() == 15
            }),
        ],
        cells: &[(2, 4, 1), (2, 3, 0), (1, 12, 0), (4, 12, 1)],
    });
}

#[test]
fn relative_history() {
    hold(&Scheme {
        policy: "relative-history",
        written: |s| {
            let reducible = !s.is(Fact::Pv)
                && s.depth() >= 3
                && s.before() >= 3
                && s.is(Fact::Quiet)
                && !s.is(Fact::InCheck)
                && !s.is(Fact::GivesCheck)
                && !s.is(Fact::TtMove)
                && !s.is(Fact::Killer);
            i32::from(reducible && s.history() < 60)
        },
        spared: &[
            CAPTURES,
            CHECKS,
            EVASIONS,
            KILLERS,
            PV,
            ("good history", |s| s.history() >= 60),
        ],
        reduced: &[("some cutoffs", |s| s.history() > 0)],
        cells: &[(2, 12, 0), (3, 3, 0)],
    });
}

#[test]
fn madchess() {
    hold(&Scheme {
        policy: "madchess-2.0",
        written: |s| {
            if !s.is(Fact::Quiet)
                || s.is(Fact::InCheck)
                || s.is(Fact::GivesCheck)
                || s.of(Fact::PawnRank) >= 6.0
            {
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
        reduced: &[
            KILLERS,
            PV,
            ROOT,
            ("moves near the horizon", |s| s.depth() == 2),
        ],
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
        reduced: &[
            CHECKS,
            EVASIONS,
            PV,
            ("improving", |s| s.is(Fact::Improving)),
        ],
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
            ("captures in cut nodes", |s| {
                s.is(Fact::Capture) && s.is(Fact::Cut)
            }),
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
                r += if s.of(Fact::ChildCutoffs) > 2.0 {
                    1095.0
                } else {
                    0.0
                };
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
            let reduced = (new_depth - (r / 1024.0) as i32)
                .min(new_depth + 2)
                .max(least);
            new_depth - reduced - i32::from(s.is(Fact::Pv))
        },
        spared: &[
            ("first moves", |s| s.before() == 0),
            ("the last ply", |s| s.depth() == 1),
        ],
        reduced: &[CAPTURES, CHECKS, EVASIONS, KILLERS],
        cells: &[],
    });
    let seen = watch("stockfish-head", &Preset::default(), NODES);
    assert!(seen.iter().any(|s| s.reduction < 0 && s.is(Fact::Pv)));
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
            by_formula(
                s,
                if quiet {
                    1.35 + both / 2.75
                } else {
                    0.20 + both / 3.35
                },
            )
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
            ("passed pawns", |s| {
                s.is(Fact::PassedPawn) && s.is(Fact::Quiet)
            }),
            ("the king's area", |s| {
                late(s) && s.is(Fact::Quiet) && s.is(Fact::KingZone)
            }),
            ("threats", |s| {
                late(s) && s.is(Fact::Quiet) && s.is(Fact::CreatesThreat)
            }),
        ],
        reduced: &[("losing captures", |s| s.is(Fact::Capture)), PAWNS],
        cells: &[(3, 3, 0), (2, 20, 0)],
    });
    hold(&Scheme {
        policy: "wiki-uncommon@+all-pawns,-killers,-bad-captures",
        written: |s| {
            let common = s.depth() >= 3 && s.before() >= 3 && !s.is(Fact::Pv);
            let spared = [
                Fact::PawnMove,
                Fact::KingZone,
                Fact::CreatesThreat,
                Fact::NullThreat,
            ];
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

/// The searches of moves that were reduced and whose first result was a surprise.
fn surprised(name: &str) -> Vec<Seen> {
    let mut preset = Preset::default();
    // With wide windows in PV nodes, so that scores lie inside them.
    preset.parameters.set("aspiration_window", 0).unwrap();
    watch(name, &preset, 3 * NODES)
        .into_iter()
        .filter(|s| s.reduction > 0)
        .filter(|s| {
            let alpha = s.of(Fact::Alpha) as i32;
            s.attempts.first().is_some_and(|first| {
                assert_eq!(first.depth, s.full_depth() - s.reduction, "{name}");
                first.score.get() > alpha
            })
        })
        .collect()
}

#[test]
fn mediocre_believes_what_a_null_window_returns() {
    let surprised = surprised("mediocre-0.5");
    let (pv, narrow): (Vec<_>, Vec<_>) = surprised.iter().partition(|s| s.is(Fact::Pv));
    assert!(!narrow.is_empty() && narrow.iter().all(|s| s.attempts.len() == 1));
    let again = pv.iter().filter_map(|s| s.attempts.get(1).map(|a| (s, a)));
    assert!(again.clone().count() > 0);
    for (s, attempt) in again {
        assert!(!attempt.null_window && attempt.depth == s.full_depth());
    }
}

#[test]
fn senpai_goes_straight_to_the_whole_window() {
    let surprised = surprised("senpai-1.0");
    let in_pv = |s: &&Seen| s.is(Fact::Pv) && s.attempts.len() > 1;
    assert!(surprised.iter().any(|s| in_pv(&s)));
    for s in &surprised {
        assert!(s.attempts.len() <= 2);
        if let Some(second) = s.attempts.get(1) {
            assert!(!second.null_window && second.depth == s.full_depth());
        }
    }
}

#[test]
fn stockfish_1_8_has_a_step_between() {
    let surprised = surprised("stockfish-1.8");
    let mut between = 0;
    for s in &surprised {
        if let Some(second) = s.attempts.get(1) {
            let large = s.reduction > 2;
            between += i32::from(large);
            assert_eq!(second.depth, s.full_depth() - i32::from(large));
            assert!(second.null_window);
        }
    }
    assert!(between > 0);
}

#[test]
fn toga_accepts_a_score_inside_the_window_at_the_reduced_depth() {
    let surprised = surprised("toga-3.0");
    let (mut inside, mut above) = (0, 0);
    for s in &surprised {
        let beta = (s.of(Fact::Alpha) + s.of(Fact::Window)) as i32;
        let first = s.attempts[0];
        assert_eq!(first.null_window, !s.is(Fact::Pv));
        if first.score.get() < beta {
            inside += 1;
            assert_eq!(s.attempts.len(), 1);
        } else if let Some(second) = s.attempts.get(1) {
            above += 1;
            assert_eq!(second.depth, s.full_depth());
        }
    }
    assert!(inside > 0 && above > 0);
}

#[test]
fn stockfish_head_goes_deeper_or_shallower_by_the_score() {
    let surprised = surprised("stockfish-head");
    let (mut deeper, mut shallower) = (0, 0);
    for s in &surprised {
        let (first, best) = (s.attempts[0], s.of(Fact::BestScore) as i32);
        let change =
            i32::from(first.score.get() > best + 53) - i32::from(first.score.get() < best + 8);
        if s.reduction + change <= 0 {
            shallower += i32::from(s.attempts.len() == 1 && change < 0);
        } else if let Some(second) = s.attempts.get(1) {
            assert_eq!(second.depth, s.full_depth() + change);
            deeper += i32::from(change > 0);
            shallower += i32::from(change < 0);
        }
    }
    assert!(deeper > 0 && shallower > 0, "{deeper} {shallower}");
}

fn short_search(name: &str, fen: &str) -> Report {
    let game = Game::new(Position::from_fen(fen).unwrap());
    engine(shipped(name)).search(&game, &Limits::depth(5), &AtomicBool::new(false))
}

#[test]
fn every_shipped_policy_repeats_itself() {
    let names = names_in(&root().join("configs/policies"));
    assert!(names.len() >= 30, "{names:?}");
    for name in &names {
        for fen in [POSITIONS[1], POSITIONS[2]] {
            let (a, b) = (short_search(name, fen), short_search(name, fen));
            assert!(a.nodes > 0 && a.best.is_some(), "{name}");
            assert_eq!((a.nodes, a.score, a.pv), (b.nodes, b.score, b.pv), "{name}");
        }
    }
}
