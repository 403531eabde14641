//! The first handshake: an engine that does not get through it ends the command before anything is written, and odd options
//! are named.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::processes::assert_nothing_left;
use super::trouble::{Engine, engine, gauntlet};
use crate::scratch::{Arguments, Scratch, misbehaving_engine};

/// What a command says that must not play, write or leave anything.
fn refused(scratch: &Scratch, arguments: impl Arguments) -> String {
    let mark = format!("LMRLAB_TEST_RUN={}", scratch.path("").display());
    let before = scratch.files();
    let output = scratch
        .lmrlab(arguments)
        .env("LMRLAB_TEST_RUN", scratch.path(""))
        .assert()
        .code(2)
        .get_output()
        .clone();
    assert_eq!(scratch.files(), before);
    assert!(output.stdout.is_empty(), "{output:?}");
    assert_nothing_left(&mark);
    String::from_utf8(output.stderr)
        .unwrap()
        .replace(misbehaving_engine(), "ENGINE")
}

/// A gauntlet with time enough for a busy machine.
fn field(engines: &[Engine]) -> String {
    gauntlet("nodes = 100", engines)
        .replace("start_ms = 4000", "start_ms = 60000")
        .replace("ready_ms = 2000", "ready_ms = 60000")
}

#[test]
fn all_engines_that_cannot_play_are_named_before_the_first_game() {
    let scratch = Scratch::new();
    let script = scratch.path("engine.sh");
    fs::write(&script, "#!/nowhere/interpreter\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let mut engines = vec![engine("hub", "behave")];
    let habits = [
        "crash-at-start",
        "crash-at-uci",
        "crash-at-isready",
        "hang-at-start",
        "never-uciok",
        "hang-at-isready",
    ];
    engines.extend(habits.map(|habit| {
        engine(habit, habit).keys(match habit {
            "hang-at-start" | "never-uciok" => "deadlines = { start_ms = 2000 }",
            "hang-at-isready" => "deadlines = { ready_ms = 300 }",
            _ => "",
        })
    }));
    // What is no program, and one that dies of its options.
    engines.push(engine("script", "behave"));
    engines.push(engine("options", "crash-at-option").keys("options = { Style = \"Solid\" }"));
    let text = field(&engines).replacen(
        &format!("name = \"script\"\ncommand = {:?}", misbehaving_engine()),
        &format!("name = \"script\"\ncommand = {script:?}"),
        1,
    );
    scratch.write("trouble.toml", &text);
    let said = refused(&scratch, "run trouble.toml --out out");
    let said = said.replace(script.to_str().unwrap(), "SCRIPT");
    insta::assert_snapshot!(said);
}

#[test]
fn every_command_that_plays_checks_its_engines_first() {
    let scratch = Scratch::new();
    let late = scratch.path("late").display().to_string();
    let cmd = format!("cmd={} name=bad args=crash-at-uci", misbehaving_engine());
    let said = refused(&scratch, &["match", "none", &cmd, "--sprt", "0,5", "--out", "out"]);
    assert!(
        said.contains("the engine `bad` exited with status 4 before it sent `uciok`"),
        "{said}"
    );

    // An engine that stops working between two parts of a run: nothing changes until it works again.
    let engines = [
        engine("hub", "behave"),
        engine("bad", &format!("crash-at-uci --after {late}")),
    ];
    scratch.write("trouble.toml", &field(&engines).replace("threads = 8", "threads = 1"));
    scratch.done("run trouble.toml --quiet --out out --faults-allowed inf");
    let journal = scratch.read("out/games.csv");
    let cut: String = journal.lines().take(1).flat_map(|line| [line, "\n"]).collect();
    scratch.write("out/games.csv", &cut);
    let said = refused(&scratch, "resume out");
    assert!(said.contains("the engine `bad` exited with status 4"), "{said}");
    assert_eq!(scratch.read("out/games.csv"), cut);
    fs::remove_file(&late).unwrap();
    scratch.done("resume out --quiet --faults-allowed inf");
    assert_eq!(scratch.read("out/games.csv"), journal);
}

#[test]
fn options_that_do_not_fit_are_named() {
    let scratch = Scratch::new();
    let odd = format!(
        "cmd={} name=odd args=behave option.Hash=4096 option.Hsh=3 option.Style=bold option.Ponder=maybe option.Habit=behave",
        misbehaving_engine()
    );
    let said = scratch.warned(&format!(
        "match none '{odd}' --nodes 50 --pairs 1 --maxmoves 2 --quiet --out out"
    ));
    insta::assert_snapshot!(said);
}

/// Engines with tables of parameters declare thousands of options.
#[test]
fn options_after_thousands_of_others_are_known() {
    let scratch = Scratch::new();
    let script = scratch.path("engine.sh");
    let text = "#!/bin/sh\n\
        while read -r line; do\n\
        echo \"$line\" >> heard.txt\n\
        case $line in\n\
        uci) seq -f 'option name P%g type spin default 0 min -9 max 9' 4000\n\
        printf 'option name Hash type spin default 512 min 1 max 999\\nuciok\\n';;\n\
        isready) echo readyok;;\n\
        go*) echo bestmove a1a1;;\n\
        quit) exit;;\n\
        esac\n\
        done\n";
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let many = format!("cmd={} name=many option.P3999=7", script.display());
    let game = "--nodes 1 --pairs 1 --maxmoves 1 --hash 4 --threads 1 --out run --quiet";
    let said = scratch.warned(&format!("match '{many}' none {game}"));
    assert!(!said.contains("has no option"), "{said}");
    let heard = fs::read_to_string(scratch.path("heard.txt")).unwrap();
    for sent in ["setoption name Hash value 4\n", "setoption name P3999 value 7\n"] {
        assert!(heard.contains(sent), "{sent}");
    }
}
