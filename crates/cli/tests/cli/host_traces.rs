//! `audit` and `profile` of an engine of someone else: by `--host`, and from its traces.

use std::collections::BTreeSet;
use std::fs;

use crate::host_check::Example;

const HOST: &str = "cmd=./engine option.Hash=1";

/// Positions of openings, of a middlegame and of an endgame.
const POSITIONS: &str = "r1bqkbnr/p2ppp1p/n1p3p1/1N6/1P6/7P/P1PPPPP1/R1BQKBNR w KQkq -\n\
                         r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - -\n\
                         r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -\n\
                         r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -\n\
                         2r3k1/1p3pp1/p3p2p/3n4/3P4/P4N1P/1P3PP1/2R3K1 w - -\n";

/// The example engine, built as `engine`, and positions; `None` without a C compiler.
fn example() -> Option<Example> {
    let example = Example::new()?;
    example.build("engine", &example.search);
    example.scratch.write("set.epd", POSITIONS);
    Some(example)
}

/// Runs lmrlab: the exit status, standard output and standard error.
fn lmrlab(example: &Example, command: &str) -> (i32, String, String) {
    let output = example.scratch.lmrlab(command).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// Runs lmrlab with the example as the host: standard output.
#[track_caller]
fn hosted(example: &Example, command: &str) -> String {
    let (status, text, errors) = lmrlab(example, &format!("{command} --host '{HOST}'"));
    assert_eq!(status, 0, "{errors}");
    text
}

#[test]
fn a_host_is_audited_and_its_trace_says_the_same_later() {
    let Some(example) = example() else { return };
    let scratch = &example.scratch;
    let search = "--positions set.epd --depth 4 --rate 0.2";
    let text = hosted(&example, &format!("audit house own {search} --out audit --report"));
    assert_eq!(text.matches("decides 0 otherwise").count(), 2, "{text}");
    assert!(!text.contains("with Threads=1"), "{text}");
    let rows = scratch.read("audit/samples.csv");
    let (header, rows) = rows.split_once('\n').unwrap();
    assert!(header.contains("fact_see") && header.ends_with(",fact_own:takes_last_moved"));
    assert!(rows.starts_with("engine/house,#"), "{rows}");
    let values: BTreeSet<&str> = rows.lines().filter_map(|row| row.rsplit(',').next()).collect();
    assert_eq!(values, ["0", "1"].into());
    let predictors = scratch.read("audit/predictors.csv");
    assert!(
        predictors.contains("\nengine/own,own:takes_last_moved,"),
        "{predictors}"
    );
    assert!(scratch.path("audit/report.html").is_file());

    let traces = "audit --trace audit/engine-house.trace --trace audit/engine-own.trace";
    let (_, again, _) = lmrlab(&example, traces);
    let same = |text: &str| -> Vec<String> {
        let words = ["Control group of ", "reduction "];
        let lines = text
            .lines()
            .filter(|line| words.iter().any(|word| line.starts_with(word)));
        lines.map(str::to_owned).collect()
    };
    // A trace names the engine; the command line has only its program.
    assert_eq!(same(&text), same(&again.replace("Example 1.0/", "engine/")));
    assert_eq!(same(&text).len(), 4, "{text}");

    // A mistake in the shadow searches shows in the control group.
    let right = "lmr_judged(lmr, score > n->alpha";
    assert!(example.search.contains(right));
    let wrong = example.search.replace(right, "lmr_judged(lmr, score <= n->alpha");
    example.build("engine", &wrong);
    let text = hosted(&example, &format!("audit own {search}"));
    assert!(text.contains("with Threads=1"), "{text}");

    for (command, complaint) in [
        (
            format!("audit house --host '{HOST}' --preset minimal"),
            "cannot be used with",
        ),
        (
            format!("audit house --host '{HOST}' --threads 2"),
            "cannot be used with",
        ),
        (
            "audit house --host cmd=./nothing".to_owned(),
            "there is no program `./nothing`",
        ),
    ] {
        let errors = scratch.refused(&command);
        assert!(errors.contains(complaint), "{command}: {errors}");
    }
}

/// A policy that reads a fact of the example alone.
const TAKES: &str = "name = \"takes\"\nwhen = \"depth >= 2 and moves_searched >= 1\"\nreduce = \"1\"\n[host]\nflags = [\"takes_last_moved\"]\n\
                     [[rule]]\nname = \"retakes\"\nwhen = \"takes_last_moved\"\nadd = \"-1\"\n";

#[test]
fn a_host_is_profiled_and_damaged_traces_are_named() {
    let Some(example) = example() else { return };
    let scratch = &example.scratch;
    scratch.write("takes.toml", TAKES);
    let text = hosted(&example, "profile takes.toml --depth 4 --rate 1 --out profile --report");
    assert!(text.contains("engine/takes by fact"), "{text}");
    let count = |file: &str, key: &str, place: usize| -> u64 {
        let text = scratch.read(file);
        let row = text.lines().find_map(|line| line.strip_prefix(key));
        let row = row.unwrap_or_else(|| panic!("{key}: {text}"));
        row.split(',').nth(place).unwrap().parse().unwrap()
    };
    let (moves, reduced) = [0, 1]
        .map(|place| count("profile/totals.csv", "engine/takes,", place))
        .into();
    assert!(moves > reduced && reduced > 300, "{moves} {reduced}");
    let without = count("profile/facts.csv", "engine/takes,own:takes_last_moved,0,0,", 0);
    let by_fact = count("profile/facts.csv", "engine/takes,own:takes_last_moved,1,1,", 0);
    assert!(without > 0 && by_fact > 0);
    assert_eq!(count("profile/rules.csv", "engine/takes,retakes,", 0), by_fact);

    scratch.write("no.trace", "lmrlab-trace 2\n");
    for (command, complaint) in [
        ("audit --trace profile/engine-takes.trace", "has no shadow searches"),
        ("profile --trace no.trace", "cannot read the trace `no.trace`"),
    ] {
        let errors = scratch.refused(command);
        assert!(errors.contains(complaint), "{errors}");
    }
    let bytes = fs::read(scratch.path("profile/engine-takes.trace")).unwrap();
    fs::write(scratch.path("cut.trace"), &bytes[..bytes.len() - 5]).unwrap();
    let (status, _, errors) = lmrlab(&example, "profile --trace cut.trace");
    assert_eq!(status, 0, "{errors}");
    assert!(errors.contains("was written in part, and is left out"), "{errors}");
}
