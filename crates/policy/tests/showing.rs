//! The reductions of a plain quiet move, as a table.

mod common;

use common::{policy, shipped};
use insta::assert_snapshot;
use lmrlab_policy::facts::{Fact, Flags};
use lmrlab_policy::show::ReductionTable;

#[test]
fn equal_neighbours_are_shown_together() {
    let table = ReductionTable::new(&shipped("madchess-2.0"), 20, 40, Flags::NONE);
    assert_snapshot!(table, @r#"
           moves searched before
    depth  0-1  2-5  6-13  14-40
        1    .    .     .      .
        2    .    1     1      1
        3    .    1     2      2
     4-20    .    1     2      3
    "#);
}

#[test]
fn a_scheme_that_depends_on_both() {
    let log = policy(
        "name = \"log\"\nwhen = \"depth >= 3\"\nreduce = \"ln(depth) * ln(move_number) / 2.25\"\n",
    );
    assert_snapshot!(ReductionTable::new(&log, 16, 30, Flags::NONE), @r#"
           moves searched before
    depth  0-1   2   3   4   5   6   7  8-9  10  11  12  13-14  15  16-17  18-20  21-24  25-26  27-29  30
      1-2    .   .   .   .   .   .   .    .   .   .   .      .   .      .      .      .      .      .   .
        3    .   .   .   .   .   .   1    1   1   1   1      1   1      1      1      1      1      1   1
        4    .   .   .   .   1   1   1    1   1   1   1      1   1      1      1      1      2      2   2
        5    .   .   .   1   1   1   1    1   1   1   1      1   1      2      2      2      2      2   2
        6    .   .   1   1   1   1   1    1   1   1   2      2   2      2      2      2      2      2   2
        7    .   .   1   1   1   1   1    1   2   2   2      2   2      2      2      2      2      2   2
        8    .   1   1   1   1   1   1    2   2   2   2      2   2      2      2      2      3      3   3
        9    .   1   1   1   1   1   2    2   2   2   2      2   2      2      2      3      3      3   3
       10    .   1   1   1   1   1   2    2   2   2   2      2   2      2      3      3      3      3   3
       11    .   1   1   1   1   2   2    2   2   2   2      2   2      3      3      3      3      3   3
       12    .   1   1   1   1   2   2    2   2   2   2      2   3      3      3      3      3      3   3
       13    .   1   1   1   2   2   2    2   2   2   2      3   3      3      3      3      3      3   3
       14    .   1   1   1   2   2   2    2   2   2   3      3   3      3      3      3      3      3   4
       15    .   1   1   1   2   2   2    2   2   2   3      3   3      3      3      3      3      4   4
       16    .   1   1   1   2   2   2    2   2   3   3      3   3      3      3      3      4      4   4
    "#);
}

#[test]
fn further_facts_can_be_true() {
    let pawn = Flags::NONE.with(Fact::PawnMove, true);
    let table = ReductionTable::new(&shipped("micromax-4"), 10, 30, pawn);
    assert!(table.cells().all(|cell| cell.plies == 0));
    assert_snapshot!(table, @r#"
           moves searched before
    depth  0-30
     1-10     .
    "#);
}

#[test]
fn cells_come_row_by_row() {
    let table = ReductionTable::new(&shipped("mediocre-2007"), 4, 5, Flags::NONE);
    let cells: Vec<_> = table
        .cells()
        .map(|cell| (cell.depth, cell.moves_searched, cell.plies))
        .collect();
    assert_eq!(cells.len(), 24);
    assert_eq!(cells[0], (1, 0, 0));
    assert_eq!(cells[15], (3, 3, 0));
    assert_eq!(cells[16], (3, 4, 1));
    assert_eq!(cells[23], (4, 5, 1));
}
