//! Engines that do what no engine should: the tournament ends by itself, the fault is scored and named, no process is
//! left, and no other game is disturbed.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]
#![cfg(target_os = "linux")]

mod scratch;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use lmrlab_runner::record::journal::GameRow;
use lmrlab_runner::tournament::game::{GameResult, Termination};
use scratch::Scratch;

/// One engine of a tournament file.
struct Engine {
    name: String,
    args: Vec<String>,
    keys: String,
}

fn engine(name: &str, words: &str) -> Engine {
    Engine {
        name: name.to_owned(),
        args: words.split_whitespace().map(str::to_owned).collect(),
        keys: String::new(),
    }
}

impl Engine {
    fn keys(mut self, keys: &str) -> Self {
        self.keys = keys.to_owned();
        self
    }
}

/// A gauntlet of the first engine against all others, a pair each.
fn gauntlet(limit: &str, engines: &[Engine]) -> String {
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
            env!("CARGO_BIN_EXE_misbehaving-engine"),
            engine.args,
            engine.keys
        ));
    }
    text
}

/// Processes that have this in their environment.
fn with_mark(mark: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
        if environment
            .windows(mark.len())
            .any(|part| part == mark.as_bytes())
        {
            let command = fs::read_to_string(entry.path().join("cmdline")).unwrap_or_default();
            found.push(command.replace('\0', " "));
        }
    }
    found
}

