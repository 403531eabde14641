//! `lmrlab tune`: runs from the file to the tuned policy, killed and resumed.

use crate::scratch::{OPENINGS, Scratch, kill, misbehaving_engine, wait_until};

const RUN: &str = r#"
name = "run"
pairs = 60
seed = 5
hash_mib = 1
[openings]
file = "positions/openings.epd"
[limit]
nodes = 100
[engine]
policy = "logarithm@base=1.5,divisor=1.2"
[adjudication]
max_moves = 40
resign = { move_count = 2, score_cp = 400 }
[gate]
pairs = 4
"#;

fn run(change: &str) -> String {
    format!("{change}\n{RUN}")
}

/// Every file that decides what a run came to.
fn results(scratch: &Scratch, folder: &str) -> Vec<String> {
    ["tuning.csv", "result.toml", "parameters.txt", "journal.sha256"]
        .map(|name| scratch.read(&format!("{folder}/{name}")))
        .to_vec()
}

#[test]
fn values_do_not_depend_on_threads_or_interruptions() {
    let scratch = Scratch::new();
    scratch.write("run.toml", RUN);
    let one = scratch
        .lmrlab(&["tune", "run.toml", "--out", "one", "--threads", "1"])
        .assert()
        .success();
    // Progress does not wait for a batch of pairs.
    let told = String::from_utf8_lossy(&one.get_output().stderr);
    assert!(told.starts_with("2/120 games, "), "{told}");
    scratch.done(&["tune", "run.toml", "--out", "two", "--threads", "2"]);
    let whole = results(&scratch, "one");
    assert_eq!(whole, results(&scratch, "two"));
    assert_eq!(whole[0].lines().count(), 61);

    // As if killed in the middle of a line, of a batch, and between batches.
    let cuts = [(whole[0].len() / 3, "1"), (whole[0].len() / 2 + 1, "3"), (0, "2")];
    for (kept, threads) in cuts {
        for name in ["result.toml", "parameters.txt"] {
            std::fs::remove_file(scratch.path(&format!("two/{name}"))).unwrap();
        }
        scratch.write("two/tuning.csv", &whole[0][..kept]);
        scratch.done(&["resume", "two", "--quiet", "--threads", threads]);
        assert_eq!(whole, results(&scratch, "two"), "{kept} bytes");
    }

    // Pair 3 was finished before pair 2, and is not played again: its line, which only differs in the number of the
    // opening, comes into the journal as it is.
    let lines: Vec<&str> = whole[0].lines().collect();
    let cells: Vec<&str> = lines[3].splitn(3, ',').collect();
    let early = format!("{},99,{}", cells[0], cells[2]);
    scratch.write("two/waiting.csv", &format!("{}\n{early}\n", lines[0]));
    scratch.write("two/tuning.csv", &format!("{}\n{}\n", lines[0], lines[1]));
    scratch.done(&["resume", "two", "--quiet"]);
    let found = results(&scratch, "two");
    assert_eq!(found[0], whole[0].replace(lines[3], &early));
    assert_eq!(found[1..3], whole[1..3]);
    assert!(!scratch.path("two/waiting.csv").exists());

    // An edited line is named; the run is shown all the same.
    scratch.write("two/tuning.csv", &found[0].replace(&early, lines[3]));
    let message = scratch.refused(&["resume", "two"]);
    assert!(message.contains("line 4 of `two/tuning.csv` was edited"), "{message}");
    for words in [["show", "two"].as_slice(), &["tune", "--analyse", "two"]] {
        let shown = scratch.lmrlab(words).assert().success();
        let told = String::from_utf8(shown.get_output().stderr.clone()).unwrap();
        assert!(told.contains("line 4 of `two/tuning.csv` was edited"), "{told}");
    }
}

