//! Every fault loses its game, is named, and disturbs no other game.

use std::fs;

use lmrlab_results::game_end::Termination;

use super::trouble::{assert_fault, engine, gauntlet, of, play};
use crate::scratch::Scratch;

#[test]
fn every_fault_is_scored_and_named_and_disturbs_no_other_game() {
    use Termination::{Crash, IllegalMove, NoMove, Stall};
    let faults = [
        (
            "crash-at-start",
            "crash-at-start",
            Crash,
            "exited with status 3, last error line `cannot find my network`",
        ),
        ("crash-at-uci", "crash-at-uci", Crash, "exited with status 4"),
        ("crash-at-isready", "crash-at-isready", Crash, "exited with status 5"),
        ("crash-in-search", "crash-in-search", Crash, "exited with status 7"),
        ("abort-in-search", "abort-in-search", Crash, "was killed by signal 6"),
        ("leave-child", "leave-child", Crash, "exited with status 8"),
        (
            "close-output",
            "close-output",
            Crash,
            "closed its output without exiting",
        ),
        ("hang-at-start", "hang-at-start", Stall, "sent no `uciok` within 300 ms"),
        ("never-uciok", "never-uciok", Stall, "sent no `uciok` within 300 ms"),
        (
            "hang-at-isready",
            "hang-at-isready",
            Stall,
            "sent no `readyok` within 300 ms",
        ),
        (
            "hang-in-search",
            "hang-in-search",
            Stall,
            "sent no `bestmove` within 300 ms, nor within 200 ms after `stop`",
        ),
        (
            "hang-but-stop",
            "hang-but-stop",
            Stall,
            "sent no `bestmove` within 300 ms, only after `stop`",
        ),
        (
            "stop-itself",
            "stop-itself",
            Stall,
            "sent no `bestmove` within 300 ms, nor within 200 ms after `stop`",
        ),
        (
            "endless-info",
            "endless-info",
            Stall,
            "sent no `bestmove` within 300 ms, nor within 200 ms after `stop`",
        ),
        (
            "no-newline",
            "no-newline",
            Stall,
            "sent no `bestmove` within 300 ms, nor within 200 ms after `stop`",
        ),
        (
            "ignore-input",
            "ignore-input",
            Stall,
            "sent no `bestmove` within 300 ms, nor within 200 ms after `stop`",
        ),
        (
            "late-a-lot",
            "late --ms 60000",
            Stall,
            "sent no `bestmove` within 300 ms, nor within 200 ms after `stop`",
        ),
        (
            "illegal-move",
            "illegal-move",
            IllegalMove,
            "chose the illegal move `a1a1`",
        ),
        (
            "malformed-move",
            "malformed-move",
            IllegalMove,
            "chose the illegal move `castle-long!`",
        ),
        (
            "invalid-utf8-move",
            "invalid-utf8-move",
            IllegalMove,
            "chose the illegal move `",
        ),
        (
            "stuck-move",
            "stuck-move",
            IllegalMove,
            "now illegal, and then sent no `bestmove`",
        ),
        ("null-move", "null-move", NoMove, "`0000` although it has legal moves"),
        ("none-move", "none-move", NoMove, "`(none)` although it has legal moves"),
        (
            "empty-move",
            "empty-move",
            NoMove,
            "sent `bestmove` without a move although it has legal moves",
        ),
    ];
    // Unusual, but nothing that keeps a game from going on.
    let oddities = [
        ("crlf", "crlf"),
        ("split-lines", "split-lines"),
        ("long-line", "long-line"),
        ("invalid-utf8-info", "invalid-utf8-info"),
        ("answer-twice", "answer-twice"),
        // Within the next search, early and when the runner trusts the process.
        ("repeat-last-answer", "repeat-last-answer"),
        ("repeat-late", "repeat-last-answer --search 10"),
        ("fill-errors", "fill-errors"),
        ("chatter-when-idle", "chatter-when-idle"),
        ("ignore-quit", "ignore-quit"),
    ];
    let patient = "deadlines = { answer_ms = 60000 }";
    let scratch = Scratch::new();
    let once = |name: &str| scratch.path(name).display().to_string();
    let tame = || engine("tame", "behave");
    let hub = || engine("hub", "behave").keys(patient);
    let mut engines = vec![hub(), tame().keys(patient)];
    for (name, words, termination, what) in faults {
        let starts_badly = what.contains("uciok") || what.contains("readyok");
        let keys = match termination {
            Stall if starts_badly => "deadlines = { start_ms = 300, ready_ms = 300 }",
            Stall if what.contains("only") => "deadlines = { answer_ms = 300, late_ms = 20000 }",
            Stall => "deadlines = { answer_ms = 300 }",
            IllegalMove if what.contains("now illegal") => "deadlines = { answer_ms = 300 }",
            _ => patient,
        };
        // The first handshake goes well, and nothing after it.
        let at_start = starts_badly || name.starts_with("crash-at");
        let words = match at_start {
            true => format!("{words} --after {}", once(name)),
            false => words.to_owned(),
        };
        engines.push(engine(name, &words).keys(keys));
    }
    for (name, words) in oddities {
        engines.push(engine(name, words).keys(patient));
    }
    for habit in ["flood-output", "flood-errors"] {
        let file = once(habit);
        engines.push(engine(habit, &format!("{habit} --once {file}")).keys(patient));
    }
    let games = play(&scratch, &gauntlet("nodes = 100", &engines));
    assert_eq!(games.len(), 2 * (engines.len() - 1));
    for (name, _, termination, what) in faults {
        for game in of(&games, name) {
            assert_fault(game, name, termination, what);
            let at_start = what.contains("uciok") || what.contains("readyok") || name.starts_with("crash-at");
            let go = if at_start { "" } else { "go nodes 100" };
            assert_eq!(game.fault_go, go, "{name}");
        }
    }
    let undisturbed = ["tame", "flood-output", "flood-errors"];
    for name in oddities.iter().map(|(name, _)| *name).chain(undisturbed) {
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
