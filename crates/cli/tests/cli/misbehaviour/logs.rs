//! What programs say is written: the last lines before each fault, and all lines when that is asked for.

use super::trouble::{engine, gauntlet, play};
use crate::scratch::{Scratch, misbehaving_engine};

#[test]
fn the_last_lines_before_a_fault_are_beside_the_results() {
    let scratch = Scratch::new();
    let once = scratch.path("once").display().to_string();
    let crash = format!("crash-at-start --after {once}");
    let engines = [
        engine("good", "behave"),
        engine("bad", "illegal-move"),
        engine("dead", &crash),
        engine("none", "none-move"),
    ];
    let games = play(&scratch, &gauntlet("nodes = 100", &engines));
    let faults: Vec<_> = games.iter().filter(|game| !game.fault.is_empty()).collect();
    let text = scratch.read("out/faults.log");
    let sections: Vec<&str> = text.split("\n\n").filter(|part| !part.trim().is_empty()).collect();
    assert_eq!(sections.len(), faults.len(), "{text}");
    for game in faults {
        let loser = if game.white == "good" { &game.black } else { &game.white };
        let heading = format!("game {}: `{loser}` {}", game.game, game.fault);
        let section = sections.iter().find(|section| section.starts_with(&heading));
        let section = section.unwrap_or_else(|| panic!("no {heading:?} in {text}"));
        let last = section.lines().next_back().unwrap();
        match loser.as_str() {
            "bad" => {
                assert!(section.contains(" > go nodes 100\n"), "{section}");
                assert!(last.ends_with(" < bestmove a1a1"), "{section}");
            }
            "none" => assert!(last.ends_with(" < bestmove (none)"), "{section}"),
            _ => assert!(last.ends_with(" ! cannot find my network"), "{section}"),
        }
        assert!(section.lines().count() <= 51);
    }
}

#[test]
fn a_log_has_all_lines_with_time_engine_game_and_direction() {
    let scratch = Scratch::new();
    let engines = [engine("good", "behave"), engine("loud", "fill-errors")];
    scratch.write("trouble.toml", &gauntlet("nodes = 100", &engines));
    scratch.done("run trouble.toml --log=all.log --quiet --out=out");
    assert!(!scratch.path("out/faults.log").exists(), "there was no fault");
    let text = scratch.read("all.log");
    let mut lines = text.lines();
    assert!(lines.next().unwrap().starts_with("# 20"), "{text}");
    let mut seen = std::collections::BTreeSet::new();
    let mut before = 0.0;
    for line in lines {
        let words: Vec<&str> = line.splitn(5, ' ').collect();
        let seconds: f64 = words[0].parse().unwrap();
        // Two threads write.
        assert!(seconds + 1.0 > before, "{line}");
        before = seconds;
        assert!(["good", "loud"].contains(&words[1]), "{line}");
        assert!(["1", "2"].contains(&words[2]), "{line}");
        seen.insert((words[1], words[3]));
    }
    let seen: Vec<String> = seen.into_iter().map(|(name, sign)| format!("{name} {sign}")).collect();
    assert_eq!(seen, ["good <", "good >", "loud !", "loud <", "loud >"]);
    for game in 1..=2 {
        assert!(text.contains(&format!(" good {game} > go nodes 100\n")), "{text}");
    }
}

#[test]
fn a_log_that_would_stay_empty_is_refused() {
    let scratch = Scratch::new();
    for more in ["", "--executor 'lmrlab resume {folder}'"] {
        let said = scratch.refused(&format!(
            "match none logarithm --nodes 100 --pairs 1 --out out --log all.log {more}"
        ));
        assert!(said.contains("and it starts none"), "{said}");
    }
}

/// A match of a program that writes a log, with the log and more words.
fn logged(scratch: &Scratch, engine: &str, (log, out): (&str, &str), more: &str) -> assert_cmd::assert::Assert {
    let words = format!(
        "match mine.toml 'cmd={engine} args=behave name=e' --openings positions/openings.epd --nodes 5 --pairs 1 --maxmoves 2 \
         --hash 1 --threads 1 --quiet --out {out} --log {log} {more}"
    );
    scratch.lmrlab(&words).assert()
}

#[test]
fn a_log_takes_the_place_of_no_other_file() {
    let scratch = Scratch::new();
    scratch.write("mine.toml", "name = \"mine\"\nextends = \"house\"\n");
    scratch.write("notes.txt", "keep me");
    let engine = scratch.path("engine").display().to_string();
    std::fs::copy(misbehaving_engine(), &engine).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("mine.toml", scratch.path("link")).unwrap();
    let content = |name: &str| std::fs::read(scratch.path(name)).unwrap();
    let files = ["positions/openings.epd", "mine.toml", "engine", "notes.txt"];
    let before = files.map(content);
    let refused = |log: &str, more: &str| {
        let output = logged(&scratch, &engine, (log, "out"), more)
            .code(2)
            .get_output()
            .clone();
        assert_eq!(files.map(content), before, "{log}");
        assert!(!scratch.path("out").exists(), "{log}");
        String::from_utf8(output.stderr).unwrap()
    };
    for more in ["", "--force"] {
        for input in ["positions/openings.epd", "mine.toml", "engine"] {
            let said = refused(input, more);
            assert!(said.contains(&format!("would overwrite the input `{input}`")), "{said}");
        }
        #[cfg(unix)]
        assert!(refused("link", more).contains("would overwrite the input"));
        for own in ["out/games.csv", "out/faults.log"] {
            let said = refused(own, more);
            assert!(said.contains("a file of a run"), "{said}");
        }
        assert!(refused("nowhere/all.log", more).contains("there is no folder"));
        assert!(refused("positions", more).contains("is a folder"));
    }
    let said = refused("notes.txt", "");
    assert!(
        said.contains("is no log of lmrlab") && said.contains("--force"),
        "{said}"
    );
    logged(&scratch, &engine, ("notes.txt", "out"), "--force").success();
    assert!(scratch.read("notes.txt").starts_with("# 20"));
    // Another run's file, with another run.
    let said = logged(&scratch, &engine, ("out/games.csv", "second"), "--force");
    said.code(2).stderr(predicates::str::contains("a file of a run"));
}

#[test]
fn a_log_is_continued_by_later_runs_and_by_resume() {
    let scratch = Scratch::new();
    scratch.write("mine.toml", "name = \"mine\"\nextends = \"house\"\n");
    let begun = || scratch.read("all.log").matches("\n#").count() + 1;
    for run in 1..=2 {
        logged(&scratch, misbehaving_engine(), ("all.log", "out"), "--force").success();
        assert_eq!(begun(), run);
    }
    let before = scratch.read("all.log");
    scratch.write("notes.txt", "keep me");
    let said = scratch.refused("resume out --log notes.txt");
    assert!(
        said.contains("is no log of lmrlab") && !said.contains("--force"),
        "{said}"
    );
    scratch.done("resume out --quiet --log all.log");
    assert!(scratch.read("all.log").starts_with(&before));
    assert_eq!(begun(), 3);
    // A log in the folder of its run, and one that goes to a device.
    logged(&scratch, misbehaving_engine(), ("third/all.log", "third"), "").success();
    assert!(scratch.read("third/all.log").contains(" > go nodes 5\n"));
    #[cfg(unix)]
    logged(&scratch, misbehaving_engine(), ("/dev/null", "fourth"), "").success();
}
