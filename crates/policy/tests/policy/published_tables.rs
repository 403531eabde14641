//! The formulas of the shipped policies give the numbers of their engines' tables.
#![allow(
    clippy::approx_constant,
    reason = "3.14 is a published number that a tuner found, not a rough pi"
)]

use crate::common::{Move, policy, shipped};
use lmrlab_policy::Policy;
use lmrlab_policy::facts::Fact;

/// Which count of moves a published table is indexed by.
#[derive(Clone, Copy, PartialEq)]
enum Counts {
    /// The number of the move itself, from 1.
    Number,
    /// The moves searched before it.
    Searched,
}

impl Counts {
    /// A quiet move for a cell of a table.
    fn cell(self, depth: u32, moves: u32) -> Move {
        match self {
            Self::Number => Move::quiet(depth, moves - 1),
            Self::Searched => Move::quiet(depth, moves),
        }
    }
}

/// A policy's `reduce` alone, without its conditions, rules and limits.
struct Formula(Policy);

impl Formula {
    fn of(name: &str) -> Self {
        let file: toml::Table = shipped(name).text().parse().unwrap();
        let part: toml::Table = file
            .into_iter()
            .filter(|(key, _)| ["name", "reduce", "param", "let", "table"].contains(&key.as_str()))
            .collect();
        Self(policy(&part.to_string()))
    }

    fn at(&self, facts: &Move) -> f64 {
        self.0.explain(facts).unwrap().base
    }
}

/// Some cells of a table: depth, moves, and what stands there, in the unit of the engine.
struct Published {
    policy: &'static str,
    counts: Counts,
    node: Fact,
    cells: &'static [(u32, u32, i32)],
}

