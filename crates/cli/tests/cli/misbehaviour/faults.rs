//! Every fault loses its game, is named, and disturbs no other game.

use std::fs;

use lmrlab_results::game_end::Termination;

use super::trouble::{assert_fault, engine, gauntlet, of, play};
use crate::scratch::Scratch;

/// The habit of an engine, how its games end, and what it is said to have done.
const FAULTS: &[&str] = &[
    "crash-at-start; crash; exited with status 3, last error line `cannot find my network`",
    "crash-at-uci; crash; exited with status 4",
    "crash-at-isready; crash; exited with status 5",
    "crash-in-search; crash; exited with status 7",
    "abort-in-search; crash; was killed by signal 6",
    "leave-child; crash; exited with status 8",
    "close-output; crash; closed its output without exiting",
    "hang-at-start; stall; sent no `uciok` within 300 ms",
    "never-uciok; stall; sent no `uciok` within 300 ms",
    "hang-at-isready; stall; sent no `readyok` within 300 ms",
    "hang-in-search; stall; sent no `bestmove` within 300 ms, nor within 200 ms after `stop`",
    "hang-but-stop; stall; sent no `bestmove` within 300 ms, only after `stop`",
    "stop-itself; stall; sent no `bestmove` within 300 ms, nor within 200 ms after `stop`",
    "endless-info; stall; sent no `bestmove` within 300 ms, nor within 200 ms after `stop`",
    "no-newline; stall; sent no `bestmove` within 300 ms, nor within 200 ms after `stop`",
    "late --ms 60000; stall; sent no `bestmove` within 300 ms, nor within 200 ms after `stop`",
    "illegal-move; illegal_move; chose the illegal move `a1a1`",
    "malformed-move; illegal_move; chose the illegal move `castle-long!`",
    "invalid-utf8-move; illegal_move; chose the illegal move `",
    "stuck-move; illegal_move; now illegal, and then sent no `bestmove`",
    "null-move; no_move; `0000` although it has legal moves",
    "none-move; no_move; `(none)` although it has legal moves",
    "empty-move; no_move; sent `bestmove` without a move although it has legal moves",
];

/// Unusual, but nothing that keeps a game from going on. An answer is repeated within the next search, early and when the
/// runner trusts the process.
const ODDITIES: [&str; 10] = [
    "crlf",
    "split-lines",
    "long-line",
    "invalid-utf8-info",
    "answer-twice",
    "repeat-last-answer",
    "repeat-last-answer --search 10",
    "fill-errors",
    "chatter-when-idle",
    "ignore-quit",
];

#[test]
fn every_fault_is_scored_and_named_and_disturbs_no_other_game() {
    let faults: Vec<[&str; 3]> = FAULTS
        .iter()
        .map(|line| {
            let parts: Vec<&str> = line.splitn(3, "; ").collect();
            parts.try_into().unwrap()
        })
        .collect();
    let patient = "deadlines = { answer_ms = 60000 }";
    let scratch = Scratch::new();
    let once = |name: &str| scratch.path(name).display().to_string();
    let tame = || engine("tame", "behave");
    let hub = || engine("hub", "behave").keys(patient);
    let mut engines = vec![hub(), tame().keys(patient)];
    for [words, termination, what] in &faults {
        let starts_badly = what.contains("uciok") || what.contains("readyok");
        let keys = match *termination {
            "stall" if starts_badly => "deadlines = { start_ms = 300, ready_ms = 300 }",
            "stall" if what.contains("only") => "deadlines = { answer_ms = 300, late_ms = 20000 }",
            "stall" => "deadlines = { answer_ms = 300 }",
            _ if what.contains("now illegal") => "deadlines = { answer_ms = 300 }",
            _ => patient,
        };
        // The first handshake goes well, and nothing after it.
        let at_start = starts_badly || words.starts_with("crash-at");
        let arguments = match at_start {
            true => format!("{words} --after {}", once(words)),
            false => (*words).to_owned(),
        };
        engines.push(engine(words, &arguments).keys(keys));
    }
    for words in ODDITIES {
        engines.push(engine(words, words).keys(patient));
    }
    for habit in ["flood-output", "flood-errors"] {
        let file = once(habit);
        engines.push(engine(habit, &format!("{habit} --once {file}")).keys(patient));
    }
    let games = play(&scratch, &gauntlet("nodes = 100", &engines));
    assert_eq!(games.len(), 2 * (engines.len() - 1));
    for [name, termination, what] in faults {
        for game in of(&games, name) {
            assert_eq!(game.termination.name(), termination, "{name}: {}", game.fault);
            assert_fault(game, name, game.termination, what);
            let at_start = what.contains("uciok") || what.contains("readyok") || name.starts_with("crash-at");
            let go = if at_start { "" } else { "go nodes 100" };
            assert_eq!(game.fault_go, go, "{name}");
        }
    }
    let undisturbed = ["tame", "flood-output", "flood-errors"];
    for name in ODDITIES.into_iter().chain(undisturbed) {
        for game in of(&games, name) {
            assert_eq!(game.fault, "", "{name}");
            assert_eq!(game.termination, Termination::MoveLimit, "{name}");
        }
    }
    let pgn = scratch.read("out/games.pgn");
    for remark in [
        "[Termination \"abandoned\"]",
        "[Termination \"rules infraction\"]",
        "White disconnects}",
        "Black's connection stalls}",
        "White makes an illegal move}",
    ] {
        assert!(pgn.contains(remark), "{remark}");
    }
    // The same game without the others around it.
    let alone = play(&scratch, &gauntlet("nodes = 100", &[hub(), tame().keys(patient)]));
    assert_eq!(of(&games, "tame"), alone.iter().collect::<Vec<_>>());
}