/// Killed at several moments, and continued with another number of threads each time.
#[cfg(unix)]
#[test]
fn a_killed_run_goes_on() {
    use rustix::process::{Pid, Signal, kill_process};

    let scratch = Scratch::new();
    scratch.write("run.toml", RUN);
    let tune = ["tune", "run.toml", "--no-gate", "--quiet", "--out"];
    scratch.done(&[&tune[..], &["whole"]].concat());
    for (lines, threads) in [(0, "1"), (4, "2"), (20, "1"), (40, "3")] {
        let words = match scratch.path("killed/manifest.toml").exists() {
            true => vec!["resume", "killed", "--quiet"],
            false => [&tune[..], &["killed", "--force"]].concat(),
        };
        let words = [&words[..], &["--threads", threads]].concat();
        let child = scratch.background(&words).spawn().unwrap();
        wait_until(|| scratch.line_count("killed/tuning.csv") >= lines);
        if lines > 0 {
            // While it is stopped, another process cannot go on with the run, but can look at it.
            kill_process(Pid::from_child(&child), Signal::STOP).unwrap();
            let complaint = scratch.refused(&["resume", "killed"]);
            assert!(
                complaint.contains("another lmrlab is writing to `killed`"),
                "{complaint}"
            );
            let message = scratch.refused(&[&tune[..], &["killed", "--force"]].concat());
            assert!(message.contains("another lmrlab is writing"), "{message}");
            let seen = scratch.done(&["tune", "--analyse", "killed"]);
            let pairs: usize = seen.split(' ').next().unwrap().parse().unwrap();
            assert!(pairs + 1 >= lines, "{pairs} pairs, {lines} lines");
        }
        kill(child);
    }
    scratch.done(&["resume", "killed"]);
    assert_eq!(results(&scratch, "whole"), results(&scratch, "killed"));

    // As if killed just after the manifest, which has all that is needed.
    std::fs::remove_file(scratch.path("killed/tuning.csv")).unwrap();
    scratch.done(&["resume", "killed", "--quiet"]);
    assert_eq!(results(&scratch, "whole"), results(&scratch, "killed"));
}

#[test]
fn a_changed_journal_is_refused_and_a_changed_policy_is_told() {
    let scratch = Scratch::new();
    scratch.write("run.toml", RUN);
    scratch.done(&["tune", "run.toml", "--out", "out", "--no-gate", "--quiet"]);
    let journal = scratch.read("out/tuning.csv");
    let row = journal.lines().nth(3).unwrap();
    let (fixed, _) = row.rsplit_once(',').unwrap();
    scratch.write("out/tuning.csv", &journal.replace(row, &format!("{fixed},2.5")));
    let complaint = scratch.refused(&["resume", "out"]);
    assert!(
        complaint.contains("line 4 of `out/tuning.csv` was edited"),
        "{complaint}"
    );
    let digests = scratch.read("out/journal.sha256");
    scratch.write("out/journal.sha256", "");
    let complaint = scratch.refused(&["resume", "out"]);
    assert!(complaint.contains("pair 3 of the journal"), "{complaint}");
    scratch.write("out/journal.sha256", &digests);
    scratch.write("out/tuning.csv", &journal);
    let policy = scratch.read("configs/policies/logarithm.toml");
    scratch.write(
        "configs/policies/logarithm.toml",
        &policy.replace("depth >= 3", "depth >= 4"),
    );
    let goes_on = scratch.lmrlab(&["resume", "out"]).assert().success();
    let warnings = String::from_utf8_lossy(&goes_on.get_output().stderr).into_owned();
    assert!(
        warnings.contains("`configs/policies/logarithm.toml` has changed since the run began"),
        "{warnings}"
    );
    let shown = scratch.done(&["show", "out"]);
    let printed = String::from_utf8_lossy(&goes_on.get_output().stdout).into_owned();
    assert!(printed.contains(&shown), "{shown} in {printed}");
    let openings = scratch.read(OPENINGS);
    scratch.write(OPENINGS, &format!("{openings}\n# another line\n"));
    let complaint = scratch.refused(&["resume", "out"]);
    assert!(complaint.contains("has changed since the run began"), "{complaint}");
}

