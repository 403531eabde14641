//! `audit` and `profile` of an engine of someone else: by `--host`, and from its traces.

use std::collections::BTreeSet;
use std::fs;

use crate::host_check::Example;
use crate::scratch::Arguments;

const HOST: &str = "cmd=./engine option.Hash=1";

/// Positions of openings, of a middlegame and of an endgame.
const POSITIONS: &str = "r1bqkbnr/p2ppp1p/n1p3p1/1N6/1P6/7P/P1PPPPP1/R1BQKBNR w KQkq -\n\
                         r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - -\n\
                         r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -\n\
                         r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -\n\
                         2r3k1/1p3pp1/p3p2p/3n4/3P4/P4N1P/1P3PP1/2R3K1 w - -\n";

/// The example engine; `None` without a C compiler.
fn example() -> Option<Example> {
    let example = Example::new()?;
    example.build("engine", &example.search);
    Some(example)
}

/// Runs lmrlab: the exit status, standard output and standard error.
fn lmrlab(example: &Example, arguments: impl Arguments) -> (i32, String, String) {
    let output = example.scratch.lmrlab(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_host_is_audited_and_its_trace_says_the_same_later() {
    let Some(example) = example() else { return };
    example.scratch.write("set.epd", POSITIONS);
    let audit = [
        "audit",
        "house",
        "own",
        "--host",
        HOST,
        "--positions",
        "set.epd",
        "--depth",
        "4",
        "--rate",
        "0.2",
        "--out",
        "audit",
        "--report",
    ];
    let (status, text, errors) = lmrlab(&example, &audit);
    assert_eq!(status, 0, "{errors}");
    assert_eq!(text.matches("decides 0 otherwise").count(), 2, "{text}");
    let rows = fs::read_to_string(example.scratch.path("audit/samples.csv")).unwrap();
    let first = rows.lines().nth(1).unwrap();
    assert!(first.starts_with("engine/house,#"), "{first}");
    assert!(rows.lines().next().unwrap().contains("fact_see"));
    assert!(rows.lines().next().unwrap().ends_with(",fact_own:takes_last_moved"));
    let last = |row: &str| row.rsplit(',').next().unwrap().to_owned();
    let values: BTreeSet<String> = rows.lines().skip(1).map(last).collect();
    assert_eq!(values, ["0", "1"].map(str::to_owned).into());
    let predictors = fs::read_to_string(example.scratch.path("audit/predictors.csv")).unwrap();
    assert!(
        predictors.contains("\nengine/own,own:takes_last_moved,"),
        "{predictors}"
    );
    assert!(example.scratch.path("audit/report.html").is_file());

    let traces = [
        "audit",
        "--trace",
        "audit/engine-house.trace",
        "--trace",
        "audit/engine-own.trace",
    ];
    let (status, again, errors) = lmrlab(&example, &traces);
    assert_eq!(status, 0, "{errors}");
    let same = |text: &str| -> Vec<String> {
        let words = ["Control group of ", "Cost for ", "reduction "];
        let lines = text
            .lines()
            .filter(|line| words.iter().any(|word| line.starts_with(word)));
        lines.map(str::to_owned).collect()
    };
    // A trace names the engine; the command line has only its program.
    assert_eq!(same(&text), same(&again.replace("Example 1.0/", "engine/")));
    assert_eq!(same(&text).len(), 6, "{text}");
}

#[test]
fn an_audit_says_why_its_control_group_disagrees() {
    let Some(example) = example() else { return };
    let right = "lmr_judged(lmr, score > n->alpha";
    assert!(example.search.contains(right));
    let wrong = example.search.replace(right, "lmr_judged(lmr, score <= n->alpha");
    example.build("wrong", &wrong);
    for (engine, says) in [(HOST, false), ("cmd=./wrong option.Hash=1", true)] {
        let audit = ["audit", "own", "--host", engine, "--depth", "4", "--rate", "0.2"];
        let (status, text, errors) = lmrlab(&example, &audit);
        assert_eq!(status, 0, "{errors}");
        assert_eq!(text.contains("with Threads=1"), says, "{text}");
    }
}

#[test]
fn a_host_is_profiled() {
    let Some(example) = example() else { return };
    let profile = [
        "profile", "house", "--host", HOST, "--depth", "4", "--rate", "1", "--out", "profile", "--report",
    ];
    let (status, text, errors) = lmrlab(&example, &profile);
    assert_eq!(status, 0, "{errors}");
    assert!(text.contains("engine/house by fact"), "{text}");
    let totals = fs::read_to_string(example.scratch.path("profile/totals.csv")).unwrap();
    let row: Vec<&str> = totals.lines().nth(1).unwrap().split(',').collect();
    let (moves, reduced): (u64, u64) = (row[1].parse().unwrap(), row[2].parse().unwrap());
    assert!(moves > reduced && reduced > 300, "{totals}");
    let facts = fs::read_to_string(example.scratch.path("profile/facts.csv")).unwrap();
    for value in ["0,0", "1,1"] {
        assert!(
            facts.contains(&format!("\nengine/house,own:takes_last_moved,{value},")),
            "{facts}"
        );
    }

    let (status, text, errors) = lmrlab(&example, "audit --trace profile/engine-house.trace");
    assert_eq!((status, text.as_str()), (2, ""));
    assert!(errors.contains("has no shadow searches"), "{errors}");
}

#[test]
fn what_is_no_trace_is_refused_and_a_part_of_a_record_is_left_out() {
    let Some(example) = example() else { return };
    example.scratch.write("no.trace", "lmrlab-trace 2\n");
    let (status, _, errors) = lmrlab(&example, "profile --trace no.trace");
    assert_eq!(status, 2);
    assert!(errors.contains("cannot read the trace `no.trace`"), "{errors}");

    let profile = [
        "profile", "own", "--host", HOST, "--depth", "3", "--rate", "1", "--out", "own",
    ];
    let (status, whole, errors) = lmrlab(&example, &profile);
    assert_eq!(status, 0, "{errors}");
    assert!(whole.contains("engine/own"), "{whole}");
    let bytes = fs::read(example.scratch.path("own/engine-own.trace")).unwrap();
    fs::write(example.scratch.path("cut.trace"), &bytes[..bytes.len() - 5]).unwrap();
    let (status, _, errors) = lmrlab(&example, "profile --trace cut.trace");
    assert_eq!(status, 0, "{errors}");
    assert!(errors.contains("was written in part, and is left out"), "{errors}");
}

#[test]
fn options_that_a_host_cannot_have_are_refused() {
    let Some(example) = example() else { return };
    for options in [&["--preset", "minimal"][..], &["--threads", "2"]] {
        let arguments = [&["audit", "house", "--host", HOST][..], options].concat();
        let (status, text, _) = lmrlab(&example, &arguments);
        assert_eq!((status, text.as_str()), (2, ""), "{options:?}");
    }
    let (status, _, errors) = lmrlab(&example, "audit house --host cmd=./nothing");
    assert_eq!(status, 2);
    assert!(errors.contains("there is no program `./nothing`"), "{errors}");
}

#[test]
fn rules_that_read_a_fact_of_the_host_alone_are_counted() {
    let Some(example) = example() else { return };
    let policy = "name = \"takes\"\nwhen = \"depth >= 2 and moves_searched >= 1\"\nreduce = \"1\"\n[host]\nflags = [\"takes_last_moved\"]\n\
                  [[rule]]\nname = \"retakes\"\nwhen = \"takes_last_moved\"\nadd = \"-1\"\n";
    example.scratch.write("takes.toml", policy);
    let profile = [
        "profile",
        "takes.toml",
        "--host",
        HOST,
        "--depth",
        "4",
        "--rate",
        "1",
        "--out",
        "takes",
    ];
    let (status, _, errors) = lmrlab(&example, &profile);
    assert_eq!(status, 0, "{errors}");
    let moves_of = |file: &str, key: &str| -> u64 {
        let text = fs::read_to_string(example.scratch.path(file)).unwrap();
        let row = text.lines().find_map(|line| line.strip_prefix(key));
        let row = row.unwrap_or_else(|| panic!("{key}: {text}"));
        row.split(',').next().unwrap().parse().unwrap()
    };
    let by_fact = moves_of("takes/facts.csv", "engine/takes,own:takes_last_moved,1,1,");
    assert!(by_fact > 0);
    assert_eq!(moves_of("takes/rules.csv", "engine/takes,retakes,"), by_fact);
}
