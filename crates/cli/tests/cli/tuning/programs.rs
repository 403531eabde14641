//! Options of a UCI program, tuned and raced; programs that lose by faults.

use super::{RUN, results, run};
use crate::scratch::{Scratch, misbehaving_engine};

/// A run that tunes the option `Hash` of the misbehaving engine.
fn program(words: &str, more: &str) -> String {
    let engine = format!("command = {:?}\nargs = [{words}]\n{more}", misbehaving_engine());
    let parameter = "[[parameter]]\nname = \"Hash\"\nstart = 4\nmin = 1\nmax = 9\nstep = 2\n";
    run("").replace("policy = \"logarithm@base=1.5,divisor=1.2\"", &engine) + parameter
}

#[test]
fn options_of_a_program_are_tuned() {
    let scratch = Scratch::new();
    let program = misbehaving_engine();
    let external = run("").replace(
        "policy = \"logarithm@base=1.5,divisor=1.2\"",
        &format!("command = \"{program}\"\nargs = [\"behave\"]"),
    );
    scratch.write("run.toml", &external);
    let complaint = scratch.refused("tune run.toml");
    assert!(complaint.contains("there is nothing to tune"), "{complaint}");
    scratch.write("run.toml", &format!("{external}[[parameter]]\nname = \"Hsh\"\n"));
    let complaint = scratch.refused("tune run.toml");
    assert!(complaint.contains("the engine has no spin option `Hsh`"), "{complaint}");
    assert!(complaint.contains("did you mean `Hash`?"), "{complaint}");
    let parameter = "[[parameter]]\nname = \"Hash\"\nstart = 4\nmin = 1\nmax = 9\nstep = 2\n";
    let short = external.replace("pairs = 60", "pairs = 6");
    scratch.write("run.toml", &format!("{short}{parameter}"));
    let said = scratch.done("tune run.toml --out out");
    assert!(said.contains("Nothing plays significantly better"), "{said}");
    let journal = scratch.read("out/tuning.csv");
    assert!(
        journal.starts_with("pair,opening,first_game,second_game,first_faults,second_faults,first:Hash,second:Hash\n")
    );
    assert_eq!(journal.lines().count(), 7);
}

#[test]
fn a_program_that_cannot_play_is_refused_before_anything_is_written() {
    let scratch = Scratch::new();
    for (words, printed) in [
        ("\"crash-at-start\"", "exited with status 3 before it sent `uciok`"),
        ("\"crash-at-isready\"", "exited with status 5 before it sent `readyok`"),
    ] {
        scratch.write("run.toml", &program(words, ""));
        let complaint = scratch.refused("tune run.toml");
        assert!(
            complaint.contains(&format!("the engine `misbehaving-engine` {printed}")),
            "{complaint}"
        );
        assert!(complaint.contains("command line: "), "{complaint}");
    }
}

#[test]
fn faults_in_a_row_stop_a_run() {
    let scratch = Scratch::new();
    let null_move = "\"null-move\", \"--search\", \"1\"";
    let text = program(null_move, "").replace("pairs = 60", "pairs = 20");
    scratch.write("run.toml", &text);
    for threads in ["1", "4"] {
        let tune = [
            "tune",
            "run.toml",
            "--quiet",
            "--force",
            "--out",
            "out",
            "--threads",
            threads,
        ];
        let output = scratch.lmrlab(&tune).assert().code(1).get_output().clone();
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert!(
            complaint.contains("lost 5 games in a row by crashes, stalls or illegal moves"),
            "{complaint}"
        );
        assert!(complaint.contains("resume with `lmrlab resume out`"), "{complaint}");
        assert_eq!(scratch.line_count("out/tuning.csv"), 4);
        // One warning for the kind, however many moves are missing.
        assert_eq!(
            complaint.matches("it may need more than 100 nodes").count(),
            1,
            "{complaint}"
        );
    }
    scratch.done("resume out --quiet --faults-allowed inf");
    assert_eq!(scratch.line_count("out/tuning.csv"), 21);
    scratch.write("run.toml", &format!("faults_allowed = \"inf\"\n{text}"));
    scratch.done("tune run.toml --quiet --out file");
    assert_eq!(scratch.line_count("file/tuning.csv"), 21);
    assert!(scratch.read("file/manifest.toml").contains("faults_allowed = \"inf\""));
}

/// The limit on open files is the runner's: nothing is wrong with the plan, also when a program cannot be asked for its options.
#[cfg(unix)]
#[test]
fn a_machine_without_files_is_no_wrong_input() {
    let scratch = Scratch::new();
    scratch.write("run.toml", &program("\"behave\"", ""));
    let mut not_started = 0;
    for files in 4..=12 {
        let script = format!(
            "ulimit -n {files}; '{}' tune run.toml --quiet",
            env!("CARGO_BIN_EXE_lmrlab")
        );
        let mut command = std::process::Command::new("sh");
        command.args(["-c", &script]).current_dir(scratch.path(""));
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        if said.contains("could not be started") {
            assert_eq!(output.status.code(), Some(1), "{files}: {said}");
            not_started += 1;
        }
    }
    assert!(not_started > 0);
}

