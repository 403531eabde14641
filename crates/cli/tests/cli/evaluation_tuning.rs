//! `lmrlab tune eval`: games, positions, weights.

use lmrlab_engine::network::Network;
use lmrlab_engine::position::Position;

use crate::scratch::Scratch;

fn generate(scratch: &Scratch, out: &str, games: &str, seed: &str, threads: &str) -> String {
    scratch.done(&[
        "tune",
        "eval",
        "generate",
        "--games",
        games,
        "--nodes",
        "100",
        "--per-game",
        "30",
        "--seed",
        seed,
        "--threads",
        threads,
        "--out",
        out,
    ]);
    scratch.read(out)
}

fn fit(scratch: &Scratch, positions: &str, out: &str, threads: &str) -> (String, String) {
    let said = scratch.done(&[
        "tune",
        "eval",
        "fit",
        positions,
        "--result-share",
        "0",
        "--epochs",
        "20",
        "--threads",
        threads,
        "--out",
        out,
    ]);
    (said, scratch.read(out))
}

#[test]
fn positions_and_weights_do_not_depend_on_threads() {
    let scratch = Scratch::new();
    let one = generate(&scratch, "one.csv", "240", "1", "1");
    let two = generate(&scratch, "two.csv", "240", "1", "2");
    assert_eq!(one, two);
    assert!(one.starts_with("game,epd,white_half_points,white_score_cp\n"));
    assert!((1000..=240 * 30).contains(&one.lines().count()));
    let other = generate(&scratch, "other.csv", "2", "2", "1");
    let line = |text: &str| text.lines().nth(1).map(str::to_owned);
    assert_ne!(line(&one), line(&other));

    let (said, weights) = fit(&scratch, "one.csv", "one.rs", "1");
    let (_, again) = fit(&scratch, "two.csv", "two.rs", "2");
    // But for the command lines that their heads quote.
    let table = |text: &str| text[text.find("//! from ").unwrap()..].to_owned();
    assert_eq!(table(&weights), table(&again));
    assert!(weights.contains("lmrlab tune eval fit one.csv"), "{weights}");

    // What the engine's search found is foretold better than before, in games that were not fitted to as well.
    for set in ["training", "validation"] {
        let line = said.lines().find(|line| line.starts_with(set)).unwrap();
        let (before, after) = line.split_once("mean loss ").unwrap().1.split_once(" -> ").unwrap();
        let (before, after): (f64, f64) = (before.parse().unwrap(), after.parse().unwrap());
        assert!(after < before, "{said}");
    }
}

#[test]
fn networks_and_judgements_do_not_depend_on_threads() {
    let scratch = Scratch::new();
    generate(&scratch, "positions.csv", "40", "1", "0");
    let train = |threads: &str, out: &str| {
        let said = scratch.done(&[
            "tune",
            "eval",
            "train",
            "positions.csv",
            "--imitate",
            "2048",
            "--epochs",
            "2",
            "--batch",
            "512",
            "--threads",
            threads,
            "--out",
            out,
        ]);
        assert!(said.contains("mean squared error"), "{said}");
        std::fs::read(scratch.path(out)).unwrap()
    };
    let (one, two) = (train("1", "one.network"), train("2", "two.network"));
    let network = |bytes: &[u8]| Network::read(bytes).unwrap();
    assert_eq!(network(&one), network(&two));
    assert!(one.starts_with(b"The network of lmrlab's engine, written by\n\nlmrlab tune eval train positions.csv"));
    assert_ne!(network(&one).evaluate(&Position::initial()), 0);

    // The engine's own network, which learned from millions of positions, foretells other games better.
    std::fs::write(scratch.path("same.network"), Network::standard().write("The engine's.")).unwrap();
    generate(&scratch, "others.csv", "40", "2", "0");
    let judge = |threads: &str| {
        scratch.done(&[
            "tune",
            "eval",
            "judge",
            "one.network",
            "same.network",
            "--positions",
            "others.csv",
            "--threads",
            threads,
        ])
    };
    let said = judge("1");
    assert_eq!(said, judge("2"));
    let cells = |name: &str| -> Vec<f64> {
        let line = said.lines().find(|line| line.starts_with(name)).unwrap();
        let cells = line.split_whitespace().skip(1).map(|cell| cell.parse().unwrap());
        cells.collect()
    };
    assert_eq!(cells("same.network")[1..], [0.0, 0.0], "{said}");
    let [_, difference, error] = cells("one.network")[..] else {
        panic!("{said}")
    };
    assert!(difference > error && error > 0.0, "{said}");
    let said = scratch.refused(&["tune", "eval", "judge", "others.csv", "--positions", "others.csv"]);
    assert!(said.contains("cannot read the network `others.csv`"), "{said}");
}

