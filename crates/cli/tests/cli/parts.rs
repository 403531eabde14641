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

/// A match of ten pairs.
const MATCH: &str = "match none mediocre-2007 --nodes 60 --pairs 10 --hash 1 --threads 2 --quiet";

/// Plays a part of the match into `parts/NUMBER`.
fn play_part(scratch: &Scratch, number: u64, of: u64) {
    scratch.done(&format!("{MATCH} --part {number}/{of} --out parts/{number}"));
}

/// Plays all parts of a run into folders `parts/NUMBER`.
fn play_parts(scratch: &Scratch, run: &str, of: u64) {
    for number in 1..=of {
        scratch.done(&format!("{run} --part {number}/{of} --out parts/{number}"));
    }
}

/// Merges parts into `merged`.
fn merge(of: u64, more: &str) -> String {
    let parts: String = (1..=of).map(|number| format!("parts/{number} ")).collect();
    format!("merge {parts} --out merged {more}")
}

/// `merged` has the same results as another folder. PGN has the date of the run, which may change at midnight.
#[track_caller]
fn assert_merged(scratch: &Scratch, whole: &str) {
    for file in SAME {
        let [one, other] = [whole, "merged"].map(|folder| fs::read(scratch.path(folder).join(file)).ok());
        assert!(one == other, "{file} differs");
    }
    assert!(scratch.path("merged/games.csv").exists());
    let names = |folder: &str| -> Vec<_> {
        let entries = fs::read_dir(scratch.path(folder)).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names(whole), names("merged"));
}

