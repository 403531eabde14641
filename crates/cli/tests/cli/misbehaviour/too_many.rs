//! Too many faults: a run stops after some in a row, and no test or race ends on them.

use super::trouble::{engine, gauntlet};
use crate::scratch::{Scratch, misbehaving_engine};

/// A match of `none` against an engine with this habit.
fn bad(words: &str) -> String {
    format!("cmd={} name=bad args='{words}'", misbehaving_engine())
}

/// Such a match, with more words: its exit status, and what it prints and says.
fn play(scratch: &Scratch, words: &str, out: &str, more: &str) -> (Option<i32>, String, String) {
    let bad = bad(words);
    let arguments = format!("match none {bad:?} --nodes 50 --maxmoves 8 --hash 1 --quiet --out {out} {more}");
    let output = scratch.lmrlab(&arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_run_stops_after_faults_in_a_row_and_goes_on() {
    let scratch = Scratch::new();
    let (status, said, complaint) = play(&scratch, "null-move --search 1", "one", "--pairs 20 --threads 7");
    assert_eq!((status, &*said), (Some(1), ""), "{complaint}");
    for part in [
        "`bad` has lost 5 games in a row by crashes, stalls or illegal moves; in game 5 it sent `bestmove` with `0000`",
        "resume with `lmrlab resume one`",
    ] {
        assert!(complaint.contains(part), "{complaint}");
    }
    assert_eq!(scratch.journal("one/games.csv").len(), 6);
    assert!(!scratch.path("one/waiting.csv").exists());
    // Five more.
    let (_, complaint) = scratch.ends(1, "resume one --quiet");
    assert!(complaint.contains("has lost 10 games in a row"), "{complaint}");
    assert_eq!(scratch.journal("one/games.csv").len(), 10);
    // To the end, which is the same as if nothing had stopped it.
    scratch.done("resume one --quiet --faults-allowed inf");
    let whole = "--pairs 20 --threads 1 --faults-allowed inf";
    assert_eq!(play(&scratch, "null-move --search 1", "whole", whole).0, Some(0));
    assert_eq!(scratch.read("one/games.csv"), scratch.read("whole/games.csv"));
    for (folder, allowed) in [("whole", "\"inf\""), ("one", "5")] {
        let manifest = scratch.read(&format!("{folder}/manifest.toml"));
        assert!(
            manifest.contains(&format!("\nfaults_allowed = {allowed}\n")),
            "{manifest}"
        );
    }
}

#[test]
fn the_number_in_a_row_can_be_chosen() {
    let scratch = Scratch::new();
    let (status, _, complaint) = play(&scratch, "null-move", "option", "--faults-allowed 2 --pairs 20");
    assert_eq!(status, Some(1));
    assert!(complaint.contains("`bad` has lost 2 games in a row"), "{complaint}");
    // Every other game goes wrong: never two in a row.
    let more = "--faults-allowed 2 --pairs 6 --threads 1";
    assert_eq!(
        play(&scratch, "crash-at-newgame --game 2", "alternating", more).0,
        Some(0)
    );
    let engines = [engine("hub", "behave"), engine("bad", "null-move --search 1")];
    let text = gauntlet("nodes = 100", &engines).replace("pairs = 1", "pairs = 20\nfaults_allowed = 3");
    scratch.write("t.toml", &text);
    let (_, complaint) = scratch.ends(1, "run t.toml --quiet --out file");
    assert!(complaint.contains("`bad` has lost 3 games in a row"), "{complaint}");
    assert!(scratch.read("file/manifest.toml").contains("\nfaults_allowed = 3\n"));
    let complaint = scratch.refused("match none none --faults-allowed 0");
    assert!(complaint.contains("--faults-allowed"), "{complaint}");
}

#[test]
fn a_test_does_not_end_on_faults() {
    let scratch = Scratch::new();
    let more = "--sprt 0,100 --pairs 40 --faults-allowed inf --threads 5";
    let (status, said, complaint) = play(&scratch, "null-move --search 1", "one", more);
    assert_eq!(status, Some(0), "{complaint}");
    assert!(
        said.contains("- no verdict: 100% of the games were ended by faults of `bad`"),
        "{said}"
    );
    assert!(!said.contains("accepted") && !said.contains("Test  |"), "{said}");
    assert_eq!(scratch.journal("one/games.csv").len(), 80, "to its limit");
    let shown = scratch.done("show one");
    assert!(shown.contains("no verdict: 100% of the games"), "{shown}");
    let json: serde_json::Value = serde_json::from_str(&scratch.done("show one --json")).unwrap();
    assert_eq!(json["no_verdict"], "100% of the games were ended by faults of `bad`");
    assert_eq!(json["ended"], "complete");
    assert!(json["sprt_estimate"].is_null());

    // Without faults the same margin ends the test early.
    let resigned = "--sprt 0,100 --pairs 40 --resign 1,1000";
    let (status, said, _) = play(&scratch, "see-losses --search 1", "lost", resigned);
    assert_eq!(status, Some(0));
    assert!(said.contains("accepted: H1"), "{said}");
    assert!(scratch.journal("lost/games.csv").len() < 80);

    // Two faults, then losses by adjudication: the test waits until 2 are at most 5% of the games.
    let words = "see-losses --search 1 --fail-games 2";
    let more = "--sprt 0,300 --pairs 40 --resign 1,1000 --threads 1";
    let (status, said, complaint) = play(&scratch, words, "out", more);
    assert_eq!(status, Some(0), "{complaint}");
    assert!(said.contains("accepted: H1"), "{said}");
    assert_eq!(scratch.journal("out/games.csv").len(), 40, "{said}");
}

#[test]
fn a_race_does_not_decide_on_faults() {
    let scratch = Scratch::new();
    let engines = [
        engine("good", "behave"),
        engine("bad", "null-move --search 1"),
        engine("fair", "behave"),
    ];
    let text = gauntlet("nodes = 100", &engines)
        .replace("format = \"gauntlet\"", "format = \"race\"")
        .replace("pairs = 1", "pairs = 400\nfaults_allowed = \"inf\"")
        + "[race]\ngoal = \"best\"\nelo = 50.0\n";
    scratch.write("race.toml", &text);
    let said = scratch.done("run race.toml --quiet --threads 6 --out out");
    assert!(
        said.contains("There is no verdict: 100% of the games of `bad` were ended by its faults."),
        "{said}"
    );
    assert!(said.contains("The race was stopped after "), "{said}");
    assert!(!said.contains("dropped") && !said.contains("is the best"), "{said}");
    let games = scratch.read("out/games.csv");
    let json: serde_json::Value = serde_json::from_str(&scratch.done("show out --json")).unwrap();
    assert_eq!(json["ended"], "race_stopped");
    assert_eq!(
        json["no_verdict"],
        "100% of the games of `bad` were ended by its faults"
    );
    let resumed = scratch.done("resume out --quiet");
    assert!(resumed.contains("The race was stopped after "), "{resumed}");
    assert_eq!(scratch.read("out/games.csv"), games);
}

#[test]
fn engines_that_do_not_keep_to_nodes_or_find_no_move_are_found_out() {
    let scratch = Scratch::new();
    for (words, more, pairs, printed) in [
        (
            "hang-but-stop",
            "answer=300",
            "1",
            "warning: `bad` does not obey `go nodes 50`: it searched on until its deadline; use a limit of time or \
             depth\n",
        ),
        (
            "search-on-and-on --search 1",
            "",
            "12",
            "warning: `bad` does not obey `go nodes 50`: it reported 123456 nodes, and far too many in 5 searches; use a \
             limit of time or depth\n",
        ),
        (
            "none-move",
            "",
            "12",
            "warning: `bad` sent `bestmove` with `(none)` although it has legal moves; it may need more than 50 nodes, or a \
             limit of depth or time\n",
        ),
    ] {
        let bad = format!("{} {more}", bad(words));
        let said = scratch.warned(&format!(
            "match none {bad:?} --nodes 50 --maxmoves 8 --hash 1 --pairs {pairs} --threads 3 --faults-allowed inf --force --out out"
        ));
        assert_eq!(said.matches(printed).count(), 1, "{said}");
    }
}
