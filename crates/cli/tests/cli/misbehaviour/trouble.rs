//! Helpers: gauntlets with misbehaving engines, and checks of their games.

use std::time::Duration;

use lmrlab_results::game_end::{GameResult, Termination};
use lmrlab_results::rows::games::GameRow;

use super::processes::assert_nothing_left;
use crate::scratch::{Scratch, misbehaving_engine};

/// One engine of a tournament file.
pub(crate) struct Engine {
    name: String,
    args: Vec<String>,
    keys: String,
}

pub(crate) fn engine(name: &str, words: &str) -> Engine {
    Engine {
        name: name.to_owned(),
        args: words.split_whitespace().map(str::to_owned).collect(),
        keys: String::new(),
    }
}

impl Engine {
    pub(crate) fn keys(mut self, keys: &str) -> Self {
        self.keys = keys.to_owned();
        self
    }
}

/// A gauntlet of the first engine against all others, a pair each.
pub(crate) fn gauntlet(limit: &str, engines: &[Engine]) -> String {
    let mut text = format!(
        r#"
name = "trouble"
format = "gauntlet"
pairs = 1
threads = 8
hash_mib = 1
[openings]
file = "positions/openings.epd"
[limit]
{limit}
[adjudication]
max_moves = 6
[deadlines]
start_ms = 4000
ready_ms = 2000
answer_ms = 1500
late_ms = 200
quit_ms = 300
"#
    );
    for engine in engines {
        text.push_str(&format!(
            "[[engine]]\nname = {:?}\ncommand = {:?}\nargs = {:?}\n{}\n",
            engine.name,
            misbehaving_engine(),
            engine.args,
            engine.keys
        ));
    }
    text
}

pub(crate) fn play(scratch: &Scratch, text: &str) -> Vec<GameRow> {
    scratch.write("trouble.toml", text);
    let mark = format!("LMRLAB_TEST_RUN={}", scratch.path("").display());
    let output = scratch
        .lmrlab("run trouble.toml --quiet --force --out out")
        .env("LMRLAB_TEST_RUN", scratch.path(""))
        .timeout(Duration::from_secs(120))
        .assert()
        .success()
        .get_output()
        .clone();
    assert_nothing_left(&mark);
    let games = scratch.journal("out/games.csv");
    // Not even a quiet run keeps a fault to itself.
    assert_eq!(
        String::from_utf8_lossy(&output.stdout).contains("\nFaults | "),
        games.iter().any(|game| !game.fault.is_empty())
    );
    // Whatever happens, the files agree and every move is legal.
    let pgn = scratch.read("out/games.pgn");
    assert_eq!(pgn.matches("[Event ").count(), games.len());
    for game in &games {
        game.replay().unwrap();
    }
    games
}

pub(crate) fn of<'g>(games: &'g [GameRow], name: &str) -> Vec<&'g GameRow> {
    games
        .iter()
        .filter(|game| game.white == name || game.black == name)
        .collect()
}

/// The game was lost by `name` for this reason, and says what it was asked.
pub(crate) fn assert_fault(game: &GameRow, name: &str, termination: Termination, what: &str) {
    assert_eq!(game.termination, termination, "{name}: {}", game.fault);
    let lost = if game.white == name {
        GameResult::BlackWins
    } else {
        GameResult::WhiteWins
    };
    assert_eq!(game.result, lost, "{name}");
    assert!(game.fault.contains(what), "{name}: {}", game.fault);
}
