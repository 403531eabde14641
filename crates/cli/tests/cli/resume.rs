//! Killed and interrupted runs, resumed: their files equal those of an undisturbed run.

#![cfg(unix)]

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::scratch::{OPENINGS, ROUND_ROBIN, Scratch, kill, misbehaving_engine, signal, wait_until};
use lmrlab_results::journal::read_pairs;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

/// What must not differ. The date in games.pgn is that of the run's beginning.
const FILES: [&str; 6] = [
    "games.csv",
    "journal.sha256",
    "pairs.csv",
    "standings.csv",
    "crosstable.csv",
    "games.pgn",
];

/// The trio, and the engine that is a program of its own.
fn quartet(pairs: u32) -> String {
    ROUND_ROBIN
        .replace("pairs  = 3", &format!("pairs = {pairs}"))
        .replace("nodes = 100", "nodes = 60")
        + &format!(
            "[[engine]]\nname = \"program\"\ncommand = {:?}\nargs = [\"behave\"]\n",
            misbehaving_engine()
        )
        + "[adjudication]\nmax_moves = 12\n"
}

fn without_date(text: &str) -> String {
    text.lines()
        .filter(|line| !line.starts_with("[Date "))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The files of a run that is not disturbed.
fn undisturbed(text: &str) -> Vec<String> {
    files(&played(text))
}

fn files(scratch: &Scratch) -> Vec<String> {
    FILES
        .iter()
        .map(|file| without_date(&scratch.read(&format!("out/{file}"))))
        .collect()
}

fn assert_same(scratch: &Scratch, expected: &[String], when: &str) {
    for (file, (found, expected)) in FILES.iter().zip(files(scratch).iter().zip(expected)) {
        assert!(found == expected, "{file} differs {when}");
    }
    assert!(!scratch.path("out/waiting.csv").exists(), "{when}");
    let timings = scratch.read("out/timings.csv");
    let numbers: Vec<u64> = timings
        .lines()
        .skip(1)
        .map(|line| line.split(',').next().unwrap().parse().unwrap())
        .collect();
    assert!(numbers.is_sorted_by(|a, b| a < b), "timings {when}");
}

fn start(scratch: &Scratch, arguments: &str) -> Child {
    scratch.background(arguments).spawn().unwrap()
}

const RUN: &str = "run t.toml --quiet --out out";
const RESUME: &str = "resume out --quiet";

/// Plays the tournament `t.toml` to its end.
fn play(scratch: &Scratch) {
    scratch.done(RUN);
}

/// Resumes the run.
fn resume(scratch: &Scratch) {
    scratch.done(RESUME);
}

/// A project with `t.toml`, and the run played to its end.
fn played(text: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.write("t.toml", text);
    play(&scratch);
    scratch
}

/// Plays a tournament that is killed `kills` times at random moments.
fn play_with_kills(text: &str, kills: u32, within: Duration, generator: &mut Pcg64) -> Scratch {
    let scratch = Scratch::new();
    scratch.write("t.toml", text);
    for turn in 0..kills {
        let has_manifest = scratch.path("out/manifest.toml").exists();
        let begin = format!("{RUN} --force");
        let child = start(&scratch, if has_manifest { RESUME } else { &begin });
        let micros = generator.next_u64() % (within.as_micros() as u64 * u64::from(turn + 1));
        std::thread::sleep(Duration::from_micros(micros));
        kill(child);
    }
    if scratch.path("out/manifest.toml").exists() {
        resume(&scratch);
    } else {
        scratch.done(&format!("{RUN} --force"));
    }
    scratch
}

fn kill_test(runs: u32) {
    let text = quartet(6);
    let begun = Instant::now();
    let expected = undisturbed(&text);
    let whole = begun.elapsed();
    let mut generator = Pcg64::new(u128::from(std::process::id()), 3);
    for run in 0..runs {
        let kills = 1 + (generator.next_u64() % 3) as u32;
        let scratch = play_with_kills(&text, kills, whole, &mut generator);
        assert_same(&scratch, &expected, &format!("after {kills} kills in run {run}"));
    }
}

#[test]
fn a_killed_run_goes_on_as_if_nothing_had_happened() {
    kill_test(3);
}

/// `cargo test -p lmrlab --test cli -- --ignored a_hundred_killed_runs`
#[test]
#[ignore = "takes minutes"]
fn a_hundred_killed_runs() {
    kill_test(100);
}

/// A journal that ends anywhere, as a kill in the middle of a write or a loss of power leaves it.
#[test]
fn a_journal_can_be_cut_off_at_any_byte() {
    let scratch = played(&quartet(1));
    let expected = files(&scratch);
    let journal = fs::read(scratch.path("out/games.csv")).unwrap();
    let mut generator = Pcg64::new(5, 3);
    let cuts = (0..6).map(|_| (generator.next_u64() % journal.len() as u64) as usize);
    for cut in cuts.chain([0, 10, journal.len() - 1, journal.len()]) {
        fs::write(scratch.path("out/games.csv"), &journal[..cut]).unwrap();
        // Whatever the other files have: they follow from the journal.
        fs::write(scratch.path("out/games.pgn"), "[Event \"torn").unwrap();
        fs::write(scratch.path("out/pairs.csv"), "").unwrap();
        fs::remove_file(scratch.path("out/standings.csv")).unwrap();
        resume(&scratch);
        assert_same(&scratch, &expected, &format!("after a cut at {cut}"));
    }
    // A kill between a digest and its line, and a loss of power that took some digests.
    let digests = fs::read(scratch.path("out/journal.sha256")).unwrap();
    for cut in [0, 64, 65, 3 * 65 + 7, digests.len() - 1] {
        fs::write(scratch.path("out/journal.sha256"), &digests[..cut]).unwrap();
        resume(&scratch);
        assert_same(&scratch, &expected, &format!("after digests cut at {cut}"));
    }
    // Bytes that no one wrote, as some file systems leave them.
    let mut torn = journal[..journal.len() / 2].to_vec();
    torn.extend_from_slice(&[0; 4_096]);
    fs::write(scratch.path("out/games.csv"), torn).unwrap();
    resume(&scratch);
    assert_same(&scratch, &expected, "after a block of zeros");
}

/// A run finds its presets and policies again where a folder of them is a symbolic link.
#[test]
fn configurations_may_be_behind_a_symbolic_link() {
    let scratch = Scratch::new();
    let preset = include_str!("../../../../configs/engines/standard.toml");
    let policy = include_str!("../../../../configs/policies/micromax-4.toml");
    fs::remove_dir_all(scratch.path("configs")).unwrap();
    scratch.write("elsewhere/engines/standard.toml", preset);
    scratch.write("elsewhere/policies/mine.toml", policy);
    std::os::unix::fs::symlink("elsewhere", scratch.path("configs")).unwrap();
    scratch.done("match mine none --nodes 20 --maxmoves 4 --pairs 3 --quiet --out out");
    let whole = scratch.read("out/games.csv");
    // As a kill leaves it.
    let two: Vec<&str> = whole.lines().take(3).collect();
    scratch.write("out/games.csv", &(two.join("\n") + "\n"));
    resume(&scratch);
    assert_eq!(scratch.read("out/games.csv"), whole);
}

/// An edited result or limit keeps a run from going on; `show` says so, and shows it all the same.
#[test]
fn an_edited_result_or_manifest_is_named() {
    let scratch = played(&quartet(1));
    let journal = scratch.read("out/games.csv");
    let manifest = scratch.read("out/manifest.toml");
    let expected = files(&scratch);
    let shown = |warning: &str| {
        let answered = scratch.warned("show out");
        match warning {
            "" => assert_eq!(answered, ""),
            _ => assert!(answered.contains(warning), "{answered}"),
        }
    };
    shown("");
    let (at, line) = journal
        .lines()
        .enumerate()
        .skip(3)
        .find(|(_, line)| line.contains("1/2-1/2"))
        .unwrap();
    let edited = journal.replace(line, &line.replace("1/2-1/2", "1-0"));
    scratch.write("out/games.csv", &edited);
    let message = scratch.refused("resume out");
    let answered = format!("line {} of `out/games.csv` was edited", at + 1);
    assert!(message.contains(&answered), "{message}");
    shown(&answered);
    assert!(scratch.warned("rate out").contains(&answered));
    scratch.write("out/games.csv", &journal);
    shown("");

    for edited in [
        manifest.replace("nodes = 60", "nodes = 61"),
        manifest.replace("depth >= 3", "depth >= 4"),
        format!("{manifest}\n"),
    ] {
        assert_ne!(edited, manifest);
        scratch.write("out/manifest.toml", &edited);
        let message = scratch.refused("resume out");
        assert!(message.contains("`out/manifest.toml` was edited"), "{message}");
        shown("`out/manifest.toml` was edited");
    }
    // A manifest and a journal of an earlier version, without digests.
    let (text, digest) = manifest.trim_end().rsplit_once('\n').unwrap();
    assert!(digest.starts_with("# SHA-256 of the lines above: "), "{digest}");
    scratch.write("out/manifest.toml", &format!("{text}\n"));
    fs::remove_file(scratch.path("out/journal.sha256")).unwrap();
    shown("");
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    scratch.write("out/games.csv", &[&lines[..3], &lines[4..]].concat().concat());
    let message = scratch.refused("resume out");
    assert!(message.contains("is not the game that this run has there"), "{message}");
    scratch.write("out/games.csv", &journal);
    resume(&scratch);
    assert_same(&scratch, &expected, "after a resume of a run without digests");
}

#[test]
fn a_file_that_has_changed_is_named() {
    let scratch = Scratch::new();
    let engine = scratch.path("engine");
    fs::copy(misbehaving_engine(), &engine).unwrap();
    let text = quartet(1).replace(misbehaving_engine(), "./engine");
    scratch.write("t.toml", &text);
    play(&scratch);
    // The tournament file is not needed any more.
    fs::remove_file(scratch.path("t.toml")).unwrap();
    resume(&scratch);
    let before = scratch.read(OPENINGS);
    scratch.write(OPENINGS, &format!("{before}\n# another line\n"));
    let message = scratch.refused("resume out");
    assert!(
        message.contains("`positions/openings.epd` has changed since the run began"),
        "{message}"
    );
    scratch.write(OPENINGS, &before);
    let mut program = fs::read(&engine).unwrap();
    program.push(0);
    fs::write(&engine, program).unwrap();
    let message = scratch.refused("resume out");
    assert!(
        message.contains("`./engine` has changed since the run began"),
        "{message}"
    );
    fs::remove_file(&engine).unwrap();
    let message = scratch.refused("resume out");
    assert!(
        message.contains("needs `./engine`, and there is no program `"),
        "{message}"
    );
}

/// A run continues with the policies and presets that it began with, and says which have changed or are gone.
#[test]
fn a_run_goes_on_with_the_texts_in_its_manifest() {
    let scratch = Scratch::new();
    scratch.write("configs/policies/base.toml", "name = \"base\"\nreduce = \"1\"\n");
    scratch.write(
        "configs/policies/mine.toml",
        "name = \"mine\"\nextends = \"base.toml\"\nwhen = \"depth >= 3 and moves_searched >= 3\"\n",
    );
    let text = ROUND_ROBIN.replace("policy = \"micromax-4\"", "policy = \"mine\"");
    scratch.write("t.toml", &text);
    play(&scratch);
    let expected = files(&scratch);
    let games = scratch.read("out/games.csv");
    let lines: Vec<&str> = games.lines().take(5).collect();
    scratch.write("out/games.csv", &format!("{}\n", lines.join("\n")));
    scratch.write("configs/policies/base.toml", "name = \"base\"\nreduce = \"3\"\n");
    fs::remove_file(scratch.path("configs/policies/mine.toml")).unwrap();
    scratch.write(
        "configs/engines/standard.toml",
        "name = \"standard\"\n[search]\nnull_move = false\n",
    );
    let warnings = scratch.warned(RESUME);
    for said in [
        "`configs/policies/base.toml` has changed since the run began",
        "`configs/policies/mine.toml`, with which the run began, cannot be read",
        "`configs/engines/standard.toml` has changed since the run began",
    ] {
        assert!(warnings.contains(said), "{said} in {warnings}");
    }
    assert_same(&scratch, &expected, "with other files in the project");
}

/// `show` prints what the run printed at its end, and changes nothing.
#[test]
fn a_run_is_shown_again() {
    let scratch = Scratch::new();
    scratch.write("t.toml", &ROUND_ROBIN.replace("pairs  = 3", "pairs = 2"));
    let printed = scratch.done(RUN);
    let before = scratch.files();
    let shown = scratch.done("show out");
    assert!(printed.contains(&shown), "{shown} in {printed}");
    let json: serde_json::Value = serde_json::from_str(&scratch.done("show out --json")).unwrap();
    assert_eq!(json["games"], 12);
    // Half a pair and half a line, as a kill leaves them.
    let games = scratch.read("out/games.csv");
    let lines: Vec<&str> = games.lines().collect();
    let cut = format!("{}\n{}", lines[..6].join("\n"), &lines[6][..20]);
    scratch.write("out/games.csv", &cut);
    let shown = scratch.done("show out");
    assert!(shown.contains("interrupted after 2 of 6 pairs"), "{shown}");
    assert_eq!(scratch.read("out/games.csv"), cut);
    assert_eq!(scratch.files(), before);
    let message = scratch.refused("show configs");
    assert!(message.contains("is not the results folder of a run"), "{message}");
}

/// A test that has been decided is not played on, and an interrupted one ends at the same pair.
#[test]
fn a_test_is_decided_at_the_same_pair() {
    let test = "match none none --nodes 60 --hash 1 --sprt 0,100 --model logistic --out out";
    let whole = Scratch::new();
    whole.done(test);
    let expected = files(&whole);
    assert!(whole.done("resume out").contains("The test rejects: "));
    assert_same(&whole, &expected, "after a resume of a decided test");
    // As a kill leaves it.
    let games = whole.read("out/games.csv");
    let begun: Vec<&str> = games.split_inclusive('\n').take(9).collect();
    whole.write("out/games.csv", &begun.concat());
    whole.done("resume out --threads 3");
    assert_same(&whole, &expected, "after a kill");
}

/// A limit on the size of files stands for a disk that is full.
#[test]
fn a_full_disk_ends_the_run_with_a_message_and_it_can_go_on_later() {
    let text = quartet(12);
    let expected = undisturbed(&text);
    let journal = expected[0].len() / 1024;
    for kib in [1, journal / 2, journal * 3 / 4] {
        let scratch = Scratch::new();
        scratch.write("t.toml", &text);
        let program = env!("CARGO_BIN_EXE_lmrlab");
        // The unit of `ulimit -f` in bash is 1 KiB; the signal would otherwise end the process without a word.
        let script = format!("trap '' XFSZ; ulimit -f {kib}; exec {program} run t.toml --quiet --out out");
        let output = Command::new("bash")
            .current_dir(scratch.path("."))
            .env("XDG_STATE_HOME", scratch.state())
            .args(["-c", &script])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{kib}: {output:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains("cannot write `out/"), "{message}");
        if kib > 1 {
            assert!(message.contains("resume with `lmrlab resume out`"), "{message}");
            resume(&scratch);
            assert_same(&scratch, &expected, "after a full disk");
        }
    }
}

/// Without the rights of root.
#[test]
fn a_run_in_a_folder_that_is_read_only_is_not_resumed() {
    use std::os::unix::fs::{PermissionsExt, chown};
    use std::os::unix::process::CommandExt;

    let scratch = Scratch::new();
    scratch.write("t.toml", ROUND_ROBIN);
    // Nothing is read-only for root, so that root plays this as somebody else, who gets a copy of everything.
    let program = scratch.path("lmrlab");
    fs::copy(env!("CARGO_BIN_EXE_lmrlab"), &program).unwrap();
    let user = rustix::process::geteuid().is_root().then_some(65_534);
    let mut files = scratch.files();
    files.extend(["", "configs", "configs/policies", "configs/engines", "positions"].map(|part| scratch.path(part)));
    for file in files {
        chown(file, user, user).unwrap();
    }
    let lmrlab = |words: &str| {
        let mut command = Command::new(&program);
        command.current_dir(scratch.path(".")).args(words.split(' '));
        if let Some(user) = user {
            command.uid(user).gid(user);
        }
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        command
    };
    let mode = |mode| {
        fs::set_permissions(scratch.path("out"), fs::Permissions::from_mode(mode)).unwrap();
    };
    assert!(lmrlab("run t.toml --quiet --out out").status().unwrap().success());
    mode(0o555);
    let refused = lmrlab(RESUME).output().unwrap();
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(message.contains("`out` cannot be written to"), "{message}");
    mode(0o755);
    assert!(lmrlab(RESUME).status().unwrap().success());
}

/// Two runs cannot write to the same folder.
#[test]
fn a_run_that_goes_on_elsewhere_is_left_alone() {
    let scratch = Scratch::new();
    scratch.write("t.toml", &quartet(100_000));
    let child = start(&scratch, RUN);
    wait_until(|| scratch.path("out/timings.csv").exists());
    // It takes no processor from the others, which wait a second for the lock: at the same time.
    assert!(signal(&child, "STOP"));
    for command in ["resume out", RUN, "tune logarithm --quiet --out out --force"] {
        let said = scratch.refused(command);
        assert!(said.contains("another lmrlab is writing to `out`"), "{command}: {said}");
        assert!(!said.contains("interrupted") && !said.contains("--force"), "{said}");
    }
    let shown = scratch.done("show out");
    assert!(
        shown.contains("It is playing now: ") && !shown.contains("esume"),
        "{shown}"
    );
    let shown = scratch.done("show out --json");
    assert!(shown.contains("\"ended\":\"playing\""), "{shown}");
    assert!(signal(&child, "CONT"));
    // Anybody can read its games.
    read_pairs(&scratch.path("out/games.csv"), &mut |games| {
        assert_eq!(games[0].pair, games[1].pair);
        Ok(())
    })
    .unwrap();
    kill(child);
    let said = scratch.refused(RUN);
    assert!(said.contains("interrupted after") && said.contains("--force"), "{said}");
    let shown = scratch.done("show out");
    assert!(shown.contains("`lmrlab resume out` resumes it."), "{shown}");
}

/// A folder that is no run is not replaced, so `--force` is no advice.
#[test]
fn another_folder_is_advised_where_force_does_not_help() {
    let scratch = Scratch::new();
    scratch.write("t.toml", &quartet(1));
    scratch.write("notes/notes.txt", "mine");
    for more in ["", "--force"] {
        let said = scratch.refused(&format!("run t.toml --quiet --out notes {more}"));
        assert!(said.contains("does not hold the results of a run"), "{said}");
        assert!(!said.contains("or replace it with"), "{said}");
    }
    play(&scratch);
    let said = scratch.refused("host header --out out/standings.csv");
    assert!(said.contains("a file of a run") && !said.contains("--force"), "{said}");
}

#[test]
fn the_programs_of_a_folder_need_trust() {
    let scratch = Scratch::new();
    let engine = misbehaving_engine();
    scratch.done(&format!(
        "match none 'cmd={engine} args=behave name=mine' --nodes 20 --pairs 2 --threads 1 --maxmoves 6 --quiet --out r"
    ));
    let lmrlab = |state: &std::path::Path, words: &str| {
        let output = scratch.lmrlab(words).env("XDG_STATE_HOME", state).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), said)
    };
    let refused = |state: &std::path::Path, parts: &[&str]| {
        let (status, said) = lmrlab(state, "resume r --quiet");
        assert_eq!(status, Some(2), "{said}");
        let dense = |text: &str| text.split_whitespace().collect::<String>();
        for part in parts {
            assert!(dense(&said).contains(&dense(part)), "{part}: {said}");
        }
        said
    };
    // Begun by this user.
    assert_eq!(lmrlab(scratch.state(), "resume r --quiet").0, Some(0));
    // The same folder for another user.
    let other = tempfile::tempdir().unwrap();
    let other = other.path();
    refused(other, &["the engine `mine`", engine, "`lmrlab resume r --trust`"]);
    for command in ["show r", "report r"] {
        assert_eq!(lmrlab(other, command).0, Some(0));
    }
    // Where nothing can be recorded, each resume needs the option.
    let nowhere = other.join("file");
    fs::write(&nowhere, "").unwrap();
    assert_eq!(lmrlab(&nowhere, "resume r --quiet --trust").0, Some(0));
    refused(&nowhere, &[]);
    // The message shows what differs, also when a part of the command is long.
    let manifest = scratch.read("r/manifest.toml");
    let (unsigned, _) = manifest.split_once("# SHA-256 of the lines above").unwrap();
    let dir = scratch.path("else where");
    fs::create_dir(&dir).unwrap();
    for length in [0, 2_000] {
        let (long, dir) = ("x".repeat(length), dir.display());
        let to = format!("args = [\"behave\", \"{long}\"]\ndir = '{dir}'");
        let changed = unsigned.replacen("args = [\"behave\"]", &to, 1);
        assert_ne!(changed, unsigned);
        scratch.write("r/manifest.toml", &changed);
        refused(scratch.state(), &[&format!("{long} 'dir={dir}'")]);
    }
    scratch.write("r/manifest.toml", &manifest);
    // Trust lasts; for these commands only.
    assert_eq!(lmrlab(other, "resume r --quiet --trust").0, Some(0));
    assert_eq!(lmrlab(other, "resume r --quiet").0, Some(0));
    let executor = "command = \"touch started {host} {folder}\"\nhosts = { a = 1 }\n";
    scratch.write("r/executor.toml", executor);
    let said = refused(other, &["the executor of executor.toml", "touch started"]);
    assert!(!said.contains("the engine `mine`"), "{said}");
    assert!(!scratch.path("started").exists());
}
