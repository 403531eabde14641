//! Programs that think on the opponent's time: what they are sent, and what their clocks say.

use lmrlab_results::game_end::Termination;
use lmrlab_results::rows::games::GameRow;

use super::trouble::{Engine, assert_fault, engine, gauntlet};
use crate::scratch::Scratch;

/// The games of two programs with a clock, and the log of what they were sent.
fn games(scratch: &Scratch, clock: &str, engines: &[Engine]) -> (Vec<GameRow>, String) {
    let _ = std::fs::remove_file(scratch.path("all.log"));
    scratch.write("trouble.toml", &gauntlet(&format!("tc = \"{clock}\""), engines));
    scratch.done("run trouble.toml --log=all.log --quiet --force --out=out --threads=1");
    (scratch.journal("out/games.csv"), scratch.read("all.log"))
}

/// The words that an engine is sent after `go ponder`, in the order of the log.
fn after_pondering(log: &str, name: &str) -> Vec<String> {
    let sent = log.lines().filter_map(|line| {
        let mut words = line.splitn(5, ' ').skip(1);
        (words.next() == Some(name)).then_some(())?;
        let (_, direction, text) = (words.next()?, words.next()?, words.next()?);
        (direction == ">").then(|| text.to_owned())
    });
    let sent: Vec<String> = sent.collect();
    let next = sent.windows(2).filter(|pair| pair[0].starts_with("go ponder wtime "));
    next.map(|pair| pair[1].clone()).collect()
}

/// The longest time of a move of an engine, in milliseconds.
fn slowest(games: &[GameRow], name: &str) -> f64 {
    let times = games.iter().flat_map(|game| {
        let first = usize::from(game.white != name);
        let times = game.times_ms.0.iter().skip(first).step_by(2);
        times.map(|time| time.0.unwrap_or(0.0)).collect::<Vec<f64>>()
    });
    times.fold(0.0, f64::max)
}

#[test]
fn an_expected_reply_is_a_ponderhit_and_the_time_begins_with_it() {
    let scratch = Scratch::new();
    let thinker = || engine("thinker", "ponder --ms 30").keys("ponder = true");
    let slow = || engine("slow", "late --ms 700");
    let (ponderings, log) = games(&scratch, "60", &[thinker(), slow()]);
    assert!(ponderings.iter().all(|game| game.fault.is_empty()), "{ponderings:?}");
    let answers = after_pondering(&log, "thinker");
    let hits = answers.iter().filter(|answer| *answer == "ponderhit").count();
    // Each game has six moves a side. The last search of a game is stopped.
    assert!(hits >= 8, "{answers:?}");
    assert_eq!(
        hits + answers.iter().filter(|answer| *answer == "stop").count(),
        answers.len()
    );
    assert!(slowest(&ponderings, "thinker") < 600.0, "{log}");
    assert!(slowest(&ponderings, "slow") >= 700.0);
    assert!(!after_pondering(&log, "slow").iter().any(|_| true), "{log}");
    // Another reply stops the search and begins a new one.
    let thinker = engine("thinker", "ponder-wrong --ms 30").keys("ponder = true");
    let (wrong, log) = games(&scratch, "60", &[thinker, engine("slow", "behave")]);
    let answers = after_pondering(&log, "thinker");
    let are_stopped = answers.iter().all(|answer| answer == "stop");
    assert!(answers.len() >= 8 && are_stopped, "{answers:?}");
    // The games are those of engines that do not ponder.
    let (plain, _) = games(&scratch, "60", &[engine("thinker", "behave"), engine("slow", "behave")]);
    let moves = |games: &[GameRow]| games.iter().map(|game| game.moves.clone()).collect::<Vec<_>>();
    assert_eq!(moves(&ponderings), moves(&plain));
    assert_eq!(moves(&wrong), moves(&plain));
}

#[test]
fn an_early_answer_is_ignored_and_a_search_that_goes_on_loses() {
    let scratch = Scratch::new();
    let early = engine("early", "ponder-early").keys("ponder = true");
    let (ponderings, log) = games(&scratch, "60", &[early, engine("other", "behave")]);
    assert!(ponderings.iter().all(|game| game.fault.is_empty()), "{log}");
    // It expects another reply than the one that comes, and does not hear the word that ends its search.
    let deaf = engine("deaf", "ponder-deaf").keys("ponder = true");
    let (lost, _) = games(&scratch, "0.5", &[deaf, engine("other", "behave")]);
    for game in &lost {
        assert_fault(game, "deaf", Termination::Stall, "sent no `bestmove` after `stop`");
    }
    let thinker = engine("thinker", "ponder").keys("ponder = true");
    scratch.write(
        "t.toml",
        &gauntlet("nodes = 100", &[thinker, engine("other", "behave")]),
    );
    let text = scratch.refused("run t.toml --out=none");
    assert!(text.contains("an engine that ponders needs a clock"), "{text}");
}
