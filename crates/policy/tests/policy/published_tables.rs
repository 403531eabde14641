//! The formulas of the shipped policies give the numbers of their engines' tables. The tests of lmrlab-engine compare whole schemes.

use crate::common::{Move, policy, shipped};
use lmrlab_policy::Policy;
use lmrlab_policy::facts::Fact;

/// Which count of moves a published table is indexed by.
#[derive(Clone, Copy)]
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