#[test]
fn spsa_runs_and_its_pairs_can_be_analysed() {
    let scratch = Scratch::new();
    scratch.write("run.toml", &run("method = \"spsa\""));
    // What an earlier run of another kind has left behind.
    scratch.write("out/manifest.toml", "format_version = 1\nlmrlab = \"0.1.0\"\n");
    for name in ["tuned-preset.toml", "superiority.csv", "gate-openings.epd"] {
        scratch.write(&format!("out/{name}"), "of an earlier run");
    }
    scratch.done(&[
        "tune",
        "run.toml",
        "--out",
        "out",
        "--force",
        "--no-gate",
        "--seed",
        "9",
    ]);
    for name in ["tuned-preset.toml", "superiority.csv", "gate-openings.epd"] {
        assert!(!scratch.path(&format!("out/{name}")).exists(), "{name}");
    }
    let lines = scratch.read("out/parameters.txt");
    assert!(lines.contains("\nbase, float, "), "{lines}");
    let said = scratch.done(&["tune", "--analyse", "out"]);
    assert!(said.starts_with("60 pairs"), "{said}");
    assert!(said.contains("divisor"), "{said}");
}

/// The numbers of `[spsa]` decide what is played, and they belong to SPSA.
#[test]
fn the_sequences_of_spsa_can_be_set() {
    let scratch = Scratch::new();
    let tune = |settings: &str, out: &str| {
        let text = run("method = \"spsa\"").replace("nodes = 100", "nodes = 400");
        scratch.write("run.toml", &format!("{text}{settings}"));
        scratch.done(&["tune", "run.toml", "--out", out, "--no-gate"]);
        scratch.read(&format!("{out}/tuning.csv"))
    };
    let usual = tune("", "usual");
    let same = "[spsa]\nalpha = 0.602\ngamma = 0.101\na_ratio = 0.1\npairs_per = 1\n";
    assert_eq!(tune(same, "same"), usual);
    for (index, setting) in ["alpha = 0.7", "gamma = 0.2", "a_ratio = 0.5"].into_iter().enumerate() {
        assert_ne!(
            tune(&format!("[spsa]\n{setting}\n"), &index.to_string()),
            usual,
            "{setting}"
        );
    }
    let four = tune("[spsa]\npairs_per = 4\n", "four");
    let values: Vec<&str> = four
        .lines()
        .skip(1)
        .map(|line| line.splitn(7, ',').nth(6).unwrap())
        .collect();
    assert!(
        values
            .chunks(4)
            .all(|iteration| iteration.iter().all(|value| *value == iteration[0]))
    );
    assert_ne!(values[0], values[4]);
    // A run that is cut off within an iteration ends as it would have.
    let lines: Vec<&str> = four.lines().take(7).collect();
    scratch.write("four/tuning.csv", &format!("{}\n", lines.join("\n")));
    scratch.done(&["resume", "four", "--quiet"]);
    assert_eq!(scratch.read("four/tuning.csv"), four);

    scratch.write("run.toml", &format!("{}[spsa]\nalpha = 0.7\n", run("")));
    let message = scratch.refused(&["tune", "run.toml"]);
    assert!(message.contains("`[spsa]` is for SPSA"), "{message}");
    scratch.write(
        "run.toml",
        &format!("{}[spsa]\npairs_per = 0\n", run("method = \"spsa\"")),
    );
    assert!(scratch.refused(&["tune", "run.toml"]).contains("pairs_per"));
}

#[test]
fn a_tuned_policy_extends_its_origin() {
    let scratch = Scratch::new();
    // SPSA always moves a little, so that there is something to write.
    let spsa = run("method = \"spsa\"\nlines = [\"base, float, 0.75, 0, 1.5, 0.5, 0.5\"]");
    scratch.write("run.toml", &spsa.replace("nodes = 100", "nodes = 400"));
    let said = scratch.done(&["tune", "run.toml", "--out", "out"]);
    assert!(said.contains("Proof at 400 nodes a move"), "{said}");
    let tuned = scratch.read("out/tuned.toml");
    assert!(tuned.starts_with("# Tuned by lmrlab"), "{tuned}");
    assert!(
        tuned.contains("extends = \"../configs/policies/logarithm.toml\""),
        "{tuned}"
    );
    let shown = scratch.done(&["policy", "check", "out/tuned.toml"]);
    assert!(shown.contains("logarithm-tuned"), "{shown}");
    assert!(scratch.path("out/gate-1/games.csv").is_file());
}

