//! The commands of the workshop: games, positions, weights, networks, test positions.

#![allow(clippy::unwrap_used, clippy::panic, reason = "test code may panic")]

mod documents;

use std::path::Path;
use std::process::Command;

use lmrlab_diagnostics::Source;
use lmrlab_engine::network::Network;
use lmrlab_engine::position::Position;
use lmrlab_lab::positions::{LabPosition, PositionSet};
use lmrlab_lab::suite::questions;

/// A folder for the files of a test.
struct Scratch(tempfile::TempDir);

impl Scratch {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Runs the program on this many threads. Returns its exit status, and what it printed.
    fn run(&self, threads: &str, words: &str) -> (Option<i32>, String) {
        let done = Command::new(env!("CARGO_BIN_EXE_lmrlab-workshop"))
            .args(words.split(' '))
            .current_dir(self.0.path())
            .env("RAYON_NUM_THREADS", threads)
            .output()
            .unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        match done.status.code() {
            Some(0) => (Some(0), text(&done.stdout)),
            status => (status, text(&done.stderr)),
        }
    }

    fn done(&self, threads: &str, words: &str) -> String {
        let (status, said) = self.run(threads, words);
        assert_eq!(status, Some(0), "{said}");
        said
    }

    fn refused(&self, words: &str, reason: &str) {
        let (status, said) = self.run("1", words);
        assert!(status == Some(2) && said.contains(reason), "{said}");
    }

    fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.0.path().join(file)).unwrap()
    }

    /// Files of the project, from which presets, policies and openings are read.
    fn with_project(self) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for file in [
            "configs/engines/standard.toml",
            "configs/policies/house.toml",
            "positions/book.epd",
        ] {
            let copy = self.0.path().join(file);
            std::fs::create_dir_all(copy.parent().unwrap()).unwrap();
            std::fs::copy(root.join(file), copy).unwrap();
        }
        self
    }

    fn generate(&self, threads: &str, games: u32, seed: u32, out: &str) -> String {
        let options = format!("--games {games} --seed {seed} --out {out}");
        self.done(threads, &format!("generate --nodes 100 --per-game 30 {options}"));
        self.read(out)
    }
}

#[test]
fn positions_and_weights_do_not_depend_on_threads() {
    let scratch = Scratch::new().with_project();
    let one = scratch.generate("1", 160, 1, "one.csv");
    assert_eq!(one, scratch.generate("2", 160, 1, "two.csv"));
    assert!(one.starts_with("game,epd,white_half_points,white_score_cp\n"));
    assert!((1000..=160 * 30).contains(&one.lines().count()));
    let other = scratch.generate("1", 2, 2, "other.csv");
    assert_ne!(one.lines().nth(1), other.lines().nth(1));

    let said = scratch.done("1", "fit one.csv --result-share 0 --epochs 20 --out one.rs");
    scratch.done("2", "fit two.csv --result-share 0 --epochs 20 --out two.rs");
    // But for the command lines that their headers quote.
    let table = |text: String| text[text.find("//! from ").unwrap()..].to_owned();
    let weights = scratch.read("one.rs");
    assert!(weights.contains("lmrlab-workshop fit one.csv"), "{weights}");
    assert_eq!(table(weights), table(scratch.read("two.rs")));
    // The scores of the searches are predicted better than before, in games from which nothing was learned as well.
    for set in ["training", "validation"] {
        let line = said.lines().find(|line| line.starts_with(set)).unwrap();
        let (before, after) = line.split_once("error ").unwrap().1.split_once(" -> ").unwrap();
        let (before, after): (f64, f64) = (before.parse().unwrap(), after.parse().unwrap());
        assert!(after < before, "{said}");
    }
}

