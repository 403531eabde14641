//! Games that can be replayed on a page.

use crate::markup::elements;
use crate::small_run::{MOVES, SmallRun};

fn games_on(page: &str) -> serde_json::Value {
    let elements = elements(page).unwrap();
    let data = |element: &&crate::markup::Element| element.name == "script" && !element.attributes.is_empty();
    serde_json::from_str(&elements.iter().find(data).unwrap().raw).unwrap()
}

#[test]
fn games_that_faults_ended_come_first() {
    let games = games_on(&SmallRun::default().page());
    let numbers: Vec<u64> = games
        .as_array()
        .unwrap()
        .iter()
        .map(|game| game["game"].as_u64().unwrap())
        .collect();
    assert_eq!(numbers, [4, 1, 2, 3]);
    assert_eq!(games[0]["fault"], "took 12 ms and had 10 ms");
    // Two letters a move; castling goes to the rook's square.
    let plies = MOVES.split(' ').count();
    assert_eq!(games[0]["moves"].as_str().unwrap().len(), 2 * plies);
    assert!(games[0]["pgn"].as_str().unwrap().contains("O-O-O"));
}

#[test]
fn a_page_of_many_games_stays_small() {
    let run = SmallRun {
        pairs: 1_500,
        ..SmallRun::default()
    };
    let page = run.page();
    assert!(page.len() < 1_500_000, "{} bytes", page.len());
    let games = games_on(&page).as_array().unwrap().len();
    assert!((500..3_000).contains(&games), "{games}");
    let said =
        format!("{games} of 3000 games can be replayed on this page: those that faults ended, then the first ones.");
    assert!(page.contains(&said));
}