#[test]
fn parts_come_to_what_one_machine_comes_to() {
    let scratch = Scratch::new();
    let gauntlet = ROUND_ROBIN.replace(
        "format = \"round_robin\"",
        "format = \"gauntlet\"\ngauntlet_engine = \"mediocre\"",
    );
    scratch.write("gauntlet.toml", &gauntlet);
    for (run, of) in [(MATCH, 1), (MATCH, 5), ("run gauntlet.toml --quiet", 2)] {
        scratch.done(&format!("{run} --out whole"));
        play_parts(&scratch, run, of);
        scratch.done(&merge(of, ""));
        assert_merged(&scratch, "whole");
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
    let run = "match none mediocre-2007 --nodes 800 --maxmoves 60 --pairs 6 --hash 1 --threads 1 --quiet";
    scratch.done(&format!("{run} --out whole"));
    let second = format!("{run} --part 2/2 --out parts/2");
    // Killed while it is made, and while it is played.
    scratch.write("parts/2/tasks.csv", "pair,round");
    scratch.write("parts/2/.lmrlab-x", "format_ver");
    let child = scratch.background(&second).spawn().unwrap();
    wait_until(|| scratch.line_count("parts/2/games.csv") > 2);
    kill(child);
    assert!(!scratch.path("parts/2/.lmrlab-x").exists());
    assert!(!scratch.path("parts/2/completion.toml").exists());
    scratch.done(&format!("{run} --part 1/2 --out parts/1"));
    let refused = scratch.refused(&merge(2, ""));
    assert!(
        refused.contains("part 2 of 2 in `parts/2` is not finished") && refused.contains("lmrlab resume parts/2"),
        "{refused}"
    );
    assert_eq!(scratch.done(&second), "Part 2 of 2 is complete\n");
    assert_eq!(scratch.done(&second), "Part 2 of 2 was complete already\n");
    scratch.done(&merge(2, ""));
    assert_merged(&scratch, "whole");
    // A folder with anything else is not that of a part.
    scratch.write("parts/3/notes.txt", "mine");
    let refused = scratch.refused(&format!("{run} --part 1/2 --out parts/3"));
    assert!(refused.contains("exists already"), "{refused}");
}

#[test]
fn a_test_ends_where_one_machine_ends_it() {
    let scratch = Scratch::new();
    // A strong engine against a weak one.
    let run = "match house none --depth 2 --hash 1 --sprt -400,-300 --model logistic --maxmoves 60 --threads 2 --quiet --pairs 30";
    let whole = scratch.done(&format!("{run} --out whole"));
    assert!(whole.contains("The test accepts: "), "{whole}");
    play_parts(&scratch, run, 3);
    for number in 1..=3 {
        let games = scratch.line_count(&format!("parts/{number}/games.csv"));
        assert_eq!(games, 21, "all pairs are played");
    }
    let merged = scratch.done(&merge(3, ""));
    assert_merged(&scratch, "whole");
    let played = (scratch.line_count("whole/games.csv") - 1) / 2;
    let unused = 30 - played;
    for said in [
        format!("Games | {}: ", 2 * played),
        format!("{unused} pairs after the decision were played and are not used."),
    ] {
        assert!(merged.contains(&said), "{merged}");
    }
    // The pairs of a part say nothing of the test.
    assert!(!scratch.done("show parts/2").contains("SPRT"));
}

#[test]
fn an_incomplete_set_says_so_wherever_it_is_shown() {
    let scratch = Scratch::new();
    scratch.done(&format!("{MATCH} --out whole"));
    play_parts(&scratch, MATCH, 5);
    fs::remove_dir_all(scratch.path("parts/2")).unwrap();
    // The fourth part was killed after its first pair.
    fs::remove_file(scratch.path("parts/4/completion.toml")).unwrap();
    let games = scratch.read("parts/4/games.csv");
    let lines: Vec<&str> = games.lines().collect();
    let cut = format!("{}\n{}", lines[..3].join("\n"), &lines[3][..9]);
    scratch.write("parts/4/games.csv", &cut);
    let some = "merge parts/1 parts/3 parts/4 parts/5 --out merged";
    insta::assert_snapshot!("merge_of_an_incomplete_set", scratch.refused(some));
    let merged = scratch.done(&format!("{some} --partial"));
    let note = "This is not the whole run: of its 5 parts, 2 is missing and 4 is not finished; 3 pairs are left out.";
    assert!(merged.contains(note), "{merged}");
    let manifest = scratch.read("merged/manifest.toml");
    assert!(
        manifest.contains("[merged]\nparts = 5\nmissing = [2]\nunfinished = [4]"),
        "{manifest}"
    );
    let games = |folder: &str| scratch.journal(&format!("{folder}/games.csv"));
    let there = games("whole")
        .into_iter()
        .filter(|game| ![3, 4, 8].contains(&game.pair));
    assert!(there.eq(games("merged")), "the pairs keep their numbers");

    let shown = scratch.done("show merged");
    assert!(shown.contains(note) && !shown.contains("resume"), "{shown}");
    assert!(scratch.warned("show merged --json").contains(note));
    let compared = scratch.done("compare merged whole");
    assert!(compared.contains("not the whole run"), "{compared}");
    let refused = scratch.refused("resume merged");
    assert!(refused.contains("was merged with `--partial`") && refused.contains("merge all parts again"));
    assert!(scratch.refused("show merged --game 5").contains("has no game 5"));

    // With what was missing it becomes the whole run.
    play_part(&scratch, 2, 5);
    scratch.done("resume parts/4 --quiet");
    scratch.done(&merge(5, "--force"));
    assert_merged(&scratch, "whole");
    assert!(!scratch.done("show merged").contains("not the whole run"));
}

#[test]
fn a_part_is_shown_as_what_it_is() {
    let scratch = Scratch::new();
    play_part(&scratch, 2, 3);
    insta::assert_snapshot!("show_of_a_part", scratch.done("show parts/2"));
    scratch.done("report parts/2");
    let page = scratch.read("parts/2/report.html");
    assert!(page.contains("This is part 2 of 3 of the run none vs mediocre-2007: pairs 4 to 6 of 10."));
    assert!(scratch.done("show parts/2 --game 7").contains("[Round \"4.1\"]"));
    let refused = scratch.refused("show parts/2 --game 1");
    assert!(refused.contains("its games have the numbers 7 to 12"), "{refused}");
    assert_eq!(scratch.done("resume parts/2"), "Part 2 of 3 was complete already\n");
    let refused = scratch.refused("resume parts/2 --report");
    assert!(refused.contains("is for tournaments"), "{refused}");
    // One that was not begun.
    for file in ["completion.toml", "games.csv", "journal.sha256", "report.html"] {
        fs::remove_file(scratch.path("parts/2").join(file)).unwrap();
    }
    let shown = scratch.done("show parts/2");
    let resume = "interrupted after 0 of 3 pairs; `lmrlab resume parts/2` resumes it.";
    assert!(shown.contains(resume), "{shown}");
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
    play_part(&scratch, 1, 2);
    scratch.done(&format!("{MATCH} --out whole"));
    for (words, why) in [
        (format!("{MATCH} --part 4/3"), "the parts have the numbers 1 to 3"),
        (format!("{MATCH} --part 1/11"), "the run has 10 pairs"),
        (format!("{MATCH} --part 1/2 --json-lines"), "cannot be used with"),
        ("run race.toml --part 1/2".to_owned(), "a race cannot be cut into parts"),
        // A folder with another part.
        (
            format!("{MATCH} --part 2/2 --out parts/1"),
            "`parts/1` holds part 1 of 2, and part 2 of 2 is asked for",
        ),
        (
            format!("{MATCH} --part 1/2 --out parts/1 --seed 5"),
            "seed: 0 against 5",
        ),
        (format!("{MATCH} --part 1/2 --out whole"), "holds a whole run"),
    ] {
        let refused = scratch.refused(&words);
        assert!(refused.contains(why), "{refused}");
    }
    scratch.done(&format!("{MATCH} --part 2/2 --out parts/1 --force"));
    assert!(scratch.done("show parts/1").contains("This is part 2 of 2"));
}

#[test]
fn parts_that_do_not_belong_together_are_named() {
    let scratch = Scratch::new();
    play_parts(&scratch, MATCH, 3);
    scratch.done(&format!("{MATCH} --part 2/3 --out other/seed --seed 9"));
    scratch.done(&format!("{MATCH} --part 2/4 --out other/count"));
    scratch.done(&format!("{MATCH} --out whole"));
    fs::create_dir_all(scratch.path("other/double")).unwrap();
    for entry in fs::read_dir(scratch.path("parts/3")).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), scratch.path("other/double").join(entry.file_name())).unwrap();
    }
    let said = [
        "parts/1 other/seed parts/3",
        "parts/1 other/count parts/3",
        "parts/1 parts/2 parts/3 other/double",
        "parts/1 parts/3",
        "parts/2",
        "parts/1 parts/2 whole",
        "parts/1 parts/2 nowhere configs",
    ]
    .map(|parts| scratch.refused(&format!("merge {parts} --out merged")));
    insta::assert_snapshot!("parts_that_do_not_belong_together", said.join("\n---\n"));
    // Where they are to go.
    let parts = "merge parts/1 parts/2 parts/3";
    let refused = scratch.refused(&format!("{parts} --out whole"));
    assert!(refused.contains("exists already"), "{refused}");
    let refused = scratch.refused(&format!("{parts} --out parts/1 --force"));
    assert!(refused.contains("parts/1"), "{refused}");
}

