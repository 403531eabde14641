//! The reductions of a plain quiet move, as a table.

use crate::common::shipped;
use lmrlab_policy::facts::{Fact, Facts};
use lmrlab_policy::show::{Given, NodeKind, plain_move, reduction_table};

#[test]
fn further_facts_can_be_true() {
    let pawn: Given = "pawn_move".parse().unwrap();
    let table = reduction_table(&shipped("micromax-4"), 10, 30, &pawn);
    assert!(table.iter().all(|(_, _, plies)| *plies == 0));
}

#[test]
fn cells_come_row_by_row() {
    let cells = reduction_table(&shipped("mediocre-2007"), 4, 5, &Given::default());
    assert_eq!(cells.len(), 24);
    assert_eq!(cells[0], (1, 0, 0));
    assert_eq!(cells[15], (3, 3, 0));
    assert_eq!(cells[16], (3, 4, 1));
    assert_eq!(cells[23], (4, 5, 1));
}

#[test]
fn facts_from_a_command_line() {
    let read = |text: &str| match text.parse::<Given>() {
        Ok(given) => given,
        Err(wrong) => panic!("{wrong}"),
    };
    let starter = shipped("rebel-starter");
    let cell = |given: &str, node| {
        let mut facts = Given::of_node(node);
        facts.merge(&read(given));
        starter.reduction(&plain_move(9, 9, &facts))
    };
    assert_eq!(cell("", NodeKind::Cut), 1);
    assert_eq!(cell("history=-501", NodeKind::Cut), 2);
    assert_eq!(cell(" history = -1501 , improving", NodeKind::Pv), 3);
    assert_eq!(cell("history=-1501", NodeKind::Root), 1);
    assert_eq!(cell("advanced_pawn=true", NodeKind::All), 0);
    assert_eq!(cell("queen_promotion", NodeKind::All), 0);
    assert_eq!(cell("in_check=0,capture=0", NodeKind::All), 1);
    let given = read("capture,history=-3,see=1.5");
    assert_eq!(given.to_string(), "capture=1,history=-3,see=1.5");
    let plain = plain_move(4, 7, &given);
    assert!(!plain.flags().has(Fact::Quiet));
    assert_eq!(plain.number(Fact::Window), 1.0);
    assert_eq!(plain.number(Fact::Iteration), 5.0);
}

#[test]
fn facts_that_cannot_be_given() {
    let wrong = "histroy=3,improving=2,depth=4,see,score=1,,pv"
        .parse::<Given>()
        .unwrap_err()
        .to_string();
    let found: Vec<&str> = wrong.lines().filter(|line| line.starts_with("error")).collect();
    assert_eq!(
        found,
        [
            "error: no fact is called `histroy`",
            "error: `improving` is true or false",
            "error: `depth` cannot be given: the table varies it",
            "error: `see` is a number",
            "error: `score` cannot be given: known after the reduced search only",
            "error: a fact is missing here",
        ]
    );
    for place in ["facts:1:1\n", "facts:1:11\n", "facts:1:31\n", "facts:1:43\n"] {
        assert!(wrong.contains(place), "{wrong}");
    }
}
