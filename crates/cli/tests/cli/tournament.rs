//! Tournaments, from the command line to the files.

use std::collections::BTreeMap;
use std::fs;

use crate::scratch::{OPENINGS, ROUND_ROBIN, Scratch};
use lmrlab_engine::game::Game;
use lmrlab_results::game_end::{GameResult, Termination};
use lmrlab_results::rows::games::GameRow;
use predicates::prelude::*;

/// Plays a game of the journal through again; it must not have ended before its last move.
fn replay(row: &GameRow) -> Game {
    let whole = row.replay().unwrap();
    let mut game = Game::new(whole.start().clone());
    for mv in whole.moves() {
        assert_eq!(game.ending(), None, "game {} goes on after its end", row.game);
        game.play(*mv).unwrap();
    }
    game
}

/// One run: its files tell the same games, its manifest plays them again on any number of threads, and it is not replaced.
#[test]
fn a_round_robin_and_its_files() {
    let scratch = Scratch::new();
    scratch.write("trio.toml", ROUND_ROBIN);
    scratch.done("run trio.toml --quiet --threads 1");
    let games = scratch.journal("results/trio/games.csv");
    every_game_is_legal_and_ends_as_it_says(&games);
    let pgn = scratch.read("results/trio/games.pgn");
    assert_eq!(pgn.matches("[Event ").count(), games.len());
    assert_eq!(scratch.line_count("results/trio/timings.csv"), 1 + 18);
    standings_and_cross_table_add_up(&games, &scratch);
    let tournament = the_manifest_holds_all_that_decides_the_games(&scratch);
    // What the manifest says is a tournament file, which gives the same games.
    scratch.write("again.toml", &tournament);
    scratch.done("run again.toml --quiet --threads 5 --out again");
    for file in ["games.csv", "pairs.csv", "standings.csv", "crosstable.csv"] {
        let files = ["again", "results/trio"].map(|folder| scratch.read(&format!("{folder}/{file}")));
        assert_eq!(files[0], files[1], "{file}");
    }
    fs::write(scratch.path("results/trio/notes.txt"), "mine").unwrap();
    insta::assert_snapshot!(scratch.refused("run trio.toml --quiet"));
    scratch.done("run trio.toml --quiet --force --seed 2");
    let openings = |games: &[GameRow]| games.iter().map(|game| game.opening).collect::<Vec<_>>();
    assert_ne!(openings(&scratch.journal("results/trio/games.csv")), openings(&games));
    assert_eq!(scratch.read("results/trio/notes.txt"), "mine");
}

fn every_game_is_legal_and_ends_as_it_says(games: &[GameRow]) {
    assert_eq!(games.len(), 18);
    for (index, row) in games.iter().enumerate() {
        assert_eq!(row.game, index as u64 + 1);
        assert_eq!(row.pair, index as u64 / 2 + 1);
        assert_eq!(row.round, index as u64 / 6 + 1);
        let game = replay(row);
        let ending = game.ending().expect("no engine forfeits at a fixed number of nodes");
        assert_eq!(row.termination, Termination::from(ending));
        let winner = ending.winner(game.position().side_to_move());
        assert_eq!(row.result, GameResult::won_by(winner));
        assert_eq!(row.plies, row.moves.0.len() as u64);
        assert_eq!(row.scores.0.len(), row.moves.0.len());
        assert_eq!(row.depths.0.len(), row.moves.0.len());
    }
    for pair in games.chunks(2) {
        assert_eq!(pair[0].fen, pair[1].fen);
        assert_eq!(pair[0].white, pair[1].black);
        assert_eq!(pair[0].black, pair[1].white);
    }
}

fn standings_and_cross_table_add_up(games: &[GameRow], scratch: &Scratch) {
    let mut points: BTreeMap<&str, f64> = BTreeMap::new();
    for game in games {
        let (white, black) = match game.result {
            GameResult::WhiteWins => (1.0, 0.0),
            GameResult::BlackWins => (0.0, 1.0),
            GameResult::Draw => (0.5, 0.5),
        };
        *points.entry(&game.white).or_default() += white;
        *points.entry(&game.black).or_default() += black;
    }
    let standings = rows(scratch, "results/trio/standings.csv");
    assert_eq!(standings.len(), 3);
    let sum = |rows: &[BTreeMap<String, String>], column: &str| -> f64 {
        rows.iter().map(|row| row[column].parse::<f64>().unwrap()).sum()
    };
    assert_eq!(sum(&standings, "games"), 36.0);
    assert_eq!(sum(&standings, "points"), 18.0);
    assert_eq!(sum(&standings, "wins"), sum(&standings, "losses"));
    let crosstable = rows(scratch, "results/trio/crosstable.csv");
    assert_eq!(crosstable.len(), 6);
    for standing in &standings {
        let engine = standing["engine"].as_str();
        assert_eq!(standing["points"].parse::<f64>().unwrap(), points[engine]);
        let met: Vec<_> = crosstable
            .iter()
            .filter(|row| row["engine"] == engine)
            .cloned()
            .collect();
        assert_eq!(sum(&met, "points"), points[engine]);
        assert_eq!(sum(&met, "games"), 12.0);
    }
    let pairs = rows(scratch, "results/trio/pairs.csv");
    assert_eq!(pairs.len(), 9);
    for pair in pairs.iter().skip(6) {
        let counted: u64 = ["n_ll", "n_ld", "n_dd_wl", "n_wd", "n_ww"]
            .iter()
            .map(|column| pair[*column].parse::<u64>().unwrap())
            .sum();
        assert_eq!(counted, 3, "the last round completes three pairs a pairing");
    }
    for file in ["games", "pairs", "standings", "crosstable", "los", "timings"] {
        let text = scratch.read(&format!("results/trio/{file}.csv")).to_lowercase();
        for cell in text.split([',', '\n']) {
            assert!(!["nan", "inf", "-inf", "-0"].contains(&cell), "{file}");
        }
    }
}