#[test]
fn positions_come_from_games_that_were_played() {
    let scratch = Scratch::new();
    scratch.done(&[
        "match", "none", "house", "--nodes", "100", "--pairs", "4", "--out", "played",
    ]);
    let collect = |out: &str, per_game: &str| {
        let said = scratch.done(&[
            "tune",
            "eval",
            "collect",
            "played",
            "--per-game",
            per_game,
            "--out",
            out,
        ]);
        assert!(said.contains("positions of 8 games"), "{said}");
        scratch.read(out)
    };
    let all = collect("all.csv", "400");
    let few = collect("few.csv", "2");
    assert!(all.starts_with("game,epd,white_half_points,white_score_cp\n"));
    assert!(few.lines().skip(1).all(|line| all.lines().any(|other| other == line)));
    assert!(few.lines().count() <= 1 + 8 * 2 && few.lines().count() < all.lines().count());

    // Every position has the result of its game.
    let mut games = csv::Reader::from_path(scratch.path("played/games.csv")).unwrap();
    let results: Vec<u8> = games
        .records()
        .map(|game| match &game.unwrap()[7] {
            "1-0" => 2,
            "0-1" => 0,
            _ => 1,
        })
        .collect();
    for line in all.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let game: usize = fields[0].parse().unwrap();
        assert_eq!(fields[2].parse::<u8>().unwrap(), results[game], "{line}");
    }
    scratch.done(&["tune", "eval", "fit", "all.csv", "--epochs", "1", "--out", "weights.rs"]);

    let said = scratch.refused(&["tune", "eval", "collect", "nothing", "--out", "other.csv"]);
    assert!(said.contains("`nothing` is not the results folder of a run"), "{said}");
    assert!(!scratch.path("other.csv").exists());
}

#[test]
fn wrong_input_is_refused() {
    let scratch = Scratch::new();
    let said = scratch.refused(&["tune", "eval", "fit", "nothing.csv", "--out", "weights.rs"]);
    assert!(said.contains("cannot read the positions"), "{said}");
    scratch.write(
        "bad.csv",
        "game,epd,white_half_points,white_score_cp\n0,8/8/8/8/8/8/8/8 w - -,1,0\n",
    );
    let said = scratch.refused(&["tune", "eval", "fit", "bad.csv", "--out", "weights.rs"]);
    assert!(said.contains("line 2 of `bad.csv`"), "{said}");
    scratch.write(
        "few.csv",
        "game,epd,white_half_points,white_score_cp\n0,4k3/8/8/8/8/8/4P3/4K3 w - -,1,0\n",
    );
    let said = scratch.refused(&["tune", "eval", "fit", "few.csv", "--out", "weights.rs"]);
    assert!(said.contains("too few positions"), "{said}");
    let said = scratch.refused(&["tune", "eval", "train", "few.csv", "--out", "few.network"]);
    assert!(said.contains("too few positions"), "{said}");
    let said = scratch.refused(&[
        "tune",
        "eval",
        "train",
        "few.csv",
        "--start",
        "few.csv",
        "--out",
        "few.network",
    ]);
    assert!(said.contains("cannot read the network `few.csv`"), "{said}");
    assert!(!scratch.path("few.network").exists());
    let said = scratch.refused(&["tune", "eval", "generate", "--games", "1", "--out", "few.csv"]);
    assert!(said.contains("exists already"), "{said}");
}