#[test]
fn a_late_answer_is_not_the_answer_to_the_next_question() {
    let scratch = Scratch::new();
    let file = scratch.path("late").display().to_string();
    let late = |ms: u32| engine("late", &format!("late --ms {ms} --once {file}"));
    let patience = "deadlines = { answer_ms = 60000, late_ms = 20000 }";
    for (limit, keys, termination) in [
        (
            "nodes = 100",
            "deadlines = { answer_ms = 400, late_ms = 20000 }",
            Termination::Stall,
        ),
        ("move_time_ms = 300", patience, Termination::TimeForfeit),
        ("tc = \"0.4+0.1\"", patience, Termination::TimeForfeit),
    ] {
        let _ = fs::remove_file(scratch.path("late"));
        let engines = [
            engine("hub", "behave").keys("time_margin_ms = 60000"),
            late(900).keys(keys),
        ];
        let games = play(&scratch, &gauntlet(limit, &engines));
        assert_fault(&games[0], "late", termination, "");
        assert!(games[0].fault_go.starts_with("go "), "{}", games[0].fault_go);
        // The process has lived on, and plays the next game from the first move to the last.
        assert_eq!(
            games[1].termination,
            Termination::MoveLimit,
            "{limit}: {}",
            games[1].fault
        );
    }
}

#[test]
fn a_margin_forgives() {
    let scratch = Scratch::new();
    let engines = [
        engine("hub", "behave").keys("time_margin_ms = 60000"),
        engine("slow", "late --ms 60 --search 1").keys("time_margin_ms = 60000"),
    ];
    let games = play(&scratch, &gauntlet("tc = \"0.05\"", &engines));
    for game in &games {
        assert_eq!(game.termination, Termination::MoveLimit, "{}", game.fault);
        assert_eq!(game.times_ms.0.len() as u64, game.plies);
        let slow = usize::from(game.black == "slow");
        let side = if game.first_to_move() == cozy_chess::Color::White {
            slow
        } else {
            1 - slow
        };
        // A busy machine can start its clock late, but not before every move.
        let mut times = game.times_ms.0.iter().skip(side).step_by(2);
        assert!(times.any(|time| time.0.unwrap() >= 60.0), "{:?}", game.times_ms);
    }
}

#[test]
fn an_engine_that_crashes_between_games_is_restarted() {
    let scratch = Scratch::new();
    let engines = [engine("hub", "behave"), engine("shaky", "crash-at-newgame --game 2")];
    let text = gauntlet("nodes = 100", &engines)
        .replace("pairs = 1", "pairs = 3")
        .replace("threads = 8", "threads = 1");
    let games = play(&scratch, &text);
    let ends: Vec<_> = games.iter().map(|game| game.termination).collect();
    use Termination::{Crash, MoveLimit};
    assert_eq!(ends, [MoveLimit, Crash, MoveLimit, Crash, MoveLimit, Crash]);
}