/// What standings.csv says of a tournament is what `rate` says of its PGN.
#[test]
fn standings_are_ratings_of_all_games() {
    let scratch = Scratch::new();
    scratch.write("t.toml", &ROUND_ROBIN.replace("round_robin", "gauntlet"));
    let said = scratch.done("run t.toml --quiet --out out");
    scratch.done("rate out/games.pgn --out rated");
    let standings = rows(&scratch, "out/standings.csv");
    let rated = rows(&scratch, "rated/ratings.csv");
    let number = |text: &str| text.parse::<f64>().ok();
    for standing in &standings {
        let same = |rated: &&BTreeMap<_, _>| rated["name"] == standing["engine"];
        let rated = rated.iter().find(same).unwrap();
        for (column, other) in [("elo", "elo"), ("elo_error_95", "error_95")] {
            match (number(&standing[column]), number(&rated[other])) {
                (Some(ours), Some(theirs)) => assert!((ours - theirs).abs() < 0.06),
                (ours, theirs) => {
                    assert_eq!(ours, theirs);
                }
            }
        }
        if let Some(elo) = number(&standing["elo"]) {
            assert!(said.contains(&format!("{elo:+.1}")), "{elo} {said}");
        }
    }
    assert!(said.contains("White advantage: "), "{said}");
    let los = rows(&scratch, "out/los.csv");
    assert_eq!(los.len(), 6);
    for row in &los {
        let back = los
            .iter()
            .find(|back| back["engine"] == row["opponent"] && back["opponent"] == row["engine"]);
        let sum = number(&row["los"]).unwrap() + number(&back.unwrap()["los"]).unwrap();
        assert!((sum - 1.0).abs() < 2e-6, "{sum}");
    }
}

/// The strength after a test that stopped early, in words and for scripts; not in a match without a test.
#[test]
fn a_test_tells_its_strength_fairly() {
    let scratch = Scratch::new();
    let played = |words: &str| scratch.done(&format!("match none none --nodes 60 --hash 1 --pairs 6 --out {words}"));
    let said = played("a --sprt 0,300 --model logistic");
    assert!(said.contains("corrected for the early stop"), "{said}");
    let said = played("b --sprt 0,300 --model logistic --json-lines");
    let last: serde_json::Value = serde_json::from_str(said.lines().last().unwrap()).unwrap();
    let estimate = &last["sprt_estimate"];
    let [low, elo, high] = ["elo_low_95", "elo", "elo_high_95"].map(|key| estimate[key].as_f64().unwrap());
    assert!(low < elo && elo < high, "{estimate}");
    assert!(!played("c").contains("corrected for"));
    // This test is not decided.
    let said = played("d --sprt 0,1");
    assert!(
        said.contains("no verdict yet") && !said.contains("corrected for"),
        "{said}"
    );
}

fn rows(scratch: &Scratch, name: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(scratch.path(name)).unwrap();
    reader.deserialize().collect::<Result<_, _>>().unwrap()
}

/// Returns what it says of the tournament.
fn the_manifest_holds_all_that_decides_the_games(scratch: &Scratch) -> String {
    let manifest: toml::Table = scratch.read("results/trio/manifest.toml").parse().unwrap();
    assert_eq!(manifest["format_version"].as_integer(), Some(3));
    assert_eq!(
        manifest["command"].as_str(),
        Some("lmrlab run trio.toml --quiet --threads 1")
    );
    let tournament = manifest["tournament"].as_table().unwrap();
    assert_eq!(tournament["seed"].as_integer(), Some(7));
    assert_eq!(tournament["threads"].as_integer(), Some(1));
    assert_eq!(tournament["limit"]["nodes"].as_integer(), Some(100));
    let engines = tournament["engine"].as_array().unwrap();
    assert_eq!(engines.len(), 3);
    let files = manifest["file"].as_array().unwrap();
    let file = |path: &str| {
        let file = files.iter().find(|file| file["path"].as_str() == Some(path));
        file.unwrap_or_else(|| panic!("{path} in {files:?}"))
    };
    assert_eq!(file(OPENINGS)["positions"].as_integer(), Some(40));
    for path in [
        "configs/policies/mediocre-2007.toml",
        "configs/engines/standard.toml",
        "trio.toml",
    ] {
        assert_eq!(file(path)["text"].as_str(), Some(&*scratch.read(path)));
    }
    toml::to_string(tournament).unwrap()
}

