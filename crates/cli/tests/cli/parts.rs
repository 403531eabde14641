//! Parts of a run: `--part`, `lmrlab resume` of a part, `lmrlab merge`, and what other commands say of their folders.

use std::fs;

use crate::scratch::{ROUND_ROBIN, Scratch, kill, wait_until};

/// Files that do not depend on who played.
const SAME: [&str; 7] = [
    "games.csv",
    "games.pgn",
    "pairs.csv",
    "standings.csv",
    "crosstable.csv",
    "journal.sha256",
    "los.csv",
];

/// A match of ten pairs; `more` are other words.
fn match_words<'w>(more: &[&'w str]) -> Vec<&'w str> {
    let mut words = vec![
        "match",
        "none",
        "mediocre-2007",
        "--nodes",
        "60",
        "--pairs",
        "10",
        "--hash",
        "1",
    ];
    words.extend(["--threads", "2", "--quiet"]);
    words.extend(more);
    words
}

/// Plays parts of the match into folders `parts/K`.
fn play_parts(scratch: &Scratch, of: u64, more: &[&str]) {
    for number in 1..=of {
        play_part(scratch, number, of, more);
    }
}

fn play_part(scratch: &Scratch, number: u64, of: u64, more: &[&str]) -> String {
    let (part, out) = (format!("{number}/{of}"), format!("parts/{number}"));
    let mut words = match_words(&["--part", &part, "--out", &out]);
    words.extend(more);
    scratch.done(&words)
}

