//! Options of tournaments: external engines, openings from a PGN, odds, adjudication, JSON lines.

use std::fs;

use crate::scratch::{ROUND_ROBIN, Scratch, misbehaving_engine};
use lmrlab_results::game_end::Termination;
use lmrlab_results::rows::games::GameRow;
use predicates::prelude::*;

fn run(scratch: &Scratch, text: &str) -> Vec<GameRow> {
    scratch.write("t.toml", text);
    scratch.done("run t.toml --quiet --force --out out");
    scratch.journal("out/games.csv")
}

/// The trio with more keys at its end.
fn trio(more: &str) -> String {
    format!("{ROUND_ROBIN}\n{more}\n")
}

#[test]
fn openings_from_a_pgn() {
    let scratch = Scratch::new();
    scratch.write(
        "book.pgn",
        "[Event \"a\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n[Event \"b\"]\n\n1. d4 {queen's pawn} d5 2. c4 *\n\n1. c4 c5 *\n",
    );
    scratch.done(
        "match none micromax-4 --openings book.pgn --plies 1 --nodes 50 --hash 1 --maxmoves 20 --pairs 3 --quiet --out short",
    );
    scratch.done("resume short --quiet");
    for game in scratch.journal("short/games.csv") {
        assert_eq!(game.fen.split(' ').nth(1), Some("b"));
    }
}

#[test]
fn scores_end_games() {
    let scratch = Scratch::new();
    let games = run(
        &scratch,
        &trio("[adjudication]\nresign = { move_count = 2, score_cp = 150 }\nmax_moves = 60"),
    );
    let of = |termination| games.iter().filter(|game| game.termination == termination).count();
    assert!(of(Termination::WinAdjudication) > 0);
    assert!(games.iter().all(|game| game.plies <= 120));
    let pgn = scratch.read("out/games.pgn");
    assert!(pgn.contains("[Termination \"adjudication\"]"));
    assert!(pgn.contains("wins by adjudication}"), "{pgn}");

    let games = run(
        &scratch,
        &trio("[adjudication]\ndraw = { move_number = 3, move_count = 1, score_cp = 2000 }"),
    );
    for game in &games {
        assert_eq!((game.plies, game.termination), (6, Termination::DrawAdjudication));
    }
}

#[test]
fn every_command_that_plays_ends_games_early() {
    let scratch = Scratch::new();
    let common = "--maxmoves 3 --quiet --out";
    scratch.done(&format!(
        "ablate rebel-starter --measures elo --pairs 1 --match-nodes 30 --hash 1 {common} ablation"
    ));
    let games = scratch.journal("ablation/games.csv");
    assert!(games.iter().all(|game| game.termination == Termination::MoveLimit));
    let short = format!("--pairs 2 --nodes 30 {common}");
    scratch.done(&format!(
        "trial rebel-starter --change=-bad-history --hash 1 {short} trial"
    ));
    scratch.done(&format!("tune rebel-starter --no-gate {short} tuned"));
    for folder in ["trial", "tuned"] {
        let manifest = scratch.read(&format!("{folder}/manifest.toml"));
        assert!(
            manifest.contains("[tuning.adjudication]\nmax_moves = 3\n"),
            "{manifest}"
        );
    }
}

#[test]
fn notes_stand_before_the_first_game() {
    let scratch = Scratch::new();
    let notes = |arguments: &str, out: &str| {
        let common = "--pairs 1 --maxmoves 3 --hash 1 --out";
        let run = scratch
            .lmrlab(&format!("match {arguments} {common} {out}"))
            .assert()
            .success();
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        let notes: Vec<&str> = said.lines().filter(|line| line.starts_with("note: ")).collect();
        notes.join("\n")
    };
    let match_ = notes("glaurung-2.2 none --nodes 30", "match");
    let test = notes("house none --nodes 30 --sprt 0,20", "test");
    insta::assert_snapshot!(format!("{match_}\n\n{test}"));
    assert_eq!(notes("house none --depth 1", "depth"), "");
    let program = format!("'cmd={} args=answer-twice'", misbehaving_engine());
    assert_eq!(notes(&format!("{program} {program} --nodes 30"), "programs"), "");
}

#[test]
fn odds_are_for_one_engine() {
    let scratch = Scratch::new();
    let text = ROUND_ROBIN.replace(
        "policy = \"micromax-4\"",
        "policy = \"micromax-4\"\nlimit = { tc = \"40/0.1+0.001\" }\ntime_margin_ms = 5000",
    );
    let games = run(&scratch, &text.replace("pairs  = 3", "pairs = 1"));
    for game in &games {
        let per_move = |nodes: u64| nodes / game.plies.max(1);
        for (name, nodes) in [(&game.white, game.white_nodes), (&game.black, game.black_nodes)] {
            assert!(name == "micromax" || per_move(nodes) <= 100, "{game:?}");
        }
        // Where time counts for anybody, it is recorded.
        assert_eq!(game.times_ms.0.len() as u64, game.plies);
    }
    let pgn = scratch.read("out/games.pgn");
    assert!(pgn.contains("[WhiteTimeControl \"40/0.1+0.001\"]"));
    assert!(pgn.contains("[BlackTimeControl \"40/0.1+0.001\"]"));
    assert!(!pgn.contains("[TimeControl"));
}

