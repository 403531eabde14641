//! The binary over UCI, driven like an interface or a match runner drives it.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use lmrlab_engine::bench;

fn project_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn binary() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lmrlab-engine"));
    command.current_dir(project_root());
    command
}

/// A running engine whose lines are read in the background, so that a test can wait for one with a deadline.
struct Session {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Session {
    fn start() -> Self {
        let mut child = binary().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self { child, input, lines }
    }

    fn say(&mut self, text: &str) {
        writeln!(self.input, "{text}").unwrap();
        self.input.flush().unwrap();
    }

    /// All lines up to the first that begins with `prefix`.
    fn until(&mut self, prefix: &str) -> Vec<String> {
        let mut heard = Vec::new();
        loop {
            let line = self
                .lines
                .recv_timeout(Duration::from_secs(20))
                .unwrap_or_else(|_| panic!("waiting for `{prefix}`, heard {heard:#?}"));
            let found = line.starts_with(prefix);
            heard.push(line);
            if found {
                return heard;
            }
        }
    }

    fn ask(&mut self, text: &str, prefix: &str) -> Vec<String> {
        self.say(text);
        self.until(prefix)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = writeln!(self.input, "quit");
        let deadline = Instant::now() + Duration::from_secs(5);
        while Instant::now() < deadline {
            if let Ok(Some(_)) = self.child.try_wait() {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        if !std::thread::panicking() {
            panic!("the engine did not quit");
        }
    }
}

#[test]
fn it_introduces_itself_with_its_options_and_the_parameters_of_every_policy() {
    let mut session = Session::start();
    let lines = session.ask("uci", "uciok");
    let has = |start: &str| lines.iter().any(|line| line.starts_with(start));
    assert!(has("id name lmrlab"));
    assert!(has("option name Hash type spin default 16 min 1 max"));
    assert!(has("option name Threads type spin default 1 min 1 max 1"));
    assert!(has("option name Policy type string default house"));
    assert!(has("option name Preset type string default standard"));
    assert!(has("option name Ordering type combo default preset var preset var own"));
    assert!(has("option name Search.null_move type check default true"));
    assert!(has(
        "option name Search.aspiration_window type spin default 15 min 0 max 1000"
    ));
    assert_eq!(session.ask("isready", "readyok").len(), 1);
    // fastchess and cutechess drop options that the engine has not named before they choose a policy.
    let named = |parameter: &str| {
        let start = format!("option name Policy.{parameter} type string default ");
        let mut found = lines.iter().filter_map(|line| line.strip_prefix(&start));
        let value = found.next().unwrap_or_else(|| panic!("{parameter}")).to_owned();
        assert_eq!(found.next(), None, "{parameter} is there twice");
        value
    };
    let mut count = 0;
    for entry in std::fs::read_dir(project_root().join("configs/policies")).unwrap() {
        let (policy, _) = lmrlab_policy::Policy::load(&entry.unwrap().path()).unwrap();
        for parameter in policy.parameters() {
            let value = named(&parameter.name);
            if policy.name() == "house" {
                assert_eq!(value, parameter.value.to_string());
            }
            count += 1;
        }
    }
    assert!(count > 50, "{count}");
    assert_eq!(named("w_king"), "<empty>");
    session.say("setoption name Policy value logarithm");
    session.say("setoption name Policy.divisor value 1.7");
    assert_eq!(session.ask("isready", "readyok").len(), 3);
    let refused = session.ask("setoption name Policy.w_king value 1", "info string error");
    assert!(refused.last().unwrap().contains("Policy.w_king"), "{refused:?}");
}

#[test]
fn an_infinite_search_waits_for_stop_and_stays_polite() {
    let mut session = Session::start();
    // So simple that every depth is searched at once.
    session.say("position fen 7k/8/8/8/8/8/p7/K7 w - - 0 1");
    session.say("go infinite");
    session.ask("isready", "readyok");
    let refused = session.ask("setoption name Hash value 1", "info string error: a search is running");
    assert!(refused.iter().all(|line| !line.starts_with("bestmove")));
    std::thread::sleep(Duration::from_millis(100));
    let lines = session.ask("stop", "bestmove");
    assert!(lines.last().unwrap().starts_with("bestmove"));
    // A stop without a search says nothing.
    session.say("stop");
    assert_eq!(session.ask("isready", "readyok").len(), 1);
}

#[test]
fn chess960_castles_by_the_rook() {
    let mut engine = Session::start();
    let fen = "1rk3r1/1p4p1/8/8/8/8/1P4P1/1RK3R1 w GBgb - 0 1";
    engine.say("setoption name UCI_Chess960 value true");
    engine.say(&format!("position fen {fen}"));
    let heard = engine.ask("go depth 2 searchmoves c1g1", "bestmove");
    assert_eq!(heard.last().unwrap(), "bestmove c1g1");
    assert!(heard.iter().any(|line| line.contains(" pv c1g1")));
    engine.say(&format!("position fen {fen} moves c1g1"));
    let heard = engine.ask("go depth 2 searchmoves c8b8", "bestmove");
    assert_eq!(heard.last().unwrap(), "bestmove c8b8");
    // X-FEN: White castles with the inner rook.
    engine.say("position fen 4k3/8/8/8/8/8/8/4K1RR w G - 0 1");
    let heard = engine.ask("go depth 2 searchmoves e1g1", "bestmove");
    assert_eq!(heard.last().unwrap(), "bestmove e1g1");
    let refused = engine.ask("setoption name UCI_Chess960 value yes", "info string error");
    assert!(refused.last().unwrap().contains("`yes` is not true or false"));
}

#[test]
fn a_refused_position_is_never_searched() {
    let mut session = Session::start();
    for wrong in [
        "position startpos moves e2e5",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen 7k/8/8/8/8/8/8/K7 w KQkq - 0 1",
        "position fen",
        "position",
    ] {
        session.say("position startpos moves e2e4");
        let refused = session.ask(wrong, "info string error: position: ");
        assert_eq!(refused.len(), 1, "{wrong}");
        session.say("ucinewgame");
        for go in ["go depth 3", "go infinite"] {
            let lines = session.ask(go, "bestmove");
            assert!(
                lines[0].starts_with("info string error: go: there is no position"),
                "{lines:?}"
            );
            assert_eq!(lines[1..], ["bestmove 0000"], "{wrong}");
        }
    }
    // Its counters are no reason to refuse a position, and the next good one is searched.
    session.say("position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 0");
    let lines = session.ask("go depth 3", "bestmove");
    assert_eq!(lines.last().unwrap(), "bestmove d1d8");
}

#[test]
fn every_go_has_its_answer() {
    let mut session = Session::start();
    session.say("position startpos");
    for go in [
        "go movetime 30",
        "go wtime 200 btime 200",
        "go wtime 200 btime 200 winc 10 binc 10 movestogo 5",
        "go depth 40 nodes 3000 movetime 5000",
        "go depth 3 foo",
        "go foo depth x",
        "go nodes",
        "go depth -5",
        "go movetime -5",
        "go nodes 99999999999999999999999 depth 99999999999999999999999 movetime 1",
        "go searchmoves e2e5 e2e4 depth 2",
        "hello go depth 2",
    ] {
        let lines = session.ask(go, "bestmove ");
        assert_ne!(lines.last().unwrap(), "bestmove 0000", "{go}: {lines:?}");
    }
    let lines = session.ask("go searchmoves e2e4 depth 2", "bestmove ");
    assert_eq!(lines.last().unwrap(), "bestmove e2e4");
    let info = &lines[lines.len() - 2];
    for word in ["depth 2", "seldepth", "score cp", "nodes", "nps", "time", "pv e2e4"] {
        assert!(info.contains(word), "{info}");
    }
    let lines = session.ask("go searchmoves e2e5 e7e5 depth 2", "bestmove ");
    assert_eq!(lines.last().unwrap(), "bestmove 0000");
    // A second search ends the first one.
    session.say("go infinite");
    session.say("go depth 2");
    session.until("bestmove ");
    session.until("bestmove ");
    assert_eq!(session.ask("isready", "readyok").len(), 1);
}

#[test]
fn pondering_ends_with_one_answer() {
    let mut session = Session::start();
    session.say("position startpos");
    for end in ["ponderhit", "stop"] {
        session.say("go ponder nodes 2000");
        std::thread::sleep(Duration::from_millis(50));
        let before = session.ask("isready", "readyok");
        assert!(before.iter().all(|line| !line.starts_with("bestmove")));
        session.ask(end, "bestmove ");
        // Neither ends anything twice.
        session.say("ponderhit");
        session.say("stop");
        assert_eq!(session.ask("isready", "readyok").len(), 1);
    }
}

/// The length of the address space is limited by `ulimit`, which only a shell can set.
#[cfg(target_os = "linux")]
#[test]
fn a_table_that_does_not_fit_leaves_the_old_one() {
    let engine = env!("CARGO_BIN_EXE_lmrlab-engine");
    let commands = "position startpos\\nsetoption name Hash value 4000\\nisready\\ngo nodes 10\\n";
    let script = format!("ulimit -v 1500000; printf '{commands}' | '{engine}'");
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    let refusal = "info string error: there is no memory for a transposition table of 4000 MiB";
    assert!(text.starts_with(refusal), "{text}");
    assert!(text.contains("the table stays at 16 MiB\nreadyok\n"), "{text}");
    assert!(text.lines().last().unwrap().starts_with("bestmove "), "{text}");
}

/// Linux has a device that is always full.
#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_reported() {
    for arguments in [&["bench", "1"][..], &["--help"], &[]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = binary();
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(full)
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(b"isready\n");
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.starts_with("error: cannot write to standard output: "), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[test]
fn a_reader_that_has_gone_ends_the_engine_quietly() {
    let mut command = binary();
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    // The input stays open.
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"isready\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(output.stderr, b"");
}

#[test]
fn mated_and_stalemated_sides_answer_with_no_move() {
    let mut session = Session::start();
    session.say("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    let lines = session.ask("go depth 5", "bestmove");
    assert_eq!(lines, ["info depth 0 score mate 0", "bestmove 0000"]);
    session.say("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    let lines = session.ask("go depth 5", "bestmove");
    assert_eq!(lines, ["info depth 0 score cp 0", "bestmove 0000"]);
}

#[test]
fn wrong_input_is_answered_and_changes_nothing() {
    let mut session = Session::start();
    session.say("position startpos moves e2e4");
    let mut answers = String::new();
    for wrong in [
        "setoption name Hash value 0",
        "setoption name Hash value many",
        "setoption name Threads value 2",
        "setoption name Polcy value none",
        "setoption name Policy value mediocre-2008",
        "setoption name Preset value standrad",
        "setoption name Ordering value both",
        "setoption name Search.nul_move value true",
        "setoption name Search.null_move_reduction value 99",
        "xyzzy",
    ] {
        session.say(wrong);
        let lines = session.ask("isready", "readyok");
        assert!(lines.len() > 1, "no answer to `{wrong}`");
        answers.push_str(&format!("> {wrong}\n"));
        for line in &lines[..lines.len() - 1] {
            // The list of policies grows; what comes before it does not.
            let line = line.split(" the policies are:").next().unwrap_or(line);
            answers.push_str(line.trim_end());
            answers.push('\n');
        }
    }
    insta::assert_snapshot!(answers);
    // Black is still to move after e2e4.
    let lines = session.ask("go depth 2", "bestmove");
    let best = lines.last().unwrap().split(' ').nth(1).unwrap();
    assert!(matches!(best.as_bytes()[1], b'7' | b'8'), "{best}");
}

#[test]
fn the_preset_says_who_orders_quiet_moves_and_the_option_overrides_it() {
    let nodes = |options: &[&str]| {
        let mut session = Session::start();
        session.say("setoption name Policy value madchess-2.0");
        for option in options {
            session.say(&format!("setoption name {option}"));
        }
        session.say("position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
        let lines = session.ask("go depth 6", "bestmove");
        let words = lines[lines.len() - 2].split(' ').skip_while(|word| *word != "nodes");
        words.skip(1).map(|word| word.parse::<u64>().unwrap()).next()
    };
    let (own, preset) = ("Ordering value own", "Ordering value preset");
    assert_eq!(nodes(&[]), nodes(&[preset]));
    assert_ne!(nodes(&[]), nodes(&[own]));
    let era = "Preset value madchess-2015";
    assert_eq!(nodes(&[era]), nodes(&[era, own]));
    assert_ne!(nodes(&[era]), nodes(&[era, preset]));
}

#[test]
fn bytes_that_are_no_text_are_survived() {
    let mut child = binary().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut noise: Vec<u8> = (0..20_000u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    // The commands before the end of the input are carried out.
    noise.extend_from_slice(b"\nisready\nposition startpos\ngo depth 5");
    child.stdin.take().unwrap().write_all(&noise).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("readyok") && said.contains("bestmove"),
        "{said}"
    );
}

#[test]
fn the_bench_is_a_fingerprint() {
    let output = binary().arg("bench").output().unwrap();
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).unwrap();
    let words: Vec<&str> = printed.split_whitespace().collect();
    assert!(matches!(words[..], [_, "nodes", _, "nps"]), "{printed}");
    assert_eq!(
        words[0],
        bench::FINGERPRINT.to_string(),
        "the search has changed: write the new fingerprint into crates/engine/src/bench.rs"
    );
}

/// OpenBench sends the options of its form, or a policy and the values of a tune, to an engine without files.
#[test]
fn options_do_what_the_words_of_the_command_line_do() {
    let nowhere = tempfile::tempdir().unwrap();
    let nodes = |words: &[&str], options: &[&str]| {
        let mut child = binary()
            .current_dir(nowhere.path())
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        for option in options {
            let (name, value) = option.split_once('=').unwrap();
            writeln!(input, "setoption name {name} value {value}").unwrap();
        }
        writeln!(input, "bench 5\nquit").unwrap();
        let said = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
        assert!(!said.contains("error"), "{said}");
        let mut lines = said.lines();
        lines
            .find_map(|line| line.split_once(" nodes ")?.0.parse::<u64>().ok())
            .unwrap()
    };
    let (policy, preset) = ("ethereal@base=0.9,divisor=1.7", "standard@null_move_eval_divisor=240");
    let wanted = nodes(&["--policy", policy, "--preset", preset], &[]);
    let options = [&format!("Preset={preset}")[..], &format!("Policy={policy}")];
    assert_eq!(nodes(&[], &["Threads=1", "Hash=16", options[0], options[1]]), wanted);
    let tuned = [
        "Policy.base=0.9",
        "Policy.divisor=1.7",
        "Search.null_move_eval_divisor=240",
    ];
    assert_eq!(nodes(&[], &[&["Policy=ethereal"], &tuned[..]].concat()), wanted);
    assert_ne!(nodes(&[], &["Policy=ethereal"]), wanted);
}

#[test]
fn wrong_arguments_end_with_status_2() {
    for arguments in [
        &["--policy", "no-such-policy", "bench"][..],
        &["--preset", "no-such-preset", "bench"],
        &["bench", "0"],
        &["frobnicate"],
    ] {
        let output = binary().args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!output.stderr.is_empty());
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn policies_and_presets_are_built_in() {
    let nowhere = tempfile::tempdir().unwrap();
    let bench = |folder: &Path, policy: &str| {
        let mut command = binary();
        command.current_dir(folder);
        let output = command
            .args(["--policy", policy, "--preset", "minimal", "bench", "3"])
            .output();
        let output = output.unwrap();
        let answered = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
        answered.split(" nodes").next().unwrap().to_owned()
    };
    let nodes = bench(&project_root(), "mediocre-2007");
    assert!(nodes.parse::<u64>().is_ok_and(|nodes| nodes > 0), "{nodes}");
    for policy in ["mediocre-2007", "configs/policies/mediocre-2007.toml"] {
        assert_eq!(bench(nowhere.path(), policy), nodes, "{policy}");
    }
    let unknown = bench(nowhere.path(), "mediocre-2008");
    assert!(unknown.contains("did you mean `mediocre-2007`?"), "{unknown}");
}
