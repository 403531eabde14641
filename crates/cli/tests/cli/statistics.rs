//! `lmrlab sprt`, `sprt plan` and `rate`.

use crate::scratch::Scratch;
use serde_json::Value;

fn json(arguments: &str) -> Value {
    let printed = Scratch::empty().done(&format!("{arguments} --json"));
    serde_json::from_str(&printed).unwrap()
}

#[test]
fn a_verdict_for_people() {
    let scratch = Scratch::empty();
    let text = scratch.done("sprt --wdl 76,123,89 --bounds -5,0 --model logistic");
    insta::assert_snapshot!("sprt_games", text);
    let text = scratch.done("sprt --pentanomial 0,0,0,0,7 --bounds 0,5");
    insta::assert_snapshot!("sprt_all_won", text);
}

#[test]
fn empty_cells_and_the_early_stop_are_allowed_for() {
    let corrected = |options: &str| -> Vec<String> {
        let judged = json(&format!("sprt --pentanomial {options}"));
        let rows = judged["corrected"].as_array().cloned().unwrap_or_default();
        rows.iter()
            .map(|row| row["estimate"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(corrected("0,12,60,20,0 --bounds 0,5"), ["regularized"], "not decided");
    assert_eq!(corrected("150,1500,3500,1650,165 --bounds 0,5"), ["after the test"]);
    assert!(corrected("1,12,60,20,1 --bounds 0,5").is_empty());
    assert!(corrected("0,0,0,0,7 --bounds 0,5").is_empty(), "too few pairs");
    // Far beyond the bound: these games did not stop at it.
    assert!(corrected("100,500,1500,900,300 --bounds 0,40").is_empty());
}

#[test]
fn wrong_options_are_explained() {
    let scratch = Scratch::empty();
    for (arguments, message) in [
        ("", "--bounds"),
        ("--bounds 0,5", "counts are missing"),
        ("--bounds 0,5 --pentanomial 1,2,3", "5 whole numbers"),
        ("--bounds 0,5 --wdl 1,2,-3", "3 whole numbers"),
        ("--bounds -1500,-500 --wdl 1,2,3", "between -600 and 600"),
        (
            "--bounds 0,5 --wdl 18446744073709551615,1,1",
            "the counts must be at most",
        ),
        ("plan --elo0 0 --elo1 5", "--draws"),
        ("plan --pairs 9 --draws 0.9 --bias 100", "bias"),
        ("plan --draws 0.9 --error 0", "positive"),
        ("plan --draws 0.9 --pairs 18446744073709551615", "for '--pairs"),
        (
            "plan --elo0 0 --elo1 5 --draws 0.5 --true-elo 0,inf",
            "not a finite number",
        ),
        ("plan --draws 0.9", "--elo0"),
        ("plan --draws 0.9 --error 2 --true-elo 5", "--elo0"),
    ] {
        let said = scratch.refused(&format!("sprt {arguments}"));
        assert!(said.contains(message), "{said}");
    }
}

#[test]
fn a_plan_with_a_limit_counts_undecided_tests() {
    let limited = "sprt plan --elo0 0 --elo1 20 --draws 0.4 --pairs 1500,6000";
    insta::assert_snapshot!(Scratch::empty().done(limited));
}

fn game(white: impl std::fmt::Display, black: impl std::fmt::Display, result: &str) -> String {
    format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1. e4 {{0.1}} {result}\n\n")
}

/// Six games of three players with every outcome, one of them unfinished, and a fourth player who won everything.
fn league() -> String {
    [
        game("Anna", "Ben", "1-0"),
        game("Ben", "Anna", "1-0"),
        game("Anna", "Cleo", "1/2-1/2"),
        game("Cleo", "Anna", "0-1"),
        game("Ben", "Cleo", "1-0"),
        game("Cleo", "Ben", "*"),
        game("Dora", "Cleo", "1-0"),
        game("Ben", "Dora", "0-1"),
        game("Eve", "Finn", "1/2-1/2"),
    ]
    .concat()
}

#[test]
fn a_league_with_everything() {
    let scratch = Scratch::empty();
    scratch.write("league.pgn", &league());
    let (said, warning) = scratch.ends(0, "rate league.pgn --out rated --report");
    assert!(warning.contains("1 game left out: unfinished"), "{warning}");
    insta::assert_snapshot!("rate_league", said);
    insta::assert_snapshot!("rate_csv", scratch.read("rated/ratings.csv"));
    insta::assert_snapshot!("rate_los", scratch.read("rated/los.csv"));
    assert_eq!(scratch.done("show rated"), said);

    let anchored = scratch.done("rate league.pgn --anchor Ben=2000 --json");
    let anchored: Value = serde_json::from_str(&anchored).unwrap();
    let ben = anchored["ratings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["name"] == "Ben");
    assert_eq!(
        ben.map(|row| (&row["elo"], &row["error_95"])),
        Some((&2000.0.into(), &0.0.into()))
    );
}

/// A chain of games: each player beats the next.
fn ladder(players: usize) -> String {
    (1..players).map(|player| game(player - 1, player, "1-0")).collect()
}

#[test]
fn what_cannot_be_rated_is_explained() {
    let scratch = Scratch::empty();
    scratch.write("league.pgn", &league());
    scratch.write("empty.pgn", "");
    scratch.write("many.pgn", &ladder(2_001));
    scratch.write("most.pgn", &ladder(2_000));
    scratch.done("rate most.pgn");
    for (arguments, message) in [
        ("missing.pgn", "missing.pgn"),
        ("empty.pgn", "no finished game"),
        (
            "many.pgn",
            "too many players to rate: 2001, and at most 2000 are possible",
        ),
        ("most.pgn league.pgn", "use Ordo"),
        ("league.pgn --anchor Zoe=1", "no player is called `Zoe`"),
        ("league.pgn --anchor Dora=1", "no finite rating"),
        ("league.pgn --anchor Ben=1 --anchor Ben=2", "`Ben` is given twice"),
        ("league.pgn --anchor Ben=1e9", "a number up to 5000"),
        ("league.pgn --anchor Ben", "a name and a number"),
    ] {
        let said = scratch.refused(&format!("rate {arguments}"));
        assert!(said.contains(message), "{said}");
    }
}

/// Draws beside decided games are no draw rate of 100%.
#[test]
fn a_few_games_make_nothing_certain() {
    let scratch = Scratch::empty();
    let few = [
        game("a", "b", "1-0"),
        game("b", "c", "1/2-1/2"),
        game("c", "a", "0-1"),
        game("b", "a", "0-1"),
    ];
    scratch.write("few.pgn", &few.concat());
    let said = scratch.done("rate few.pgn");
    assert!(!said.contains("Draw rate (equal opponents): 100"), "{said}");
    assert!(
        said.contains("note: `-` is an error that these games do not show"),
        "{said}"
    );
}