/// No process of this mark is there, or will be soon.
fn assert_nothing_left(mark: &str) {
    let begun = Instant::now();
    while !with_mark(mark).is_empty() {
        assert!(
            begun.elapsed() < Duration::from_secs(5),
            "left: {:?}",
            with_mark(mark)
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn play(scratch: &Scratch, text: &str) -> Vec<GameRow> {
    scratch.write("trouble.toml", text);
    let mark = format!("LMRLAB_TEST_RUN={}", scratch.path("").display());
    let output = scratch
        .lmrlab(&["run", "trouble.toml", "--quiet", "--force", "--out", "out"])
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

fn of<'g>(games: &'g [GameRow], name: &str) -> Vec<&'g GameRow> {
    games
        .iter()
        .filter(|game| game.white == name || game.black == name)
        .collect()
}

/// The game was lost by `name` for this reason, and says what it was asked.
fn assert_fault(game: &GameRow, name: &str, termination: Termination, what: &str) {
    assert_eq!(game.termination, termination, "{name}: {}", game.fault);
    let lost = if game.white == name {
        GameResult::BlackWins
    } else {
        GameResult::WhiteWins
    };
    assert_eq!(game.result, lost, "{name}");
    assert!(game.fault.contains(what), "{name}: {}", game.fault);
}

#[test]
fn every_fault_is_scored_and_named_and_disturbs_nobody() {
    use Termination::{Crash, IllegalMove, NoMove, Stall};
    let faults = [
        (
            "crash-at-start",
            "crash-at-start",
            Crash,
            "exited with status 3, saying `cannot find my network`",
        ),
        (
            "crash-at-uci",
            "crash-at-uci",
            Crash,
            "exited with status 4",
        ),
        (
            "crash-at-isready",
            "crash-at-isready",
            Crash,
            "exited with status 5",
        ),
        (
            "crash-in-search",
            "crash-in-search",
            Crash,
            "exited with status 7",
        ),
        (
            "abort-in-search",
            "abort-in-search",
            Crash,
            "was killed by signal 6",
        ),
        ("leave-child", "leave-child", Crash, "exited with status 8"),
        (
            "close-output",
            "close-output",
            Crash,
            "closed its output without ending",
        ),
        (
            "hang-at-start",
            "hang-at-start",
            Stall,
            "did not say `uciok` within 300 ms",
        ),
        (
            "never-uciok",
            "never-uciok",
            Stall,
            "did not say `uciok` within 300 ms",
        ),
        (
            "hang-at-isready",
            "hang-at-isready",
            Stall,
            "did not say `readyok` within 300 ms",
        ),
        (
            "hang-in-search",
            "hang-in-search",
            Stall,
            "did not answer within 300 ms",
        ),
        (
            "hang-but-stop",
            "hang-but-stop",
            Stall,
            "did not answer within 300 ms, only when told to stop",
        ),
        (
            "stop-itself",
            "stop-itself",
            Stall,
            "did not answer within 300 ms",
        ),
        (
            "endless-info",
            "endless-info",
            Stall,
            "did not answer within 300 ms",
        ),
        (
            "no-newline",
            "no-newline",
            Stall,
            "did not answer within 300 ms",
        ),
        (
            "ignore-input",
            "ignore-input",
            Stall,
            "did not answer within 300 ms",
        ),
        (
            "late-a-lot",
            "late --ms 60000",
            Stall,
            "did not answer within 300 ms",
        ),
        (
            "illegal-move",
            "illegal-move",
            IllegalMove,
            "answered `a1a1`",
        ),
        (
            "malformed-move",
            "malformed-move",
            IllegalMove,
            "answered `castle-long!`",
        ),
        (
            "invalid-utf8-move",
            "invalid-utf8-move",
            IllegalMove,
            "answered `",
        ),
        (
            "stuck-move",
            "stuck-move",
            IllegalMove,
            "once more, which is no legal move",
        ),
        (
            "null-move",
            "null-move",
            NoMove,
            "`0000` although there are moves",
        ),
        (
            "none-move",
            "none-move",
            NoMove,
            "`(none)` although there are moves",
        ),
        ("empty-move", "empty-move", NoMove, "answered `bestmove`"),
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
            IllegalMove if what.contains("once more") => "deadlines = { answer_ms = 300 }",
            _ => patient,
        };
        engines.push(engine(name, words).keys(keys));
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
            let at_start =
                what.contains("uciok") || what.contains("readyok") || name.starts_with("crash-at");
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
    let alone = play(
        &scratch,
        &gauntlet("nodes = 100", &[hub(), tame().keys(patient)]),
    );
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
        assert!(
            games[0].fault_go.starts_with("go "),
            "{}",
            games[0].fault_go
        );
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
        for time in game.times_ms.0.iter().skip(side).step_by(2) {
            assert!(time.0.unwrap() >= 60.0, "{:?}", game.times_ms);
        }
    }
}

#[test]
fn who_crashes_between_games_is_started_again() {
    let scratch = Scratch::new();
    let engines = [
        engine("hub", "behave"),
        engine("shaky", "crash-at-newgame --game 2"),
    ];
    let text = gauntlet("nodes = 100", &engines)
        .replace("pairs = 1", "pairs = 3")
        .replace("threads = 8", "threads = 1");
    let games = play(&scratch, &text);
    let ends: Vec<_> = games.iter().map(|game| game.termination).collect();
    use Termination::{Crash, MoveLimit};
    assert_eq!(ends, [MoveLimit, Crash, MoveLimit, Crash, MoveLimit, Crash]);
}

#[test]
fn engines_end_with_a_run_that_is_killed() {
    let scratch = Scratch::new();
    let engines = [
        engine("hub", "behave"),
        engine("deaf", "ignore-quit --search 1"),
        engine("hung", "hang-in-search"),
    ];
    let text = gauntlet("nodes = 100", &engines)
        .replace("pairs = 1", "pairs = 100000")
        .replace("answer_ms = 1500", "answer_ms = 60000");
    scratch.write("trouble.toml", &text);
    let mark = format!("LMRLAB_TEST_RUN={}", scratch.path("").display());
    // Killed while its engines are being started, at one moment and another, and when they all are there.
    for processes in [3, 4, 5, 6, 7, 8, 10, 12] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_lmrlab"))
            .current_dir(scratch.path("."))
            .args(["run", "trouble.toml", "--quiet", "--force", "--out", "out"])
            .env("LMRLAB_TEST_RUN", scratch.path(""))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let begun = Instant::now();
        while with_mark(&mark).len() < processes {
            assert!(begun.elapsed() < Duration::from_secs(20));
            std::thread::sleep(Duration::from_micros(500));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert_nothing_left(&mark);
    }
}

/// What `lmrlab start-engine` prints for this command and this input.
fn started(command: &[&str], input: &'static str) -> (String, String) {
    let output = assert_cmd::Command::new(env!("CARGO_BIN_EXE_lmrlab"))
        .arg("start-engine")
        .args(command)
        .write_stdin(input)
        .timeout(Duration::from_secs(20))
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

#[test]
fn an_engine_starts_only_once_the_guard_knows_of_it() {
    // What follows the byte is the engine's, to the last line.
    let (told, errors) = started(&["cat", "-u"], "\nuci\nisready\n");
    assert_eq!((&*told, &*errors), ("uci\nisready\n", ""));
    // The run has ended before it said that the guard knows.
    let (told, errors) = started(&["echo", "here"], "");
    assert_eq!((&*told, &*errors), ("", ""));
}

#[test]
fn who_is_no_program_is_named_with_the_reason() {
    let scratch = Scratch::new();
    let file = scratch.path("engine.sh");
    fs::write(&file, "#!/nowhere/interpreter\n").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    let text = gauntlet(
        "nodes = 100",
        &[engine("hub", "behave"), engine("text", "behave")],
    )
    .replacen(
        &format!(
            "name = \"text\"\ncommand = {:?}",
            env!("CARGO_BIN_EXE_misbehaving-engine")
        ),
        &format!("name = \"text\"\ncommand = {file:?}"),
        1,
    );
    for game in play(&scratch, &text) {
        assert_fault(&game, "text", Termination::Crash, "could not start `");
        assert!(
            game.fault.contains("No such file or directory"),
            "{}",
            game.fault
        );
    }
}

#[test]
fn engines_of_both_kinds_on_any_number_of_threads_play_the_same_games() {
    let scratch = Scratch::new();
    let text = gauntlet("nodes = 300", &[engine("hub", "behave")])
        .replace("pairs = 1", "pairs = 4")
        + "[[engine]]\npolicy = \"none\"\n[[engine]]\nname = \"second\"\npolicy = \"micromax-4\"\nlimit = { nodes = 150 }\n";
    let mut journals = Vec::new();
    for threads in ["1", "2", "8"] {
        play(
            &scratch,
            &text.replace("threads = 8", &format!("threads = {threads}")),
        );
        journals.push(scratch.read("out/games.csv"));
    }
    assert_eq!(journals[0], journals[1]);
    assert_eq!(journals[0], journals[2]);
    // And the move list that is sent makes no difference to an engine that looks at the position alone.
    let rebased = text.replace(
        "[[engine]]\nname = \"hub\"\n",
        "[[engine]]\nname = \"hub\"\nmove_list = \"rebased\"\nrestart = \"game\"\n",
    );
    assert_ne!(rebased, text);
    play(&scratch, &rebased);
    assert_eq!(scratch.read("out/games.csv"), journals[0]);
}