#[test]
fn a_match_from_the_command_line() {
    let scratch = Scratch::new();
    for limit in ["--nodes 200", "--depth 2", "--movetime 1", "--tc 0.2+0.001"] {
        scratch
            .lmrlab(&format!(
                "match none mediocre-2007 --pairs 1 --hash 1 --maxmoves 30 --force {limit} --out out"
            ))
            .assert()
            .success()
            .stdout(predicate::str::contains("Ptnml(0-2): ["))
            .stdout(predicate::str::contains("Results are in out"))
            .stderr(predicate::str::contains("2 games in 1 pair"));
        for row in scratch.journal("out/games.csv") {
            replay(&row);
        }
    }
    let pgn = scratch.read("out/games.pgn");
    assert!(pgn.contains("[TimeControl \"0.2+0.001\"]"), "{pgn}");
}

/// An engine against itself scores one point in every pair, whatever it plays: a test soon sees that it is not stronger.
#[test]
fn a_test_ends_the_match_at_the_same_pair_for_any_number_of_threads() {
    let scratch = Scratch::new();
    let mut journals = Vec::new();
    for threads in ["1", "3"] {
        let out = format!("out-{threads}");
        let test = "--sprt 0,100 --model logistic";
        let said = scratch.done(&format!(
            "match none none --nodes 60 --hash 1 --quiet {test} --threads {threads} --out {out}"
        ));
        assert!(
            said.contains("rejected: H0") && said.contains("The test rejects: "),
            "{said}"
        );
        journals.push(scratch.read(&format!("{out}/games.csv")));
        let pairs = rows(&scratch, &format!("{out}/pairs.csv"));
        assert!(pairs.len() < 40);
        for (index, pair) in pairs.iter().enumerate() {
            let llr: f64 = pair["llr"].parse().unwrap();
            let lower: f64 = pair["llr_lower"].parse().unwrap();
            assert_eq!(llr <= lower, index + 1 == pairs.len(), "pair {}", index + 1);
        }
    }
    assert_eq!(journals[0], journals[1]);
}

#[test]
fn openings_that_run_out_are_used_again_with_a_warning() {
    let scratch = Scratch::new();
    scratch.write("trio.toml", ROUND_ROBIN);
    let two: Vec<String> = scratch.read(OPENINGS).lines().take(2).map(str::to_owned).collect();
    scratch.write(OPENINGS, &two.join("\n"));
    scratch
        .lmrlab("run trio.toml")
        .assert()
        .success()
        .stderr(predicate::str::contains("2 openings for 3 pairs"));
}

#[cfg(unix)]
mod interrupted {
    use super::*;
    use crate::scratch::{signal, wait_until};
    use std::process::{Child, Output, Stdio};

    /// A run that has recorded some games, and is still going.
    fn endless(scratch: &Scratch) -> Child {
        scratch.write("long.toml", &ROUND_ROBIN.replace("pairs  = 3", "pairs = 1_000_000"));
        let child = scratch
            .background("run long.toml --threads 2 --out out")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        wait_until(|| scratch.line_count("out/games.csv") > 3);
        child
    }

    fn check(scratch: &Scratch, output: &Output, status: i32) {
        assert_eq!(output.status.code(), Some(status), "{output:?}");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("The run was interrupted after"), "{text}");
        assert!(text.contains("`lmrlab resume out` resumes it."), "{text}");
        let games = scratch.journal("out/games.csv");
        assert_eq!(games.len() % 2, 0);
        for (index, row) in games.iter().enumerate() {
            assert_eq!(row.game, index as u64 + 1);
        }
        let pgn = scratch.read("out/games.pgn");
        assert_eq!(pgn.matches("[Event ").count(), games.len());
        assert_eq!(rows(scratch, "out/pairs.csv").len(), games.len() / 2);
        let standings = rows(scratch, "out/standings.csv");
        let counted: usize = standings.iter().map(|row| row["games"].parse::<usize>().unwrap()).sum();
        assert_eq!(counted, 2 * games.len());
    }

    #[test]
    fn a_signal_saves_the_games_and_a_second_one_stops_at_once() {
        let scratch = Scratch::new();
        for (signals, status) in [(&["INT"][..], 130), (&["INT", "INT"], 130), (&["TERM"], 143)] {
            let child = endless(&scratch);
            for name in signals {
                // The second may come too late: then the run has ended, which is what it asks for.
                signal(&child, name);
            }
            check(&scratch, &child.wait_with_output().unwrap(), status);
            fs::remove_dir_all(scratch.path("out")).unwrap();
        }
    }
}