#[rustfmt::skip]
const PUBLISHED: &[Published] = &[
    Published { policy: "stockfish-1.7", counts: Counts::Number, node: Fact::All, cells: &[
        (1, 1, 0), (1, 63, 0), (2, 8, 0), (2, 9, 2), (3, 3, 0), (3, 4, 2), (4, 7, 2), (5, 31, 4), (6, 12, 3), (8, 10, 4), (12, 25, 6), (16, 40, 7), (20, 63, 9), (32, 2, 2), (32, 63, 10),
    ]},
    Published { policy: "stockfish-1.7", counts: Counts::Number, node: Fact::Pv, cells: &[
        (1, 1, 0), (1, 63, 0), (2, 8, 0), (2, 9, 0), (3, 3, 0), (3, 4, 0), (4, 7, 0), (5, 31, 2), (6, 12, 2), (8, 10, 2), (12, 25, 3), (16, 40, 4), (20, 63, 5), (32, 2, 0), (32, 63, 5),
    ]},
    Published { policy: "stockfish-1.8", counts: Counts::Number, node: Fact::All, cells: &[
        (1, 1, 0), (1, 63, 0), (2, 8, 0), (2, 9, 2), (3, 3, 0), (3, 4, 2), (4, 7, 3), (5, 31, 7), (6, 12, 5), (8, 10, 6), (12, 25, 10), (16, 40, 13), (20, 63, 16), (32, 2, 3), (32, 63, 19),
    ]},
    Published { policy: "stockfish-2", counts: Counts::Number, node: Fact::All, cells: &[
        (1, 1, 0), (1, 63, 0), (2, 8, 0), (2, 9, 2), (3, 3, 0), (3, 4, 2), (4, 7, 3), (5, 31, 5), (6, 12, 4), (8, 10, 4), (12, 25, 7), (16, 40, 9), (20, 63, 11), (32, 2, 2), (32, 63, 13),
    ]},
    Published { policy: "stockfish-6", counts: Counts::Number, node: Fact::All, cells: &[
        (1, 1, 0), (1, 63, 0), (2, 8, 0), (2, 9, 1), (3, 3, 0), (3, 4, 1), (4, 7, 2), (5, 31, 3), (6, 12, 2), (8, 10, 2), (12, 25, 4), (16, 40, 5), (20, 63, 6), (32, 2, 1), (32, 63, 7),
    ]},
    Published { policy: "toga-3.0", counts: Counts::Searched, node: Fact::All, cells: &[
        (1, 1, 0), (1, 63, 0), (2, 8, 0), (2, 9, 1), (3, 3, 0), (3, 4, 1), (4, 7, 1), (5, 31, 2), (6, 12, 2), (8, 10, 2), (12, 25, 3), (16, 40, 4), (20, 63, 5), (32, 2, 1), (32, 63, 6),
    ]},
    Published { policy: "madchess-2.0", counts: Counts::Number, node: Fact::All, cells: &[
        (1, 1, 0), (1, 63, 3), (2, 8, 2), (2, 9, 2), (3, 3, 1), (3, 4, 1), (4, 7, 2), (5, 31, 3), (6, 12, 2), (8, 10, 2), (12, 25, 3), (16, 40, 3), (20, 63, 3), (32, 2, 0), (32, 63, 3),
    ]},
    Published { policy: "fruit-reloaded", counts: Counts::Searched, node: Fact::All, cells: &[
        (1, 1, 1), (1, 63, 8), (2, 8, 4), (2, 9, 4), (3, 3, 3), (3, 4, 3), (4, 7, 5), (5, 31, 8), (6, 12, 6), (8, 10, 6), (12, 25, 9), (16, 40, 11), (20, 63, 14), (32, 2, 8), (32, 63, 15),
    ]},
    Published { policy: "fruit-reloaded-wiki", counts: Counts::Searched, node: Fact::All, cells: &[
        (1, 1, 0), (1, 63, 7), (2, 8, 3), (2, 9, 3), (3, 3, 2), (3, 4, 3), (4, 7, 4), (5, 31, 7), (6, 12, 5), (8, 10, 5), (12, 25, 8), (16, 40, 10), (20, 63, 12), (32, 2, 6), (32, 63, 13),
    ]},
    Published { policy: "ethereal", counts: Counts::Number, node: Fact::All, cells: &[
        (1, 1, 0), (1, 63, 0), (2, 8, 1), (2, 9, 1), (3, 3, 1), (3, 4, 1), (4, 7, 1), (5, 31, 3), (6, 12, 2), (8, 10, 2), (12, 25, 4), (16, 40, 4), (20, 63, 5), (32, 2, 1), (32, 63, 6),
    ]},
    Published { policy: "weiss", counts: Counts::Number, node: Fact::All, cells: &[
        (1, 1, 1), (1, 63, 1), (2, 8, 1), (2, 9, 1), (3, 3, 1), (3, 4, 1), (4, 7, 2), (5, 31, 3), (6, 12, 2), (8, 10, 3), (12, 25, 4), (16, 40, 5), (20, 63, 5), (32, 2, 2), (32, 63, 6),
    ]},
];

#[test]
fn cells_of_the_published_tables() {
    for table in PUBLISHED {
        let formula = Formula::of(table.policy);
        assert!(table.cells.len() >= 12);
        for &(depth, moves, value) in table.cells {
            let facts = table.counts.cell(depth, moves).with(table.node);
            assert_eq!(
                formula.at(&facts).trunc() as i32,
                value,
                "{} in {:?} nodes, depth {depth}, moves {moves}",
                table.policy,
                table.node
            );
        }
    }
}

/// Senpai's table is not a formula with conditions around it: the conditions are in it.
#[test]
fn cells_of_senpai() {
    let senpai = shipped("senpai-1.0");
    for (depth, moves, plies) in SENPAI {
        assert_eq!(senpai.reduction(&Move::quiet(depth, moves)), plies, "{depth} {moves}");
    }
}

#[rustfmt::skip]
const SENPAI: [(u32, u32, i32); 14] = [(2, 30, 0), (3, 2, 0), (3, 3, 1), (3, 5, 1), (3, 6, 1), (5, 3, 1), (5, 6, 1), (6, 5, 1), (6, 6, 2), (8, 63, 2), (9, 6, 3), (12, 25, 4), (31, 6, 10), (32, 63, 10)];

type Written = fn(f64, f64) -> f64;