#[test]
fn a_program_from_the_command_line() {
    let scratch = Scratch::new();
    let program = misbehaving_engine();
    let engine = format!("\"cmd={program} name='the program' args='behave --ms 1' option.Hash=2 nodes=50\"");
    scratch.done(&format!(
        "match {engine} 'policy=none name=own nodes=70' --pairs 2 --tc 1+0.1 --maxmoves 5 --draw 4,2,5 --resign 1,9000 \
         --pgn compact --quiet --out out"
    ));
    for game in scratch.journal("out/games.csv") {
        let mut names = [&*game.white, &*game.black];
        names.sort_unstable();
        assert_eq!(names, ["own", "the program"]);
        assert!(game.plies <= 10 && game.fault.is_empty(), "{game:?}");
    }
    let pgn = scratch.read("out/games.pgn");
    assert!(!pgn.contains("n="), "{pgn}");
    scratch.done(&format!(
        "match {engine} none --pairs 1 --nodes 50 --maxmoves 5 --pgn none --quiet --out bare"
    ));
    scratch.done("resume bare --quiet");
    assert!(!scratch.path("bare/games.pgn").exists());
}

#[test]
fn more_games_at_once_than_the_clock_allows_is_a_warning() {
    let scratch = Scratch::new();
    scratch
        .lmrlab("match none none --tc 0.3+0.1 --pairs 1 --maxmoves 3 --threads 64 --pin --out out")
        .assert()
        .success()
        .stderr(predicate::str::contains("64 games at the same time on"));
}

#[test]
fn events_for_scripts() {
    let scratch = Scratch::new();
    let bad = format!("'cmd={} name=bad args=null-move'", misbehaving_engine());
    let text = scratch.done(&format!(
        "match none {bad} --nodes 50 --pairs 2 --json-lines --sprt 0,50 --threads 1 --out out"
    ));
    let events: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(
        kinds,
        [
            "started", "warning", "fault", "fault", "pair", "fault", "fault", "pair", "ended"
        ]
    );
    assert_eq!(events[0]["scheduled_games"], 4);
    assert_eq!(events[1]["engine"], "bad");
    let remark = "sent `bestmove` with `0000` although it has legal moves; it may need more than 50 nodes, or a limit of depth or time";
    assert_eq!(events[1]["warning"], remark);
    assert_eq!(events[2]["engine"], "bad");
    assert_eq!(events[2]["go"], "go nodes 50");
    assert!(events[2]["moves"].as_str().unwrap().split(' ').count() >= 2);
    assert_eq!(events[7]["pentanomial"], serde_json::json!([0, 0, 0, 0, 2]));
    assert_eq!(events[7]["illegal_moves"], 4);
    assert!(events[7]["llr"].as_f64().unwrap() > 0.0);
    assert_eq!(events[8]["ended"], "complete");
    assert_eq!(
        events[8]["no_verdict"],
        "100% of the games were ended by faults of `bad`"
    );
    assert_eq!(events[8]["standings"][0]["engine"], "none");
}

#[test]
fn faults_are_told_with_all_that_replays_them() {
    let scratch = Scratch::new();
    let output = scratch
        .lmrlab(&format!(
            "match none 'cmd={} name=bad args=null-move' --nodes 50 --pairs 20 --faults-allowed inf --out out",
            misbehaving_engine()
        ))
        .assert()
        .success()
        .get_output()
        .clone();
    let text = String::from_utf8(output.stderr).unwrap();
    let game = &scratch.journal("out/games.csv")[0];
    assert_eq!(game.fault_go, "go nodes 50");
    let report = "\ngame 1: `bad` (Black) sent `bestmove` with `0000` although it has legal moves (position and `go`: games.csv)\n";
    assert!(text.contains(report), "{report} in {text}");
    assert!(!text.contains("moves e") && !text.contains(&game.fen), "{text}");
    assert!(text.contains("further faults are only counted here"), "{text}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("illegal moves 40"), "{text}");
    let standings = scratch.read("out/standings.csv");
    assert!(standings.lines().last().unwrap().ends_with(",0,40,0,0"), "{standings}");
}

#[test]
fn oddities_are_told_once() {
    let scratch = Scratch::new();
    let output = scratch
        .lmrlab(&format!(
            "match none 'cmd={} name=odd args=answer-twice option.Contempt=3' --nodes 50 --pairs 2 --maxmoves 5 --threads 1 --out out",
            misbehaving_engine()
        ))
        .assert()
        .success()
        .get_output()
        .clone();
    let text = String::from_utf8(output.stderr).unwrap();
    for remark in [
        "warning: the engine `odd` has no option `Contempt`; the value is sent anyway\n",
        "warning: `odd` sent a `bestmove` without a `go`; it is ignored\n",
    ] {
        assert_eq!(text.matches(remark).count(), 1, "{text}");
    }
    for game in scratch.journal("out/games.csv") {
        assert_eq!(game.termination, Termination::MoveLimit, "{}", game.fault);
    }
}

/// `cargo test --release -p lmrlab --test cli -- --ignored a_million_games`
#[cfg(target_os = "linux")]
#[test]
#[ignore = "takes minutes"]
fn a_million_games_need_no_more_memory_than_ten_thousand() {
    let peak = |pairs: u32| {
        let scratch = Scratch::new();
        let mut child = scratch
            .background(&format!(
                "match none none --nodes 1 --maxmoves 1 --hash 1 --pairs {pairs} --pgn none --quiet --out out"
            ))
            .spawn()
            .unwrap();
        let status = format!("/proc/{}/status", child.id());
        let mut peak = 0;
        while child.try_wait().unwrap().is_none() {
            let text = fs::read_to_string(&status).unwrap_or_default();
            let line = text.lines().find(|line| line.starts_with("VmHWM:"));
            let kib = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
            peak = peak.max(kib.unwrap_or(0));
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        assert_eq!(scratch.read("out/games.csv").lines().count(), 1 + 2 * pairs as usize);
        peak
    };
    let (few, many) = (peak(5_000), peak(500_000));
    println!("{few} KiB for 10,000 games, {many} KiB for 1,000,000");
    assert!(many < few + 20 * 1024, "{few} KiB, {many} KiB");
}