fn merge_words(of: u64, more: &[&'static str]) -> Vec<String> {
    let parts = (1..=of).map(|number| format!("parts/{number}"));
    let mut words = vec!["merge".to_owned()];
    words.extend(parts);
    words.extend(more.iter().map(|word| (*word).to_owned()));
    words
}

fn merge(scratch: &Scratch, of: u64, more: &[&'static str]) -> String {
    let words = merge_words(of, more);
    scratch.done(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

fn merge_refused(scratch: &Scratch, of: u64, more: &[&'static str]) -> String {
    let words = merge_words(of, more);
    scratch.refused(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Two folders have the same results. PGN has the date of the run, which may change at midnight.
#[track_caller]
fn assert_same(scratch: &Scratch, one: &str, other: &str) {
    for file in SAME {
        let [one, other] = [one, other].map(|folder| fs::read(scratch.path(folder).join(file)).ok());
        assert!(one == other, "{file} differs");
    }
    assert!(scratch.path(one).join("games.csv").exists());
    let names = |folder: &str| -> Vec<String> {
        let entries = fs::read_dir(scratch.path(folder)).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    assert_eq!(names(one), names(other));
}

/// Replaces a piece of a file that is there.
#[track_caller]
fn replace(scratch: &Scratch, name: &str, from: &str, to: &str) {
    let text = scratch.read(name);
    assert!(text.contains(from), "{from} is not in {name}");
    scratch.write(name, &text.replacen(from, to, 1));
}

/// Writes a manifest with its digest, as a program with other facts would have written it.
fn replace_in_manifest(scratch: &Scratch, folder: &str, from: &str, to: &str) {
    let name = format!("{folder}/manifest.toml");
    replace(scratch, &name, from, to);
    let text = scratch.read(&name);
    let heading = "# SHA-256 of the lines above: ";
    let above = &text[..text.rfind(heading).unwrap()];
    let digest = lmrlab_results::sha256::sha256(above);
    scratch.write(&name, &format!("{above}{heading}{digest}\n"));
    let completion = format!("{folder}/completion.toml");
    if scratch.path(&completion).exists() {
        let digest = lmrlab_results::sha256::sha256(&scratch.read(&name));
        let text = scratch.read(&completion);
        let lines = text.lines().map(|line| match line.starts_with("manifest_sha256") {
            true => format!("manifest_sha256 = \"{digest}\"\n"),
            false => format!("{line}\n"),
        });
        scratch.write(&completion, &lines.collect::<String>());
    }
}

#[test]
fn parts_come_to_what_one_machine_comes_to() {
    let scratch = Scratch::new();
    let gauntlet = ROUND_ROBIN.replace(
        "format = \"round_robin\"",
        "format = \"gauntlet\"\ngauntlet_engine = \"mediocre\"",
    );
    scratch.write("gauntlet.toml", &gauntlet);
    let of_match = match_words(&[]);
    for (words, of) in [
        (&of_match[..], 1),
        (&of_match, 5),
        (&["run", "gauntlet.toml", "--quiet"], 2),
    ] {
        scratch.done(&[words, &["--out", "whole"]].concat());
        for number in 1..=of {
            let (part, out) = (format!("{number}/{of}"), format!("parts/{number}"));
            scratch.done(&[words, &["--part", &part, "--out", &out]].concat());
        }
        merge(&scratch, of, &["--out", "merged"]);
        assert_same(&scratch, "whole", "merged");
        let timings = scratch.read("merged/timings.csv");
        assert_eq!(timings.lines().count(), scratch.line_count("merged/games.csv"));
        assert!(timings.lines().skip(1).all(|line| !line.contains(",,")));
        for folder in ["whole", "merged", "parts"] {
            fs::remove_dir_all(scratch.path(folder)).unwrap();
        }
    }
    // The usual folder.
    scratch.done("run gauntlet.toml --quiet --part 2/6");
    assert!(scratch.path("results/trio-parts/2-of-6/completion.toml").exists());
}

#[test]
fn a_killed_part_goes_on_with_the_same_words() {
    let scratch = Scratch::new();
    let long = [
        "--nodes",
        "800",
        "--maxmoves",
        "60",
        "--pairs",
        "6",
        "--hash",
        "1",
        "--threads",
        "1",
        "--quiet",
    ];
    let words = |more: &[&'static str]| [&["match", "none", "mediocre-2007"][..], &long, more].concat();
    scratch.done(&words(&["--out", "whole"]));
    let second = words(&["--part", "2/2", "--out", "parts/2"]);
    // Killed while it is made, and while it is played.
    scratch.write("parts/2/tasks.csv", "pair,round");
    scratch.write("parts/2/manifest.toml.new", "format_ver");
    let child = scratch.background(&second).spawn().unwrap();
    wait_until(|| scratch.line_count("parts/2/games.csv") > 2);
    kill(child);
    assert!(!scratch.path("parts/2/manifest.toml.new").exists());
    assert!(!scratch.path("parts/2/completion.toml").exists());
    scratch.done(&words(&["--part", "1/2", "--out", "parts/1"]));
    let refused = merge_refused(&scratch, 2, &["--out", "merged"]);
    assert!(
        refused.contains("part 2 of 2 in `parts/2` is not finished"),
        "{refused}"
    );
    assert!(refused.contains("lmrlab resume parts/2"), "{refused}");
    assert_eq!(scratch.done(&second), "Part 2 of 2 is complete\n");
    assert_eq!(scratch.done(&second), "Part 2 of 2 was complete already\n");
    merge(&scratch, 2, &["--out", "merged"]);
    assert_same(&scratch, "whole", "merged");
    // A folder with anything else is somebody's.
    scratch.write("parts/3/notes.txt", "mine");
    let refused = scratch.refused(&words(&["--part", "1/2", "--out", "parts/3"]));
    assert!(refused.contains("exists already"), "{refused}");
}

/// A test that ends early: a strong engine against a weak one.
const SPRT: [&str; 15] = [
    "match",
    "house",
    "none",
    "--depth",
    "2",
    "--hash",
    "1",
    "--sprt",
    "-400,-300",
    "--model",
    "logistic",
    "--maxmoves",
    "60",
    "--threads",
    "2",
];

#[test]
fn a_test_ends_where_one_machine_ends_it() {
    let scratch = Scratch::new();
    let words = |more: &[&'static str]| [&SPRT[..], &["--quiet", "--pairs", "30"], more].concat();
    let whole = scratch.done(&words(&["--out", "whole"]));
    assert!(whole.contains("The test was decided after"), "{whole}");
    for (part, out) in [("1/3", "parts/1"), ("2/3", "parts/2"), ("3/3", "parts/3")] {
        scratch.done(&words(&["--part", part, "--out", out]));
        assert_eq!(
            scratch.line_count(&format!("{out}/games.csv")),
            21,
            "all pairs are played"
        );
    }
    let merged = merge(&scratch, 3, &["--out", "merged"]);
    assert_same(&scratch, "whole", "merged");
    let played = (scratch.line_count("whole/games.csv") - 1) / 2;
    assert!(merged.contains(&format!("The test was decided after {played} pairs.")));
    assert!(
        merged.contains(&format!(
            "{} pairs after the decision were played and are not used.",
            30 - played
        )),
        "{merged}"
    );
    // The pairs of a part say nothing of the test.
    assert!(!scratch.done("show parts/2").contains("SPRT"));
}

#[test]
fn an_incomplete_set_says_so_wherever_it_is_shown() {
    let scratch = Scratch::new();
    scratch.done(&match_words(&["--out", "whole"]));
    play_parts(&scratch, 5, &[]);
    fs::remove_dir_all(scratch.path("parts/2")).unwrap();
    // The fourth part was killed after its first pair.
    fs::remove_file(scratch.path("parts/4/completion.toml")).unwrap();
    let games = scratch.read("parts/4/games.csv");
    let lines: Vec<&str> = games.lines().collect();
    scratch.write(
        "parts/4/games.csv",
        &format!("{}\n{}", lines[..3].join("\n"), &lines[3][..9]),
    );
    let some = ["parts/1", "parts/3", "parts/4", "parts/5"];
    let words = |more: &[&'static str]| [&["merge"], &some[..], more].concat();
    insta::assert_snapshot!(
        "merge_of_an_incomplete_set",
        scratch.refused(&words(&["--out", "merged"]))
    );
    let merged = scratch.done(&words(&["--out", "merged", "--partial"]));
    let note = "This is not the whole run: of its 5 parts, 2 is missing and 4 is not finished; 3 pairs are left out.";
    assert!(merged.contains(note), "{merged}");
    let manifest = scratch.read("merged/manifest.toml");
    assert!(
        manifest.contains("[merged]\nparts = 5\nmissing = [2]\nunfinished = [4]"),
        "{manifest}"
    );
    let games = |folder: &str| scratch.journal(&format!("{folder}/games.csv"));
    let kept: Vec<_> = games("whole")
        .into_iter()
        .filter(|game| ![3, 4, 8].contains(&game.pair))
        .collect();
    assert_eq!(games("merged"), kept, "the pairs keep their numbers");

    let shown = scratch.done("show merged");
    assert!(shown.contains(note), "{shown}");
    assert!(!shown.contains("resume"), "{shown}");
    let json = scratch.lmrlab("show merged --json").assert().success();
    assert!(String::from_utf8_lossy(&json.get_output().stderr).contains(note));
    let compared = scratch.done("compare merged whole");
    assert!(compared.contains("not the whole run"), "{compared}");
    let refused = scratch.refused("resume merged");
    assert!(refused.contains("was merged with `--partial`") && refused.contains("merge all parts again"));
    assert!(
        scratch
            .refused(&["show", "merged", "--game", "5"])
            .contains("has no game 5")
    );

    // With what was missing it becomes the whole run.
    play_part(&scratch, 2, 5, &[]);
    scratch.done("resume parts/4 --quiet");
    merge(&scratch, 5, &["--out", "merged", "--force"]);
    assert_same(&scratch, "whole", "merged");
    assert!(!scratch.done("show merged").contains("not the whole run"));
    assert!(!scratch.path("merged.merging").exists());
}

#[test]
fn a_part_is_shown_as_what_it_is() {
    let scratch = Scratch::new();
    play_part(&scratch, 2, 3, &[]);
    insta::assert_snapshot!("show_of_a_part", scratch.done("show parts/2"));
    scratch.done("report parts/2");
    let page = scratch.read("parts/2/report.html");
    assert!(page.contains("This is part 2 of 3 of the run none vs mediocre-2007: pairs 4 to 6 of 10."));
    assert!(
        scratch
            .done(&["show", "parts/2", "--game", "7"])
            .contains("[Round \"4.1\"]")
    );
    assert!(
        scratch
            .refused(&["show", "parts/2", "--game", "1"])
            .contains("its games have the numbers 7 to 12")
    );
    assert_eq!(scratch.done("resume parts/2"), "Part 2 of 3 was complete already\n");
    let refused = scratch.refused("resume parts/2 --report");
    assert!(refused.contains("is for tournaments"), "{refused}");
    // One that was not begun.
    for file in ["completion.toml", "games.csv", "journal.sha256", "report.html"] {
        fs::remove_file(scratch.path("parts/2").join(file)).unwrap();
    }
    let shown = scratch.done("show parts/2");
    assert!(
        shown.contains("0 of 3 pairs are played.\nResume with: lmrlab resume parts/2\n"),
        "{shown}"
    );
    scratch.done("resume parts/2 --quiet");
    assert!(scratch.path("parts/2/completion.toml").exists());
}

#[test]
fn wrong_parts_are_refused() {
    let scratch = Scratch::new();
    let race = ROUND_ROBIN
        .replace("format = \"round_robin\"", "format = \"race\"")
        .replace("pairs  = 3", "pairs = 30");
    scratch.write("race.toml", &format!("{race}\n[race]\ngoal = \"best\"\nelo = 5.0\n"));
    for (words, why) in [
        (match_words(&["--part", "4/3"]), "the parts have the numbers 1 to 3"),
        (match_words(&["--part", "1/11"]), "the run has 10 pairs"),
        (match_words(&["--part", "1/2", "--json-lines"]), "cannot be used with"),
        (
            vec!["run", "race.toml", "--part", "1/2"],
            "a race cannot be cut into parts",
        ),
    ] {
        let refused = scratch.refused(&words);
        assert!(refused.contains(why), "{refused}");
    }
}

#[test]
fn a_folder_with_another_part_is_left_alone() {
    let scratch = Scratch::new();
    play_part(&scratch, 1, 2, &[]);
    let refused = scratch.refused(&match_words(&["--part", "2/2", "--out", "parts/1"]));
    assert!(
        refused.contains("`parts/1` holds part 1 of 2, and part 2 of 2 is asked for"),
        "{refused}"
    );
    let refused = scratch.refused(&match_words(&[
        "--part",
        "1/2",
        "--out",
        "parts/1",
        "--seed",
        "5",
        "--pgn=none",
    ]));
    assert!(
        refused.contains("seed: 0 against 5") && refused.contains("pgn: full against none"),
        "{refused}"
    );
    scratch.done(&match_words(&["--out", "whole"]));
    let refused = scratch.refused(&match_words(&["--part", "1/2", "--out", "whole"]));
    assert!(refused.contains("holds a whole run"), "{refused}");
    // What was asked for can be had.
    play_part(&scratch, 1, 2, &["--force"]);
    assert!(scratch.done("show parts/1").contains("This is part 1 of 2"));
}

#[test]
fn parts_that_do_not_belong_together_are_named() {
    let scratch = Scratch::new();
    play_parts(&scratch, 3, &[]);
    scratch.done(&match_words(&["--part", "2/3", "--out", "other/seed", "--seed", "9"]));
    scratch.done(&match_words(&["--part", "2/4", "--out", "other/count"]));
    scratch.done(&match_words(&["--out", "whole"]));
    fs::create_dir_all(scratch.path("other/double")).unwrap();
    for entry in fs::read_dir(scratch.path("parts/3")).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), scratch.path("other/double").join(entry.file_name())).unwrap();
    }
    let [one, two, three] = ["parts/1", "parts/2", "parts/3"];
    let said: Vec<String> = [
        &[one, "other/seed", three][..],
        &[one, "other/count", three],
        &[one, two, three, "other/double"],
        &[one, three],
        &[two],
        &[one, two, "whole"],
        &[one, two, "nowhere", "configs"],
    ]
    .iter()
    .map(|parts| scratch.refused(&[&["merge"], *parts, &["--out", "merged"]].concat()))
    .collect();
    insta::assert_snapshot!("parts_that_do_not_belong_together", said.join("\n---\n"));
    // Where they are to go.
    let refused = merge_refused(&scratch, 3, &["--out", "whole"]);
    assert!(refused.contains("exists already"), "{refused}");
    let refused = merge_refused(&scratch, 3, &["--out", "parts/1", "--force"]);
    assert!(refused.contains("is in the folder that is to be replaced"), "{refused}");
}

#[test]
fn other_programs_are_named() {
    let scratch = Scratch::new();
    play_parts(&scratch, 2, &[]);
    let completion = scratch.read("parts/2/completion.toml");
    let bench = completion.lines().find(|line| line.starts_with("bench = ")).unwrap();
    replace_in_manifest(&scratch, "parts/2", bench, "bench = 8");
    let refused = merge_refused(&scratch, 2, &["--out", "merged"]);
    assert!(refused.contains("bench fingerprint: 8 against"), "{refused}");
}

#[test]
fn damaged_parts_are_named() {
    let scratch = Scratch::new();
    play_parts(&scratch, 2, &[]);
    let kept = |name: &str| (name.to_owned(), scratch.read(name));
    let files = ["games.csv", "tasks.csv", "completion.toml", "manifest.toml"];
    let whole: Vec<_> = files.iter().map(|file| kept(&format!("parts/2/{file}"))).collect();
    let results = &whole[0].1;
    let damage: [(&str, String); 8] = [
        ("games.csv", results[..results.len() - 40].to_owned()),
        ("games.csv", results.replacen("1-0", "0-1", 1)),
        ("games.csv", scratch.read("parts/1/games.csv")),
        ("tasks.csv", whole[1].1.replacen("none", "NONE", 1)),
        ("tasks.csv", scratch.read("parts/1/tasks.csv")),
        ("completion.toml", whole[2].1[..30].to_owned()),
        ("completion.toml", scratch.read("parts/1/completion.toml")),
        ("manifest.toml", whole[3].1.replacen("number = 2", "number = 1", 1)),
    ];
    let mut said = Vec::new();
    for (file, text) in damage {
        scratch.write(&format!("parts/2/{file}"), &text);
        said.push(merge_refused(&scratch, 2, &["--out", "merged"]));
        whole.iter().for_each(|(name, text)| scratch.write(name, text));
    }
    insta::assert_snapshot!("damaged_parts", said.join("\n---\n"));
    // An edited line of a part that has not ended, whose digest tells.
    fs::remove_file(scratch.path("parts/2/completion.toml")).unwrap();
    scratch.write("parts/2/games.csv", &results.replacen("1-0", "0-1", 1));
    let refused = merge_refused(&scratch, 2, &["--out", "merged", "--partial"]);
    assert!(
        refused.contains("part 2 of 2 in `parts/2` has a games.csv in which line"),
        "{refused}"
    );
    scratch.write("parts/2/games.csv", results);
    merge(&scratch, 2, &["--out", "merged", "--partial"]);
}

#[test]
fn an_engine_whose_faults_stop_a_run_stops_the_merge() {
    let scratch = Scratch::new();
    let engine = format!(
        "cmd={} name=crashes args='null-move --search 1'",
        crate::scratch::misbehaving_engine()
    );
    let words = [
        "match",
        "none",
        engine.as_str(),
        "--nodes",
        "50",
        "--pairs",
        "6",
        "--hash",
        "1",
        "--quiet",
    ];
    let words = [&words[..], &["--faults-allowed", "3", "--threads", "1"]].concat();
    let whole = scratch
        .lmrlab(&[&words[..], &["--out", "whole"]].concat())
        .assert()
        .code(1);
    let said = String::from_utf8_lossy(&whole.get_output().stderr).into_owned();
    assert!(said.contains("has lost 3 games in a row"), "{said}");
    for (part, out) in [("1/2", "parts/1"), ("2/2", "parts/2")] {
        scratch.done(&[&words[..], &["--part", part, "--out", out]].concat());
    }
    let merged = merge_words(2, &["--out", "merged"]);
    let merged: Vec<&str> = merged.iter().map(String::as_str).collect();
    let merged = scratch.lmrlab(&merged).assert().code(1);
    let said = String::from_utf8_lossy(&merged.get_output().stderr).into_owned();
    assert!(said.contains("has lost 3 games in a row"), "{said}");
    assert_same(&scratch, "whole", "merged");
}

/// A disk on which no file can grow beyond a few kilobytes, as far as the program can tell.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_nothing_behind() {
    let scratch = Scratch::new();
    play_parts(&scratch, 2, &[]);
    let merge = format!(
        "trap '' XFSZ; ulimit -f 8; exec {} merge parts/1 parts/2 --out merged",
        env!("CARGO_BIN_EXE_lmrlab")
    );
    let before = scratch.files();
    let output = std::process::Command::new("sh")
        .args(["-c", &merge])
        .current_dir(scratch.path("."))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("cannot write `merged.merging/"), "{said}");
    assert!(
        said.contains("nothing was merged, and the parts are unchanged"),
        "{said}"
    );
    assert_eq!(scratch.files(), before);
    assert!(!scratch.path("merged.merging").exists());
    // What a killed merge left is replaced.
    scratch.write(
        "merged.merging/manifest.toml",
        "format_version = 3\nlmrlab = \"0.1.0\"\n",
    );
    scratch.write("merged.merging/games.csv", "half");
    self::merge(&scratch, 2, &["--out", "merged"]);
    assert_eq!(scratch.line_count("merged/games.csv"), 21);
    assert!(!scratch.path("merged.merging").exists());
}

#[cfg(unix)]
#[test]
fn pipes_in_place_of_files_are_named() {
    let scratch = Scratch::new();
    play_part(&scratch, 1, 1, &[]);
    merge(&scratch, 1, &["--out", "whole"]);
    for (folder, name, words) in [
        ("parts/1", "tasks.csv", "merge parts/1 --out merged"),
        ("parts/1", "completion.toml", "merge parts/1 --out merged"),
        ("whole", "manifest.toml", "resume whole --quiet"),
        ("whole", "games.csv", "resume whole --quiet"),
        ("whole", "journal.sha256", "resume whole --quiet"),
    ] {
        let (path, aside) = (scratch.path(folder).join(name), scratch.path("aside"));
        fs::rename(&path, &aside).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        let output = scratch
            .lmrlab(words)
            .timeout(std::time::Duration::from_secs(20))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{name}: {said}");
        assert!(said.contains("it is a pipe or a device, not a file"), "{name}: {said}");
        fs::remove_file(&path).unwrap();
        fs::rename(aside, path).unwrap();
    }
}

#[test]
fn two_merges_into_one_folder() {
    let scratch = Scratch::new();
    play_parts(&scratch, 2, &[]);
    merge(&scratch, 2, &["--out", "alone"]);
    let words = merge_words(2, &["--out", "merged"]);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut children: Vec<_> = (0..3).map(|_| scratch.background(&words).spawn().unwrap()).collect();
    let ended: Vec<_> = children.iter_mut().map(|child| child.wait().unwrap().code()).collect();
    assert_eq!(ended.iter().filter(|code| **code == Some(0)).count(), 1, "{ended:?}");
    assert_eq!(ended.iter().filter(|code| **code == Some(2)).count(), 2, "{ended:?}");
    assert_same(&scratch, "alone", "merged");
    assert!(!scratch.path("merged.merging").exists());
}
