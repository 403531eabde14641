//! Published formulas, written in the language: cells computed by other means.

mod common;

use common::{Move, policy, shipped};
use lmrlab_policy::Policy;
use lmrlab_policy::facts::Fact;
use lmrlab_policy::show::{Given, NodeKind, ReductionTable};

/// Depth and move of the cells.
const CELLS: [(u32, u32); 6] = [(3, 3), (3, 16), (8, 2), (8, 10), (16, 30), (32, 63)];

/// What the second number of a cell counts.
#[derive(Clone, Copy)]
enum Counts {
    /// The move itself among them.
    MoveNumber,
    /// Moves before it.
    MovesSearched,
}
use Counts::{MoveNumber, MovesSearched};

fn cells(policy: &Policy, counts: Counts) -> [i32; 6] {
    CELLS.map(|(depth, move_number)| {
        let searched = match counts {
            MoveNumber => move_number - 1,
            MovesSearched => move_number,
        };
        let facts = Move::quiet(depth, searched).with(Fact::All);
        policy.explain(&facts).map_or(0, |steps| steps.whole)
    })
}

/// A scheme without conditions.
fn formula(reduce: &str) -> Policy {
    policy(&format!("name = \"formula\"\nreduce = \"{reduce}\"\n"))
}

/// Stockfish's tables in half-plies: nothing below a whole ply.
fn half_plies(base: &str, divisor: &str) -> Policy {
    let plies = format!("{base} + ln(depth) * ln(move_number) / {divisor}");
    formula(&format!("if({plies} >= 1, floor(2 * ({plies})), 0)"))
}

#[test]
fn formulas() {
    let sixth = "0.33 + ln(depth) * ln(move_number) / 2.25";
    let toga = "0.33 + ln(depth) * ln(moves_searched) / 2.25";
    for (policy, counts, expected) in [
        (half_plies("0.5", "3.0"), MoveNumber, [0, 3, 0, 4, 7, 10]),
        (half_plies("0.5", "6.0"), MoveNumber, [0, 2, 0, 2, 4, 5]),
        (half_plies("0", "1.5"), MoveNumber, [0, 4, 0, 6, 12, 19]),
        (half_plies("0.33", "2.25"), MoveNumber, [0, 3, 0, 4, 9, 13]),
        (
            formula(&format!("if({sixth} >= 1, round({sixth}), 0)")),
            MoveNumber,
            [0, 2, 0, 2, 5, 7],
        ),
        (
            formula(&format!("if({toga} >= 1, {toga}, 0)")),
            MovesSearched,
            [0, 1, 0, 2, 4, 6],
        ),
        (
            formula("if(moves_searched < 3, 0, if(moves_searched < 6, 1, floor(depth / 3)))"),
            MovesSearched,
            [1, 1, 0, 2, 5, 10],
        ),
        (
            formula("steps(quiet_number, 3 => 1, 7 => 2, 15 => 3)"),
            MoveNumber,
            [1, 3, 0, 2, 3, 3],
        ),
        (
            formula("sqrt(2 * depth - 1) + sqrt(moves_searched - 1)"),
            MovesSearched,
            [3, 6, 4, 6, 10, 15],
        ),
        (
            formula("sqrt(depth - 1) + sqrt(moves_searched - 1)"),
            MovesSearched,
            [2, 5, 3, 5, 9, 13],
        ),
        (
            formula("0.7844 + ln(depth) * ln(move_number) / 2.4696"),
            MoveNumber,
            [1, 2, 1, 2, 4, 6],
        ),
        (
            formula("1.35 + ln(depth) * ln(move_number) / 2.75"),
            MoveNumber,
            [1, 2, 1, 3, 4, 6],
        ),
    ] {
        assert_eq!(cells(&policy, counts), expected, "{}", policy.text());
    }
}

#[test]
fn a_table_before_the_limits_of_depth() {
    let given = Given::of_node(NodeKind::All);
    let madchess = shipped("madchess-2.0");
    let asked = ReductionTable::before_limits(&madchess, 2, 16, &given);
    let left = ReductionTable::with_facts(&madchess, 2, 16, &given);
    let last = |table: &ReductionTable| -> Vec<i32> {
        let cells = table.cells().filter(|cell| cell.moves_searched == 16);
        cells.map(|cell| cell.plies).collect()
    };
    assert_eq!((last(&asked), last(&left)), (vec![3, 3], vec![0, 1]));
}