#[test]
fn choices_are_raced_before_the_numbers() {
    let scratch = Scratch::new();
    let choices = "
[[parameter]]
name = \"base\"
[[choice]]
name = \"ladder\"
values = [\"research.ladder=full\", \"research.ladder=none\"]
pairs = 24
[[choice]]
name = \"search\"
values = [\"-null_move,-killers\"]
pairs = 16
";
    scratch.write("run.toml", &format!("{}{choices}", run("")));
    let said = scratch.done(&["tune", "run.toml", "--out", "one", "--no-gate"]);
    assert!(said.contains("choice ladder: "), "{said}");
    assert!(said.contains("  -null_move,-killers: "), "{said}");
    let whole = results(&scratch, "one");
    assert_eq!(whole[0].lines().count(), 61);
    assert!(whole[0].starts_with(
        "pair,opening,first_game,second_game,first_faults,second_faults,first:base,first:ladder,first:search,second:base,\
         second:ladder,second:search\n"
    ));
    assert!(whole[1].contains("[[choice]]\nname = \"ladder\""), "{}", whole[1]);
    scratch.write("one/tuning.csv", &whole[0][..whole[0].len() / 4]);
    scratch.done(&["resume", "one", "--quiet", "--threads", "2"]);
    assert_eq!(whole, results(&scratch, "one"));
    let again = scratch.done(&["tune", "--analyse", "one"]);
    assert!(again.contains("choice ladder: "), "{again}");
}

#[test]
fn a_choice_that_is_better_is_taken_and_written() {
    let scratch = Scratch::new();
    // Without a transposition table, killers and histories the start plays far worse.
    let engine = RUN.replace(
        "policy = \"logarithm@base=1.5,divisor=1.2\"",
        "policy = \"logarithm\"\npreset = \"standard@-history,-killers,-null_move,-full_evaluation\"",
    );
    let choice = "
[[choice]]
name = \"search\"
values = [\"+history,+killers,+null_move,+full_evaluation,research.ladder=full\"]
pairs = 400
elo = 200.0
alpha = 0.4
";
    let text = format!("numbers = false\n{engine}{choice}").replace("pairs = 60", "pairs = 400");
    scratch.write("run.toml", &text);
    let said = scratch.done(&["tune", "run.toml", "--out", "out"]);
    assert!(said.contains("choice search: +history"), "{said}");
    let preset = scratch.read("out/tuned-preset.toml");
    assert!(preset.starts_with("# Tuned by lmrlab"), "{preset}");
    assert!(preset.contains("\nnull_move = true\n"), "{preset}");
    let policy = scratch.read("out/tuned.toml");
    assert!(policy.contains("[research]\nladder = \"full\""), "{policy}");
    scratch.done(&["policy", "check", "out/tuned.toml"]);

    // The proof is a match like any other, of two engines that no file but its own describes.
    let games = scratch.read("out/gate-1/games.csv");
    scratch.write("out/gate-1/games.csv", &games[..games.len() / 2]);
    scratch.done(&["resume", "out/gate-1", "--quiet"]);
    assert_eq!(games, scratch.read("out/gate-1/games.csv"));
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
    let complaint = scratch.refused(&["tune", "run.toml"]);
    assert!(complaint.contains("there is nothing to tune"), "{complaint}");
    scratch.write("run.toml", &format!("{external}[[parameter]]\nname = \"Hsh\"\n"));
    let complaint = scratch.refused(&["tune", "run.toml"]);
    assert!(complaint.contains("the engine has no spin option `Hsh`"), "{complaint}");
    assert!(complaint.contains("did you mean `Hash`?"), "{complaint}");
    let parameter = "[[parameter]]\nname = \"Hash\"\nstart = 4\nmin = 1\nmax = 9\nstep = 2\n";
    let short = external.replace("pairs = 60", "pairs = 6");
    scratch.write("run.toml", &format!("{short}{parameter}"));
    let said = scratch.done(&["tune", "run.toml", "--out", "out"]);
    assert!(said.contains("Nothing plays significantly better"), "{said}");
    let journal = scratch.read("out/tuning.csv");
    assert!(
        journal.starts_with("pair,opening,first_game,second_game,first_faults,second_faults,first:Hash,second:Hash\n")
    );
    assert_eq!(journal.lines().count(), 7);
}

/// A run that tunes the option `Hash` of the misbehaving engine.
fn program(words: &str, more: &str) -> String {
    let engine = format!("command = {:?}\nargs = [{words}]\n{more}", misbehaving_engine());
    let parameter = "[[parameter]]\nname = \"Hash\"\nstart = 4\nmin = 1\nmax = 9\nstep = 2\n";
    run("").replace("policy = \"logarithm@base=1.5,divisor=1.2\"", &engine) + parameter
}

#[test]
fn a_program_that_cannot_play_is_refused_before_anything_is_written() {
    let scratch = Scratch::new();
    for (words, told) in [
        ("\"crash-at-start\"", "exited with status 3 before it sent `uciok`"),
        ("\"crash-at-isready\"", "exited with status 5 before it sent `readyok`"),
    ] {
        scratch.write("run.toml", &program(words, ""));
        let complaint = scratch.refused(&["tune", "run.toml"]);
        assert!(
            complaint.contains(&format!("the engine `misbehaving-engine` {told}")),
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
            complaint.contains(
                "5 games in a row ended by crashes, stalls or illegal moves; in the last one the engine sent"
            ),
            "{complaint}"
        );
        assert!(complaint.contains("`lmrlab resume out` goes on with it"), "{complaint}");
        assert_eq!(scratch.line_count("out/tuning.csv"), 4);
        // One warning for the kind, however many moves are missing.
        assert_eq!(
            complaint.matches("it may need more than 100 nodes").count(),
            1,
            "{complaint}"
        );
    }
    scratch.done(&["resume", "out", "--quiet", "--faults-allowed", "inf"]);
    assert_eq!(scratch.line_count("out/tuning.csv"), 21);
    scratch.write("run.toml", &format!("faults_allowed = \"inf\"\n{text}"));
    scratch.done(&["tune", "run.toml", "--quiet", "--out", "file"]);
    assert_eq!(scratch.line_count("file/tuning.csv"), 21);
    assert!(scratch.read("file/manifest.toml").contains("faults_allowed = \"inf\""));
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
        let said = scratch.refused(&["tune", "run.toml"]);
        assert!(said.contains(complaint), "{said}");
    }
    scratch.write("run.toml", &text);
    let said = scratch.done(&["tune", "run.toml", "--out", "out", "--threads", "1"]);
    assert!(said.contains("choice manners: Habit=behave"), "{said}");
    // Whoever behaves wins all games of the gate. The first match is decided early, which must not end the second.
    assert!(said.contains("The gain is proven at both limits."), "{said}");
    let games = scratch.journal("out/gate-1/games.csv");
    assert!(games.len() < 40, "{} games", games.len());
    let whole = results(&scratch, "out");
    assert!(whole[1].contains("Habit=behave"), "{}", whole[1]);
    scratch.write("out/tuning.csv", &whole[0][..whole[0].len() / 2]);
    scratch.done(&["resume", "out", "--quiet", "--threads", "2"]);
    assert_eq!(whole, results(&scratch, "out"));
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
    let said = scratch.done(&["tune", "run.toml", "--out", "out", "--threads", "1"]);
    let told = "choice manners: start; no verdict, 100% of the games were ended by faults of `start`\n";
    assert!(said.contains(told), "{said}");
    assert!(said.contains(" pairs, undecided\n"), "{said}");
    assert!(said.contains("Nothing plays significantly better"), "{said}");
    let whole = results(&scratch, "out");
    assert!(
        whole[0].starts_with(
            "pair,opening,first_game,second_game,first_faults,second_faults,first:manners,second:manners\n"
        ),
        "{}",
        whole[0]
    );
    // It stops where it would decide, long before its pairs are spent.
    let lines: Vec<&str> = whole[0].lines().skip(1).collect();
    assert!(lines.len() < 60, "{} pairs", lines.len());
    assert!(lines.iter().all(|line| line.ends_with(",1,1,0,2,1,0")), "{}", whole[0]);
    assert!(
        whole[1].contains("no_verdict = \"100% of the games were ended by faults of `start`\"\n"),
        "{}",
        whole[1]
    );
    assert!(scratch.done(&["show", "out"]).contains(told));
    assert!(scratch.done(&["tune", "--analyse", "out"]).contains(told));
    // The faults before a kill count, too.
    for name in ["result.toml", "parameters.txt"] {
        std::fs::remove_file(scratch.path(&format!("out/{name}"))).unwrap();
    }
    scratch.write("out/tuning.csv", &whole[0][..whole[0].len() - 20]);
    scratch.done(&["resume", "out", "--quiet", "--threads", "2"]);
    assert_eq!(whole, results(&scratch, "out"));
}

#[test]
fn a_journal_without_faults_is_shown_and_not_resumed() {
    let scratch = Scratch::new();
    scratch.write("run.toml", RUN);
    scratch.done(&["tune", "run.toml", "--out", "out", "--no-gate", "--quiet"]);
    let (shown, analysed) = (
        scratch.done(&["show", "out"]),
        scratch.done(&["tune", "--analyse", "out"]),
    );
    let journal = scratch.read("out/tuning.csv");
    let without: String = journal
        .lines()
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            [&cells[..4], &cells[6..]].concat().join(",") + "\n"
        })
        .collect();
    scratch.write("out/tuning.csv", &without);
    std::fs::remove_file(scratch.path("out/journal.sha256")).unwrap();
    assert_eq!(scratch.done(&["show", "out"]), shown);
    assert_eq!(scratch.done(&["tune", "--analyse", "out"]), analysed);
    let message = scratch.refused(&["resume", "out"]);
    assert!(
        message.contains("`out/tuning.csv` was written by an earlier version of lmrlab"),
        "{message}"
    );
    assert!(message.contains("`first_faults` and `second_faults`"), "{message}");
    assert_eq!(scratch.read("out/tuning.csv"), without);
    assert!(!scratch.path("out/journal.sha256").exists());
}