#[test]
fn choices_among_the_options_of_a_program_are_raced() {
    let scratch = Scratch::new();
    let program = misbehaving_engine();
    // The start sees itself lost in each game, and one value does the same; the other behaves.
    let external = RUN.replace(
        "policy = \"logarithm@base=1.5,divisor=1.2\"",
        &format!("command = \"{program}\"\nargs = [\"behave\"]\noptions = {{ Habit = \"see-losses\" }}"),
    );
    let choice = "
[[choice]]
name = \"manners\"
values = [\"Habit=see-losses\", \"Habit=behave\"]
pairs = 60
elo = 100.0
";
    let external = external.replace("pairs = 4", "pairs = 20\nsprt = { elo0 = 0.0, elo1 = 100.0 }");
    let text = format!("numbers = false\n{external}{choice}");
    for (right, wrong, complaint) in [
        ("Habit=behave", "Habt=behave", "did you mean `Habit`?"),
        ("Habit=behave", "Habit", "`Habit` is not `Option=value`"),
        ("Habit=behave", "Hash=4", "nothing says what `Hash` is at the start"),
    ] {
        scratch.write("run.toml", &text.replace(right, wrong));
        let said = scratch.refused("tune run.toml");
        assert!(said.contains(complaint), "{said}");
    }
    scratch.write("run.toml", &text);
    let said = scratch.done("tune run.toml --out out --threads 1");
    assert!(said.contains("manners: Habit=behave is taken."), "{said}");
    // Whoever behaves wins all games of the gate. The first match is decided early, which must not end the second.
    assert!(said.contains("The gain is proven at both limits."), "{said}");
    let games = scratch.journal("out/gate-1/games.csv");
    assert!(games.len() < 40, "{} games", games.len());
    let whole = results(&scratch, "out");
    assert!(whole[1].contains("Habit=behave"), "{}", whole[1]);
    scratch.write("out/games.csv", &whole[0][..whole[0].len() / 2]);
    scratch.done("resume out --quiet --threads 2");
    // The moves of the program depend on the games that its process has played before.
    let again = results(&scratch, "out");
    assert_eq!(
        [1, 2, 5].map(|file: usize| &whole[file]),
        [1, 2, 5].map(|file: usize| &again[file])
    );
}

#[test]
fn a_race_of_choices_does_not_decide_on_faults() {
    let scratch = Scratch::new();
    // The start makes no move, so that the value wins all games by its faults.
    let text = program(
        "\"behave\", \"--search\", \"1\"",
        "options = { Habit = \"null-move\" }\n",
    );
    let (text, _) = text.split_once("[[parameter]]").unwrap();
    let choice = "
[[choice]]
name = \"manners\"
values = [\"Habit=behave\"]
pairs = 60
elo = 100.0
";
    scratch.write(
        "run.toml",
        &format!("numbers = false\nfaults_allowed = \"inf\"\n{text}{choice}"),
    );
    let said = scratch.done("tune run.toml --out out --threads 1");
    let printed = "manners: start is taken. No verdict: 100% of the games were ended by faults of `start`.\n";
    assert!(said.contains(printed), "{said}");
    assert!(said.contains("  undecided\n"), "{said}");
    assert!(said.contains("Nothing plays significantly better"), "{said}");
    let whole = results(&scratch, "out");
    assert!(
        whole[5].starts_with(
            "pair,opening,first_game,second_game,first_faults,second_faults,first:manners,second:manners\n"
        ),
        "{}",
        whole[5]
    );
    // It stops where it would decide, long before its pairs are spent.
    let lines: Vec<&str> = whole[5].lines().skip(1).collect();
    assert!(lines.len() < 60, "{} pairs", lines.len());
    assert!(lines.iter().all(|line| line.ends_with(",1,1,0,2,1,0")), "{}", whole[5]);
    assert!(
        whole[1].contains("no_verdict = \"100% of the games were ended by faults of `start`\"\n"),
        "{}",
        whole[1]
    );
    assert!(scratch.done("show out").contains(printed));
    assert!(scratch.done("tune --analyse out").contains(printed));
    // The faults before a kill count, too.
    for name in ["result.toml", "parameters.txt"] {
        std::fs::remove_file(scratch.path(&format!("out/{name}"))).unwrap();
    }
    scratch.write("out/games.csv", &whole[0][..whole[0].len() - 20]);
    scratch.done("resume out --quiet --threads 2");
    assert_eq!(whole, results(&scratch, "out"));
}