#[test]
fn damaged_parts_are_named() {
    let scratch = Scratch::new();
    play_parts(&scratch, MATCH, 2);
    let files = ["games.csv", "tasks.csv", "completion.toml", "manifest.toml"];
    let whole = files.map(|file| (format!("parts/2/{file}"), scratch.read(&format!("parts/2/{file}"))));
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
        said.push(scratch.refused(&merge(2, "")));
        whole.iter().for_each(|(name, text)| scratch.write(name, text));
    }
    insta::assert_snapshot!("damaged_parts", said.join("\n---\n"));
    // An edited line of a part that has not ended, which its digest shows.
    fs::remove_file(scratch.path("parts/2/completion.toml")).unwrap();
    scratch.write("parts/2/games.csv", &results.replacen("1-0", "0-1", 1));
    let refused = scratch.refused(&merge(2, "--partial"));
    assert!(
        refused.contains("has a games.csv that is damaged: line") && refused.contains("was edited"),
        "{refused}"
    );
    scratch.write("parts/2/games.csv", results);
    scratch.done(&merge(2, "--partial"));
}

#[test]
fn an_engine_whose_faults_stop_a_run_stops_the_merge() {
    let scratch = Scratch::new();
    let engine = crate::scratch::misbehaving_engine();
    let run = format!(
        "match none \"cmd={engine} name=crashes args='null-move --search 1'\" --nodes 50 --pairs 6 --hash 1 --quiet \
         --faults-allowed 3 --threads 1"
    );
    play_parts(&scratch, &run, 2);
    for command in [format!("{run} --out whole"), merge(2, "")] {
        let (_, said) = scratch.ends(1, &command);
        assert!(said.contains("has lost 3 games in a row"), "{said}");
    }
    assert_merged(&scratch, "whole");
}

/// A disk on which no file can grow beyond a few kilobytes, as far as the program can tell.
#[cfg(unix)]
#[test]
fn a_merge_that_fails_leaves_nothing_behind() {
    let scratch = Scratch::new();
    play_parts(&scratch, MATCH, 2);
    let before = scratch.files();
    let program = env!("CARGO_BIN_EXE_lmrlab");
    let output = std::process::Command::new("sh")
        .args([
            "-c",
            &format!("trap '' XFSZ; ulimit -f 8; exec {program} {}", merge(2, "")),
        ])
        .current_dir(scratch.path("."))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    let named = said.contains("cannot write `merged/") && said.contains("nothing was merged");
    assert!(named, "{said}");
    assert_eq!(scratch.files(), before);
}

#[cfg(unix)]
#[test]
fn pipes_in_place_of_files_are_named() {
    let scratch = Scratch::new();
    play_part(&scratch, 1, 1);
    scratch.done(&format!("{MATCH} --out whole"));
    for (file, words) in [
        ("parts/1/tasks.csv", "merge parts/1 --out merged"),
        ("parts/1/completion.toml", "merge parts/1 --out merged"),
        ("whole/manifest.toml", "resume whole --quiet"),
        ("whole/games.csv", "resume whole --quiet"),
        ("whole/journal.sha256", "resume whole --quiet"),
    ] {
        let (path, aside) = (scratch.path(file), scratch.path("aside"));
        fs::rename(&path, &aside).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        let said = scratch.ends(2, words).1;
        assert!(said.contains("it is a pipe or a device, not a file"), "{file}: {said}");
        fs::remove_file(&path).unwrap();
        fs::rename(aside, path).unwrap();
    }
}