#[test]
fn wrong_input_is_named() {
    let scratch = Scratch::new();
    let complaint = |tables: &str, change: &str| {
        scratch.write("run.toml", &format!("{}{tables}", run(change)));
        scratch.refused(&["tune", "run.toml"])
    };
    for (tables, change, wanted) in [
        ("[[parameter]]\nname = \"bse\"", "", "did you mean `base`?"),
        (
            "[[parameter]]\nname = \"base\"\nmin = 1.0\nmax = 0.5",
            "",
            "has the bounds 1 and 0.5",
        ),
        (
            "[[parameter]]\nname = \"base\"\nstart = 1.4\nmax = 1.2",
            "",
            "starts at 1.4, outside its bounds 0 and 1.2",
        ),
        (
            "[[parameter]]\nname = \"base\"\nmax = 7",
            "",
            "`base` can only be from 0 to 4",
        ),
        (
            "[[parameter]]\nname = \"futility_margin\"\nstep = 0",
            "",
            "has the step 0, which must be greater than 0",
        ),
        (
            "[[parameter]]\nname = \"futility_margin\"\nstart = 10.5",
            "",
            "is an integer, but 10.5 is not",
        ),
        (
            "[[parameter]]\nname = \"base\"\n[[parameter]]\nname = \"base\"",
            "",
            "`base` is there twice",
        ),
        ("", "method = \"spas\"", "did you mean"),
        ("", "minutes = 3", "the budget is given twice"),
        ("", "lines = [\"base, 1, 0, 2\"]", "there are 4 columns"),
        (
            "",
            "lines = [\"divisor, int, 2, 3, 4, 1, 0.002\"]",
            "starts at 2, outside its bounds 3 and 4",
        ),
        (
            "",
            "lines = [\"divsor, float, 2, 1, 4, 1, 0.002\"]",
            "did you mean `divisor`?",
        ),
        ("", "pears = 5", "unknown key `pears`"),
        ("[[choice]]\nname = \"a\"", "", "a choice needs `values`"),
        (
            "[[choice]]\nname = \"a\"\nvalues = [\"-nul_move\"]",
            "",
            "did you mean `null_move`?",
        ),
        (
            "[[choice]]\nname = \"a\"\nvalues = [\"research.ladder=ful\"]",
            "",
            "did you mean `full`?",
        ),
        (
            "[[choice]]\nname = \"a\"\nvalues = [\"base=1.0\"]",
            "",
            "changes a parameter that is tuned",
        ),
        (
            "[[choice]]\nname = \"base\"\nvalues = [\"-null_move\"]",
            "",
            "`base` is there twice",
        ),
        (
            "[[choice]]\nname = \"a\"\nvalues = [\"-null_move\"]\nelo = -1.0",
            "",
            "greater than 0",
        ),
    ] {
        let said = complaint(tables, change);
        assert!(said.contains(wanted), "{wanted}: {said}");
    }
}