#[test]
fn networks_and_judgements_do_not_depend_on_threads() {
    let scratch = Scratch::new().with_project();
    scratch.generate("0", 40, 1, "positions.csv");
    let train = |threads: &str, out: &str| {
        let options = "--imitate 2048 --epochs 2 --batch 512";
        scratch.done(threads, &format!("train positions.csv {options} --out {out}"));
        std::fs::read(scratch.0.path().join(out)).unwrap()
    };
    let (one, two) = (train("1", "one.network"), train("2", "two.network"));
    let network = |bytes: &[u8]| Network::read(bytes).unwrap();
    assert_eq!(network(&one), network(&two));
    assert!(one.starts_with(b"The network of lmrlab's engine, written by\n\nlmrlab-workshop train positions.csv"));
    assert_ne!(network(&one).evaluate(&Position::initial()), 0);

    // The engine's own network, which learned from millions of positions, predicts other games better.
    std::fs::write(
        scratch.0.path().join("same.network"),
        Network::standard().write("The engine's."),
    )
    .unwrap();
    scratch.generate("0", 40, 2, "others.csv");
    let said = scratch.done("1", "judge one.network same.network --positions others.csv");
    assert_eq!(
        said,
        scratch.done("2", "judge one.network same.network --positions others.csv")
    );
    let cells = |name: &str| -> Vec<f64> {
        let line = said.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace()
            .skip(1)
            .map(|cell| cell.parse().unwrap())
            .collect()
    };
    assert_eq!(cells("same.network")[1..], [0.0, 0.0], "{said}");
    let [_, difference, error] = cells("one.network")[..] else {
        panic!("{said}")
    };
    assert!(difference > error && error > 0.0, "{said}");
}

#[test]
fn positions_come_from_games_that_were_played() {
    let scratch = Scratch::new();
    let run = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/workshop/run");
    let collect = |out: &str, per_game: u32| {
        let said = scratch.done(
            "1",
            &format!("collect {} --per-game {per_game} --out {out}", run.display()),
        );
        assert!(said.contains("positions of 8 games"), "{said}");
        scratch.read(out)
    };
    let (all, few) = (collect("all.csv", 400), collect("few.csv", 2));
    assert!(all.starts_with("game,epd,white_half_points,white_score_cp\n"));
    assert!(few.lines().skip(1).all(|line| all.lines().any(|other| other == line)));
    assert!(few.lines().count() <= 1 + 8 * 2 && few.lines().count() < all.lines().count());

    // Every position has the result of its game.
    let mut games = csv::Reader::from_path(run.join("games.csv")).unwrap();
    let results: Vec<&str> = games
        .records()
        .map(|game| match &game.unwrap()[7] {
            "1-0" => "2",
            "0-1" => "0",
            _ => "1",
        })
        .collect();
    for line in all.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!(fields[2], results[fields[0].parse::<usize>().unwrap()], "{line}");
    }
    scratch.refused("collect nothing --out other.csv", "nothing");
    assert!(!scratch.0.path().join("other.csv").exists());
}

#[test]
fn mined_tactics_are_a_suite() {
    let scratch = Scratch::new().with_project();
    let mine = "mine --games 30 --game-nodes 60 --nodes 2000 --out";
    let said = scratch.done("1", &format!("{mine} a.epd"));
    assert!(said.ends_with(" of 30 games in a.epd\n"), "{said}");
    scratch.done("2", &format!("{mine} b.epd"));
    let found = scratch.read("a.epd");
    assert_eq!(found, scratch.read("b.epd"));
    let (set, _) = PositionSet::parse(Source::new("a.epd", found)).unwrap();
    assert!(questions(&set).is_ok());
    assert!(!set.positions.is_empty() && set.positions.iter().all(LabPosition::is_mined));
    scratch.refused(&format!("{mine} a.epd"), "--force");
}

#[test]
fn wrong_input_is_refused() {
    let scratch = Scratch::new();
    let write = |file: &str, line: &str| {
        let text = format!("game,epd,white_half_points,white_score_cp\n{line}\n");
        std::fs::write(scratch.0.path().join(file), text).unwrap();
    };
    write("bad.csv", "0,8/8/8/8/8/8/8/8 w - -,1,0");
    write("few.csv", "0,4k3/8/8/8/8/8/4P3/4K3 w - -,1,0");
    scratch.refused("fit nothing.csv --out weights.rs", "cannot read the positions");
    scratch.refused("fit bad.csv --out weights.rs", "line 2 of `bad.csv`");
    scratch.refused("fit few.csv --out weights.rs", "too few positions");
    scratch.refused("train few.csv --out few.network", "too few positions");
    scratch.refused(
        "train few.csv --start few.csv --out few.network",
        "cannot read the network `few.csv`",
    );
    scratch.refused("judge few.csv --positions few.csv", "cannot read the network `few.csv`");
    scratch.refused("generate --games 1 --out few.csv", "exists already");
}
