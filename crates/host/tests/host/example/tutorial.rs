//! The tutorial: every step of it compiles and plays, and says what it says.

use lmrlab_host::Units;
use tempfile::TempDir;

use super::engine::{Compiler, Engine, compiled};
use super::steps::{STEPS, Step, engines, tutorial};
use crate::policies::{file_of, own_policy, shipped};

/// A number with commas, as the tutorial writes it.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.char_indices() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The cells of the table of steps: the lines that a step adds, and its bench.
fn table() -> Vec<(String, String)> {
    let tutorial = tutorial();
    let rows = tutorial
        .lines()
        .filter(|line| line.starts_with("| 0") || line.starts_with("| ["));
    rows.map(|row| {
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        (cells[3].to_owned(), cells[4].to_owned())
    })
    .collect()
}

#[test]
fn the_tutorial_counts_its_lines() {
    let steps = Step::all();
    let table = table();
    assert_eq!(table.len(), STEPS + 1);
    for (step, (lines, _)) in steps.iter().zip(&table[1..]) {
        assert_eq!(*lines, step.added().to_string());
    }
    let host: usize = steps[1..4].iter().map(Step::added).sum();
    assert!(
        tutorial().contains(&format!("Steps 2 to 4 make the host: {host} lines")),
        "{host} lines"
    );
    assert!(tutorial().contains(&format!("Step 5 adds {}.", steps[4].added())));
}

#[test]
fn the_tutorial_shows_changes_of_its_steps() {
    let engines = engines();
    for (step, pair) in Step::all().iter().zip(engines.windows(2)) {
        step.shows_only_its_changes(&pair[0], &pair[1]);
    }
}

/// A dialogue that every step must manage.
fn play(engine: &Engine) -> Vec<String> {
    let mut session = engine.start();
    let answers = session.ask("uci", "uciok");
    session.tell("setoption name Hash value 1");
    session.tell("ucinewgame");
    assert_eq!(session.ask("isready", "readyok"), ["readyok"]);
    session.tell("position startpos moves e2e4 e7e5 g1f3");
    let found = session.ask("go nodes 3000", "bestmove");
    let best = found[found.len() - 1].clone();
    session.tell(&format!(
        "position startpos moves e2e4 e7e5 g1f3 {}",
        best.replace("bestmove ", "")
    ));
    assert_eq!(session.ask("perft 0", ""), ["1"], "{best} is not legal");
    session.quit();
    answers
}

#[test]
fn every_step_of_the_tutorial_compiles_and_plays_as_it_says() {
    let Some(mut compiler) = Compiler::open() else { return };
    let folder = TempDir::new().unwrap();
    let own = compiled(&folder, &own_policy());
    let none = file_of(&shipped("none"), Units::Lmrlab, &folder);
    let table = table();
    let mut plain = 0;
    for (number, sources) in engines().iter().enumerate() {
        let engine = compiler.build(&format!("step{number}"), sources);
        let bench = engine.bench_nodes(None, &[]);
        assert_eq!(grouped(bench), table[number].1, "step {number}");
        let answers = play(&engine);
        if number == 0 {
            plain = bench;
        }
        if number == 2 {
            for option in ["LmrPolicy", "LmrParams", "LmrTrace", "LmrTraceRate", "LmrShadow"] {
                let beginning = format!("option name {option} type ");
                assert!(answers.iter().any(|line| line.starts_with(&beginning)), "{answers:?}");
            }
            let mut session = engine.start();
            let refused = session.ask(&format!("setoption name LmrPolicy value {own}"), "info string");
            let missing = "error the policy own reads facts that this engine does not fill: ";
            assert!(refused[0].contains(missing), "{refused:?}");
            session.quit();
        }
        if number >= 3 {
            assert_eq!(engine.bench_nodes(None, &[("LmrPolicy", &own)]), bench, "step {number}");
        }
        if number == STEPS {
            assert_eq!(engine.bench_nodes(None, &[("LmrPolicy", &none)]), plain);
        }
        if (3..STEPS).contains(&number) {
            // The whole bench without reductions takes a second.
            let few = Some(4);
            let reference = compiler
                .build(&format!("plain{number}"), &engines()[0])
                .bench_nodes(few, &[]);
            assert_eq!(
                engine.bench_nodes(few, &[("LmrPolicy", &none)]),
                reference,
                "step {number}"
            );
        }
    }
}
