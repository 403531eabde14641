//! `lmrlab bench`, `profile` and `audit`, which observe searches.

use lmrlab_policy::facts::CATALOGUE;

use crate::scratch::{OPENINGS, Scratch};

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
    let index = reader.headers().unwrap().iter().position(|head| head == name);
    let index = index.unwrap_or_else(|| panic!("no column {name}"));
    reader.records().map(|row| row.unwrap()[index].to_owned()).collect()
}

fn sum(csv: &str, name: &str) -> u64 {
    column(csv, name).iter().map(|cell| cell.parse::<u64>().unwrap()).sum()
}

/// Runs a command on one thread and on two: both say the same and write the same files. What they say.
fn twice(scratch: &Scratch, command: &str, files: &[&str]) -> String {
    let run = |threads: &str| {
        scratch.done(&format!(
            "{command} --positions set.epd --threads {threads} --out on-{threads}"
        ))
    };
    let said = run("1");
    run("2");
    for file in files {
        let text = |threads: &str| scratch.read(&format!("on-{threads}/{file}.csv"));
        assert_eq!(text("1"), text("2"), "{file}");
    }
    said
}

#[test]
fn bench_compares_policies() {
    let scratch = scratch();
    let command = "bench none mediocre-2007 house@divisor=2.0,-history --depth 6";
    let text = twice(&scratch, command, &["positions", "iterations"]);
    assert!(text.contains("3 positions, depth 6, preset standard"), "{text}");
    assert!(text.contains("house@divisor=2,-history"), "{text}");
    let csv = scratch.read("on-1/positions.csv");
    assert_eq!(column(&csv, "policy").len(), 9);
    assert_eq!(column(&csv, "position")[1], "many captures");
    let nodes: Vec<u64> = column(&csv, "nodes").iter().map(|n| n.parse().unwrap()).collect();
    let total = |policy: usize| nodes[3 * policy..][..3].iter().sum::<u64>();
    assert!(total(0) > total(1) && total(1) > total(2), "{csv}");
    // Iterations add up to the search.
    for file in ["policies", "iterations", "times"] {
        let of_file = sum(&scratch.read(&format!("on-1/{file}.csv")), "nodes");
        assert_eq!(of_file, sum(&csv, "nodes"));
    }
    // The folder says what it is, and shows the same again.
    assert_eq!(scratch.done("show on-1"), text);
    assert!(scratch.read("on-1/outcome.toml").contains("kind = \"bench\""));
    let text = scratch.done("bench house none --positions set.epd --nodes 3000 --json");
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let policy = |index: usize| &json["policies"][index];
    assert_eq!(
        (&policy(0)["nodes"], &policy(1)["nodes_ratio"]),
        (&9000.into(), &1.into())
    );
    assert!(policy(0)["mean_depth"].as_f64() > policy(1)["mean_depth"].as_f64());
}

#[test]
fn wrong_input_is_named_before_anything_is_searched() {
    let scratch = scratch();
    scratch.write("there.csv", "kept");
    for (command, complaint) in [
        ("bench hous", "did you mean `house`"),
        ("bench house --out there.csv", "is not a folder"),
        ("bench house --depth 3 --nodes 100", "cannot be used with"),
        ("profile house@basis=1", "no parameter `basis`"),
        (
            "profile house --positions there.csv",
            "`there.csv` has no positions: its line 1",
        ),
        ("profile house --preset standrad", "standard"),
        ("profile house --rate 0", "a share above 0"),
    ] {
        let message = scratch.refused(command);
        assert!(message.contains(complaint), "{command}: {message}");
    }
}

#[test]
fn profile_counts_late_moves() {
    let scratch = scratch();
    let files = ["totals", "moves", "kinds", "rules", "facts"];
    let text = twice(&scratch, "profile rebel-advanced house --depth 8 --rate 0.03", &files);
    assert!(
        text.contains("estimated from a sample of the late moves, rate 0.03"),
        "{text}"
    );
    let totals = scratch.read("on-1/totals.csv");
    assert!(sum(&totals, "moves") > 0);
    // The same searches as those of bench.
    scratch.done("bench rebel-advanced house --positions set.epd --depth 8 --out bench");
    assert_eq!(sum(&scratch.read("bench/policies.csv"), "nodes"), sum(&totals, "nodes"));
    let text = scratch.done("profile none --positions set.epd --depth 5");
    assert!(
        text.contains("none reduces nothing") && !text.contains("estimated from"),
        "{text}"
    );
}