/// A policy that cannot be used makes no key of the file unknown.
#[test]
fn a_bad_policy_is_the_only_error() {
    let scratch = Scratch::new();
    scratch.write(
        "bad.toml",
        "name = 'bad'\nwhen = 'quiett'\nreduce = 'x'\n[param]\nx = { value = 1.0, min = 0.0, max = 2.0 }\n",
    );
    let more = "[[parameter]]\nname = 'x'\n[[choice]]\nname = 'ladder'\nvalues = ['research.ladder=full']\n";
    let file = "name = 'run'\npairs = 8\nnumbers = true\nopenings = { file = 'positions/openings.epd' }\n\
                limit = { nodes = 50 }\n[engine]\npolicy = 'bad.toml'\n";
    scratch.write("run.toml", &format!("{file}{more}"));
    let said = scratch.refused(&["tune", "run.toml"]);
    assert!(said.contains("nothing is called `quiett`"), "{said}");
    assert!(!said.contains("unknown key"), "{said}");
    // Beside a budget that is missing, too; a key that nobody knows stays one.
    let file = file.replace("pairs = 8", "paris = 8").replace("bad.toml", "logarithm");
    scratch.write("run.toml", &format!("{file}{more}"));
    let said = scratch.refused(&["tune", "run.toml"]);
    assert!(!said.contains("unknown key `choice`"), "{said}");
    assert!(said.contains("paris"), "{said}");
}