/// The whole of every table, by the formula written again as its engine has it.
#[test]
fn whole_tables() {
    /// `r` where it is a ply or more, in half-plies.
    fn halves(r: f64) -> f64 {
        if r >= 1.0 { (2.0 * r).floor() } else { 0.0 }
    }
    /// `r` where it is a ply or more, to the nearest ply.
    fn nearest(r: f64) -> f64 {
        if r >= 1.0 { (r + 0.5).floor() } else { 0.0 }
    }
    let tables: &[(&str, Counts, Fact, Written)] = &[
        ("stockfish-1.7", Counts::Number, Fact::All, |d, m| {
            halves(0.5 + d.ln() * m.ln() / 3.0)
        }),
        ("stockfish-1.7", Counts::Number, Fact::Pv, |d, m| {
            halves(0.5 + d.ln() * m.ln() / 6.0)
        }),
        ("stockfish-1.8", Counts::Number, Fact::All, |d, m| {
            halves(d.ln() * m.ln() / 1.5)
        }),
        ("stockfish-1.8", Counts::Number, Fact::Pv, |d, m| {
            halves(d.ln() * m.ln() / 3.0)
        }),
        ("stockfish-2", Counts::Number, Fact::Cut, |d, m| {
            halves(0.33 + d.ln() * m.ln() / 2.25)
        }),
        ("stockfish-2", Counts::Number, Fact::Pv, |d, m| {
            halves(d.ln() * m.ln() / 3.0)
        }),
        ("stockfish-6", Counts::Number, Fact::All, |d, m| {
            nearest(0.33 + d.ln() * m.ln() / 2.25)
        }),
        ("stockfish-6", Counts::Number, Fact::Pv, |d, m| {
            nearest(d.ln() * m.ln() / 3.0)
        }),
        ("stockfish-8", Counts::Number, Fact::All, |d, m| {
            let r = d.ln() * m.ln() / 2.0;
            if r < 0.8 { 0.0 } else { r.round() }
        }),
        ("stockfish-8", Counts::Number, Fact::Pv, |d, m| {
            let r = d.ln() * m.ln() / 2.0;
            if r < 0.8 { 0.0 } else { (r.round() - 1.0).max(0.0) }
        }),
        ("toga-3.0", Counts::Searched, Fact::All, |d, m| {
            (0.33 + d.ln() * m.ln() / 2.25).floor()
        }),
        ("toga-3.0", Counts::Searched, Fact::Pv, |d, m| {
            (d.ln() * m.ln() / 3.0).floor()
        }),
        ("rebel-15", Counts::Searched, Fact::Cut, |d, m| {
            (0.5 + d.ln() * m.ln() / 2.1).trunc()
        }),
        ("rebel-15", Counts::Searched, Fact::Pv, |d, m| {
            ((0.5 + d.ln() * m.ln() / 2.1).trunc() - 1.0).max(0.0)
        }),
        ("senpai-2.0", Counts::Searched, Fact::All, |d, m| {
            (0.4 * m.log2() * d.min(31.0).log2()).trunc()
        }),
        ("fruit-reloaded", Counts::Searched, Fact::All, |d, m| {
            ((2.0 * d - 1.0).sqrt() + (m - 1.0).sqrt()).trunc()
        }),
        ("fruit-reloaded-wiki", Counts::Searched, Fact::All, |d, m| {
            ((d - 1.0).sqrt() + (m - 1.0).sqrt()).trunc()
        }),
        ("fruit-reloaded-wiki", Counts::Searched, Fact::Pv, |d, m| {
            (((d - 1.0).sqrt() + (m - 1.0).sqrt()).trunc() * 2.0 / 3.0).trunc()
        }),
        ("madchess-2.0", Counts::Number, Fact::All, |_, q| match q {
            q if q >= 15.0 => 3.0,
            q if q >= 7.0 => 2.0,
            q if q >= 3.0 => 1.0,
            _ => 0.0,
        }),
        ("madchess-3", Counts::Number, Fact::All, |h, q| {
            (48.0 / 128.0 * q.log2() * h.log2() - 160.0 / 128.0).max(0.0).trunc()
        }),
        ("ethereal", Counts::Number, Fact::All, |d, m| {
            (0.7844 + d.ln() * m.ln() / 2.4696).trunc()
        }),
        ("weiss", Counts::Number, Fact::All, |d, m| {
            (1.35 + d.ln() * m.ln() / 2.75).trunc()
        }),
        ("obsidian", Counts::Number, Fact::All, |d, m| {
            (0.99 + d.ln() * m.ln() / (314.0 / 100.0)).trunc()
        }),
        ("halogen", Counts::Number, Fact::All, |d, m| {
            let (d, m) = ((d + 1.0).ln(), (m + 1.0).ln());
            (-0.7851 + 1.041 * d + 2.126 * m - 0.6481 * d * m).trunc()
        }),
        ("rebel-advanced", Counts::Number, Fact::All, |d, m| {
            50.0 * (0.5 + 2.0 * d.ln() * m.ln() / 2.1).trunc()
        }),
        ("rebel-advanced-tenfold", Counts::Number, Fact::All, |d, m| {
            500.0 * (0.5 + 2.0 * d.ln() * m.ln() / 2.1).trunc()
        }),
    ];
    for (name, counts, node, written) in tables {
        let formula = Formula::of(name);
        for depth in 1..=32 {
            for moves in 1..=63 {
                let facts = counts.cell(depth, moves).with(*node);
                assert_eq!(
                    formula.at(&facts).trunc(),
                    written(f64::from(depth), f64::from(moves)),
                    "{name} in {node:?} nodes, depth {depth}, moves {moves}"
                );
            }
        }
    }
}