/// An interrupt keeps the positions that all policies have finished.
#[cfg(unix)]
#[test]
fn an_interrupted_bench_keeps_its_positions() {
    use crate::scratch::signal;
    use std::process::Stdio;

    let scratch = Scratch::new();
    let bench = format!("bench none house --positions {OPENINGS} --nodes 20000 --quiet");
    let child = scratch
        .background(&format!("{bench} --threads 1 --out some"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(400));
    assert!(signal(&child, "INT"));
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    if !scratch.path("some/positions.csv").exists() {
        assert!(
            said.contains("Interrupted after 0 of 40 positions; there is nothing to show."),
            "{said}"
        );
        assert_eq!(shown, "");
        return;
    }
    let rows = scratch.read("some/positions.csv");
    let done = (rows.lines().count() - 1) / 2;
    assert!(0 < done && done < 40, "{rows}");
    let printed = format!("Interrupted after {done} of 40 positions; the figures are of these positions.\n");
    assert!(said.contains(&printed), "{said}");
    assert!(
        shown.starts_with(&format!("{done} positions, 20000 nodes, ")),
        "{shown}"
    );
}

const ABSURD: &str = "name = \"absurd\"\nwhen = \"moves_searched >= 1\"\nreduce = \"5\"\n";

#[test]
fn audit_judges_a_sample_and_leaves_the_search_alone() {
    let scratch = scratch();
    let files = "totals samples predictors nodes depths reductions rules blame";
    let files: Vec<&str> = files.split(' ').collect();
    let command = "audit house rebel-advanced --depth 6 --rate 0.1 --margin 10 --resamples 50";
    let text = twice(&scratch, command, &files);
    assert!(text.contains("house: "), "{text}");
    let totals = scratch.read("on-1/totals.csv");
    let sampled = sum(&totals, "sampled");
    assert!(sampled > 100, "{totals}");
    for file in ["depths.csv", "reductions.csv"] {
        assert_eq!(
            sum(&scratch.read(&format!("on-1/{file}")), "sampled"),
            sampled,
            "{file}"
        );
    }
    // Moves that are not reduced are searched twice in the same way.
    let otherwise = sum(&totals, "unreduced_low_high") + sum(&totals, "unreduced_high_low");
    assert!(otherwise == 0 && sum(&totals, "unreduced_low_low") > 20, "{totals}");
    // Each sample has every fact that is known before the first search, also those that no rule reads.
    let samples = scratch.read("on-1/samples.csv");
    assert_eq!(column(&samples, "depth").len() as u64, sampled);
    for (fact, same) in [("fact_depth", "depth"), ("fact_move_number", "move_number")] {
        assert_eq!(column(&samples, fact), column(&samples, same), "{fact}");
    }
    let (_, facts) = samples.lines().next().unwrap().split_once(",fact_").unwrap();
    let known = CATALOGUE.iter().filter(|info| !info.fact.is_given());
    let known: Vec<&str> = known.map(|info| info.name).collect();
    assert_eq!(facts.split(",fact_").collect::<Vec<_>>(), known);
    for fact in ["legal_moves", "capture_history", "continuation_history_2"] {
        let values = column(&samples, &format!("fact_{fact}"));
        assert!(values.iter().any(|value| value != "0" && !value.is_empty()), "{fact}");
    }
    scratch.done("bench house rebel-advanced --positions set.epd --depth 6 --out bench");
    assert_eq!(sum(&totals, "nodes"), sum(&scratch.read("bench/policies.csv"), "nodes"));
}

/// Audits `policy` without a rate and then with the rate that was reached: the samples are the same. The text of the first run, and its
/// totals.csv.
fn audit_without_a_rate(scratch: &Scratch, policy_and_search: &str) -> (String, String) {
    let command = format!("audit {policy_and_search} --no-blame --resamples 300");
    let text = scratch.done(&format!("{command} --out grown"));
    let rate = text.split("sampling rate ").nth(1).unwrap().split(',').next().unwrap();
    scratch.done(&format!("{command} --rate {rate} --out typed"));
    for file in ["totals.csv", "samples.csv", "predictors.csv", "rules.csv"] {
        let of = |folder: &str| scratch.read(&format!("{folder}/{file}"));
        assert_eq!(of("grown"), of("typed"), "{file}");
    }
    (text, scratch.read("grown/totals.csv"))
}

#[test]
fn audit_of_a_short_search_takes_every_late_move() {
    let scratch = scratch();
    scratch.write("absurd.toml", ABSURD);
    let (text, totals) = audit_without_a_rate(&scratch, "absurd.toml --positions set.epd --depth 3");
    assert!(
        text.contains("; sampling ended because every late move was sampled"),
        "{text}"
    );
    assert_eq!(sum(&totals, "sampled"), sum(&totals, "population"), "{totals}");
}

#[test]
#[ignore = "a minute"]
fn audit_takes_as_many_samples_as_the_missed_rate_needs() {
    let (text, totals) = audit_without_a_rate(&scratch(), "house --depth 10");
    assert!(
        text.contains("; sampling ended because every missed rate has an error of at most 20% of itself"),
        "{text}"
    );
    let number = |name: &str| column(&totals, name)[0].parse::<f64>().unwrap();
    let width = number("missed_upper_95") - number("missed_lower_95");
    assert!(width / 2.0 <= 0.2 * number("missed_rate"), "{totals}");
    assert!(sum(&totals, "sampled") < sum(&totals, "population") / 2, "{totals}");
}

#[test]
fn audit_finds_an_absurd_policy_out() {
    let scratch = scratch();
    scratch.write("absurd.toml", ABSURD);
    let text = scratch.done("audit none house absurd.toml --depth 8 --rate 0.05 --no-blame --resamples 20 --out out");
    assert!(
        text.contains("none: no late move can be reduced: the sample is empty, and there is nothing to audit."),
        "{text}"
    );
    let number = |cell: &String| cell.parse::<f64>().unwrap();
    let totals = scratch.read("out/totals.csv");
    let missed: Vec<f64> = column(&totals, "missed_rate")[1..].iter().map(number).collect();
    assert!(missed[1] > 0.03 && missed[1] > 1.2 * missed[0], "{totals}");
    let predictors = scratch.read("out/predictors.csv");
    let auc: Vec<f64> = column(&predictors, "predictor")
        .iter()
        .zip(column(&predictors, "auc"))
        .filter(|(predictor, _)| *predictor == "reduction")
        .map(|(_, auc)| number(&auc))
        .collect();
    assert!(auc[0] > auc[1] + 0.03, "{predictors}");
}

/// In each a quiet move wins, as the preset `minimal` sees at depth 7: a rook traps the knight; a rook gives check and
/// mates.
const QUIET_WINS: &str = "\
3N4/8/3k4/8/r7/4K3/8/8 b - - id \"trap\";
5rk1/1pr2pp1/2ppnqP1/p7/P2PPp2/1P3Q2/2P5/1K1R1B1R w - - id \"mate\";
";

#[test]
fn audit_lists_quiet_moves_that_a_policy_hides() {
    let scratch = scratch();
    scratch.write("quiet.epd", QUIET_WINS);
    let hide = "name = \"hide\"\nwhen = \"quiet and moves_searched >= 1\"\nreduce = \"4\"\n\
                [research]\nladder = \"none\"\n[[rule]]\nname = \"everything\"\nadd = \"0\"\n";
    scratch.write("hide.toml", hide);
    let search = "--preset minimal --positions quiet.epd --depth 7 --margin 100 --rate 0.001";
    let audit = |policy: &str, out: &str| scratch.done(&format!("audit {policy} {search} --out {out}"));
    let text = audit("hide.toml", "hide");
    assert!(text.contains("in 2 of 2 positions"), "{text}");
    let csv = scratch.read("hide/blame.csv");
    assert_eq!(column(&csv, "position"), ["trap", "mate"]);
    assert_eq!(column(&csv, "missed"), ["a4a7", "h1h8"]);
    for (suspects, missed) in column(&csv, "reduced_on_the_way").iter().zip(["a4a7", "h1h8"]) {
        let first = suspects.split(' ').next().unwrap();
        assert!(first.starts_with(&format!("0:{missed}:-")), "{suspects}");
        assert!(first.ends_with(":everything"), "{suspects}");
    }
    // Without the reductions nothing is hidden.
    let text = audit("none", "none");
    assert!(text.contains("in 0 of 2 positions"), "{text}");
}