#[test]
fn methods_are_simulated() {
    let scratch = Scratch::new();
    let said = scratch.done(&[
        "tune",
        "--simulate",
        "quadratic,flat",
        "--dimensions",
        "2",
        "--games",
        "1000",
        "--replications",
        "4",
        "--csv",
        "found.csv",
    ]);
    assert_eq!(said.lines().count(), 7, "{said}");
    let csv = scratch.read("found.csv");
    assert!(csv.starts_with("surface,parameters,games,method,replications,start_elo_lost,"));
    assert_eq!(csv.lines().count(), 7);
    let complaint = scratch.refused(&["tune", "--simulate", "cubic"]);
    assert!(complaint.contains("one of quadratic, skewed"), "{complaint}");
}

/// A tuning run of version 2 of the files had its plan in tuning.toml.
#[test]
fn a_tuning_run_of_the_version_before_is_shown() {
    let scratch = Scratch::new();
    scratch.write("run.toml", RUN);
    scratch.done(&["tune", "run.toml", "--out", "out", "--quiet"]);
    let shown = scratch.done(&["show", "out"]);
    scratch.write("out/tuning.toml", RUN);
    scratch.write(
        "out/manifest.toml",
        r#"
format_version = 2
lmrlab = "0.1.0"
started = "2026-11-22T16:30:00Z"
kind = "tuning"
root = ".."
threads = 2

[overrides]
no_gate = false

[hashes]
file = "0"
openings = "0"
engine = ["0", "0"]
"#,
    );
    assert_eq!(scratch.done(&["show", "out"]), shown);
    let message = scratch.refused(&["resume", "out"]);
    assert!(message.contains("has version 2 of the files"), "{message}");
}