#[test]
fn half_plies_become_whole_ones() {
    let fruit = shipped("fruit-reloaded");
    let eight_by_ten = Move::quiet(8, 10);
    assert_eq!(Formula::of("fruit-reloaded").at(&eight_by_ten), 6.0);
    assert_eq!(fruit.reduction(&eight_by_ten), 3);
    assert_eq!(shipped("fruit-reloaded-wiki").reduction(&eight_by_ten), 5);
    // ln 8 * ln 12 / 1.5 = 3.44: 6 halves.
    assert_eq!(shipped("stockfish-1.8").reduction(&Move::quiet(8, 11)), 3);
    // 0.5 + ln 10 * ln 20 / 3 = 2.8: 5 halves, 2 plies.
    assert_eq!(Formula::of("stockfish-1.7").at(&Move::quiet(10, 19)), 5.0);
    assert_eq!(shipped("stockfish-1.7").reduction(&Move::quiet(10, 19)), 2);
}

#[test]
fn stockfish_6_takes_one_more_where_the_table_has_two() {
    let stockfish = shipped("stockfish-6");
    for depth in 5..=32 {
        for moves_searched in 1..=62 {
            let quiet = Move::quiet(depth, moves_searched).with(Fact::All);
            let improving = stockfish.reduction(&quiet.with(Fact::Improving));
            let expected = improving + i32::from(improving >= 2);
            let most = depth as i32 - 2;
            assert_eq!(
                stockfish.reduction(&quiet),
                expected.min(most),
                "{depth} {moves_searched}"
            );
        }
    }
}

#[test]
fn rebel_counts_percent_exactly() {
    // R by the table, from 2 * ln d * ln m / 2.1 + 0.5; half of it; and what steps make of it.
    let cases = [(3, 4, 1), (6, 10, 2), (20, 30, 5)];
    for name in ["rebel-advanced", "rebel-advanced-tenfold"] {
        let rebel = shipped(name);
        for (depth, moves_searched, plies) in cases {
            let quiet = Move::quiet(depth, moves_searched);
            assert_eq!(rebel.reduction(&quiet), plies, "{name}");
        }
        // R = 10: with four steps up 14, with four down 6.
        let history = |value: i32| {
            let quiet = Move::quiet(20, 30).number(Fact::History, f64::from(value));
            rebel.reduction(&quiet)
        };
        assert_eq!((history(-1501), history(1501)), (7, 3), "{name}");
        assert_eq!((history(-1), history(1)), (5, 4), "{name}");
        let losing = Move::quiet(20, 30).capture().number(Fact::See, -100.0);
        assert_eq!(rebel.reduction(&losing), 1, "{name}");
        assert_eq!(rebel.reduction(&losing.number(Fact::See, 0.0)), 0, "{name}");
    }
}
