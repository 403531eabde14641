//! The commands that watch searches: bench, profile, audit.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod scratch;

use scratch::Scratch;

const POSITIONS: &str = "\
r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - id \"slow\";
r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - id \"many captures\";
8/5kpp/3Rn3/2p1pp2/2P5/P7/5PPP/1r2BK2 w - - id \"endgame\";
";

fn scratch() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("set.epd", POSITIONS);
    scratch
}

fn column(csv: &str, name: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let index = reader
        .headers()
        .unwrap()
        .iter()
        .position(|head| head == name);
    let index = index.unwrap_or_else(|| panic!("no column {name}"));
    reader
        .records()
        .map(|row| row.unwrap()[index].to_owned())
        .collect()
}

fn sum(csv: &str, name: &str) -> u64 {
    column(csv, name)
        .iter()
        .map(|cell| cell.parse::<u64>().unwrap())
        .sum()
}

#[test]
fn bench_compares_policies_and_writes_the_same_file_on_any_number_of_threads() {
    let scratch = scratch();
    let run = |threads: &str, file: &str| {
        let iterations = format!("iterations-{file}");
        scratch.done(&[
            "bench",
            "none",
            "mediocre-2007",
            "house@divisor=2.0,-history",
            "--positions",
            "set.epd",
            "--depth",
            "6",
            "--threads",
            threads,
            "--csv",
            file,
            "--iterations",
            &iterations,
            "--times",
            &format!("times-{file}"),
        ])
    };
    let text = run("1", "one.csv");
    assert!(
        text.contains("3 positions, depth 6, preset standard"),
        "{text}"
    );
    assert!(text.contains("house@divisor=2.0,-history"), "{text}");
    run("2", "two.csv");
    assert_eq!(scratch.read("one.csv"), scratch.read("two.csv"));
    assert_eq!(
        scratch.read("iterations-one.csv"),
        scratch.read("iterations-two.csv")
    );
    let csv = scratch.read("one.csv");
    assert_eq!(column(&csv, "policy").len(), 9);
    assert_eq!(column(&csv, "position")[1], "many captures");
    let nodes: Vec<u64> = column(&csv, "nodes")
        .iter()
        .map(|n| n.parse().unwrap())
        .collect();
    let total = |policy: usize| nodes[3 * policy..][..3].iter().sum::<u64>();
    assert!(total(0) > total(1) && total(1) > total(2), "{csv}");
    let times = scratch.read("times-one.csv");
    assert_eq!(sum(&times, "nodes"), sum(&csv, "nodes"));
    // Iterations add up to the search.
    assert_eq!(
        sum(&scratch.read("iterations-one.csv"), "nodes"),
        sum(&csv, "nodes")
    );
}

#[test]
fn bench_speaks_json_and_keeps_to_a_node_limit() {
    let scratch = scratch();
    let text = scratch.done(&[
        "bench",
        "house",
        "none",
        "--positions",
        "set.epd",
        "--nodes",
        "3000",
        "--json",
    ]);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json[0]["nodes"], 9000);
    assert_eq!(json[1]["nodes_ratio"], 1.0);
    assert!(json[0]["mean_depth"].as_f64() > json[1]["mean_depth"].as_f64());
    let share = json[0]["quiescence_share"].as_f64().unwrap();
    assert!(0.05 < share && share < 0.95, "{share}");
}

#[test]
fn wrong_input_is_named_before_anything_is_searched() {
    let scratch = scratch();
    scratch.write("there.csv", "kept");
    let message = scratch.refused(&["bench", "hous"]);
    assert!(message.contains("did you mean `house`"), "{message}");
    let message = scratch.refused(&["bench", "house", "--csv", "there.csv"]);
    assert!(message.contains("exists already"), "{message}");
    let message = scratch.refused(&["bench", "house", "--csv", "nowhere/new.csv"]);
    assert!(message.contains("no folder `nowhere`"), "{message}");
    let message = scratch.refused(&["profile", "house@basis=1"]);
    assert!(message.contains("no parameter `basis`"), "{message}");
    let message = scratch.refused(&["profile", "house", "--positions", "there.csv"]);
    assert!(message.contains("there.csv:1:1"), "{message}");
    let message = scratch.refused(&["profile", "house", "--preset", "standrad"]);
    assert!(message.contains("standard"), "{message}");
    scratch.refused(&["bench", "house", "--depth", "3", "--nodes", "100"]);
    scratch.refused(&["bench"]);
}

#[test]
fn profile_writes_the_same_files_on_any_number_of_threads_and_they_agree() {
    let scratch = scratch();
    let run = |threads: &str, folder: &str| {
        scratch.done(&[
            "profile",
            "rebel-advanced",
            "house",
            "--positions",
            "set.epd",
            "--depth",
            "6",
            "--threads",
            threads,
            "--out",
            folder,
        ])
    };
    let text = run("1", "one");
    assert!(text.contains("house by rule"), "{text}");
    run("2", "two");
    for file in [
        "totals.csv",
        "moves.csv",
        "kinds.csv",
        "rules.csv",
        "facts.csv",
    ] {
        let (one, two) = (format!("one/{file}"), format!("two/{file}"));
        assert_eq!(scratch.read(&one), scratch.read(&two), "{file}");
    }
    let totals = scratch.read("one/totals.csv");
    for name in [
        "moves",
        "reduced",
        "failed_high",
        "researched",
        "reduced_nodes",
    ] {
        let all = sum(&totals, name);
        assert!(all > 0);
        assert_eq!(sum(&scratch.read("one/moves.csv"), name), all, "{name}");
        assert_eq!(sum(&scratch.read("one/kinds.csv"), name), all, "{name}");
    }
    // The same searches as those of bench.
    scratch.done(&[
        "bench",
        "rebel-advanced",
        "house",
        "--positions",
        "set.epd",
        "--depth",
        "6",
        "--csv",
        "bench.csv",
    ]);
    assert_eq!(
        sum(&scratch.read("bench.csv"), "nodes"),
        sum(&totals, "nodes")
    );
    let message = scratch.refused(&["profile", "house", "--out", "one"]);
    assert!(message.contains("not empty"), "{message}");
    let text = scratch.done(&["profile", "none", "--positions", "set.epd", "--depth", "5"]);
    assert!(text.contains("none reduces nothing"), "{text}");
}
