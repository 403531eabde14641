//! Races, from the tournament file to the results.

use std::collections::BTreeMap;

use crate::scratch::Scratch;
use predicates::prelude::*;

/// Engines that differ by their nodes, the weakest first.
const RACE: &str = r#"
name   = "race"
format = "race"
pairs  = 200
seed   = 3
hash_mib = 1
[race]
goal = "best"
elo  = 110.0
[openings]
file = "positions/openings.epd"
[limit]
nodes = 30
[adjudication]
max_moves = 60
resign = { move_count = 2, score_cp = 500, two_sided = true }
[[engine]]
name   = "weak"
policy = "none"
[[engine]]
name   = "strong"
policy = "none"
limit  = { nodes = 450 }
[[engine]]
name   = "weaker"
policy = "none"
limit  = { nodes = 5 }
[[engine]]
name   = "middling"
policy = "none"
limit  = { nodes = 300 }
"#;

/// Everything that a race leaves behind and that the clock has no part in.
const FILES: [&str; 6] = [
    "games.csv",
    "pairs.csv",
    "standings.csv",
    "crosstable.csv",
    "los.csv",
    "race.csv",
];

fn scratch(text: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.write("race.toml", text);
    scratch
}

fn rows(scratch: &Scratch, name: &str) -> BTreeMap<String, BTreeMap<String, String>> {
    csv::Reader::from_path(scratch.path(name))
        .unwrap()
        .deserialize()
        .map(|row| {
            let row: BTreeMap<String, String> = row.unwrap();
            (row["engine"].clone(), row)
        })
        .collect()
}

fn files(scratch: &Scratch, out: &str) -> Vec<String> {
    let file = |name: &&str| scratch.read(&format!("{out}/{name}"));
    FILES.iter().map(file).collect()
}

#[test]
fn the_best_is_found_with_the_same_files_on_any_number_of_threads() {
    let scratch = scratch(RACE);
    let mut found = Vec::new();
    for threads in ["1", "3"] {
        let out = format!("out-{threads}");
        scratch
            .lmrlab(&["run", "race.toml", "--threads", threads, "--out", &out])
            .assert()
            .success()
            .stdout(predicate::str::contains(" is the best after "))
            .stderr(predicate::str::contains("weaker was dropped after "));
        found.push(files(&scratch, &out));
    }
    assert!(found.iter().all(|files| *files == found[0]));
    let race = rows(&scratch, "out-1/race.csv");
    let decided = |engine: &str| race[engine]["decided_at_pair"].parse::<usize>().unwrap();
    let pairs = scratch.read("out-1/pairs.csv");
    let pairs: Vec<&str> = pairs.lines().skip(1).collect();
    let of_fate = |fate: &str| -> Vec<&str> {
        let engines = race.iter().filter(|(_, row)| row["fate"] == fate);
        engines.map(|(engine, _)| engine.as_str()).collect()
    };
    let (best, dropped) = (of_fate("accepted"), of_fate("dropped"));
    assert!(best == ["strong"] || best == ["middling"], "{best:?}");
    assert_eq!(dropped.len(), 3);
    assert_eq!(decided(best[0]), pairs.len(), "nothing is played afterwards");
    for engine in dropped {
        let name = format!(",{engine},");
        let played = pairs.iter().filter(|pair| pair.contains(&name)).count();
        assert_eq!(race[engine]["pairs"], played.to_string());
        let later = &pairs[decided(engine)..];
        assert!(!later.iter().any(|pair| pair.contains(&name)), "{engine}");
    }
    // Ratings are from all games, so they are on one scale although not everybody had the same opponents.
    let standings = rows(&scratch, "out-1/standings.csv");
    let elos: Vec<f64> = (standings.values()).filter_map(|row| row["elo"].parse().ok()).collect();
    assert!(elos.len() < 4 || elos.iter().sum::<f64>().abs() < 1e-3, "{elos:?}");
}

#[test]
fn who_beats_the_baseline_is_accepted() {
    let text = RACE.replace(
        "goal = \"best\"",
        "goal = \"beat_baseline\"\nbaseline = \"weak\"\nmodel = \"logistic\"\nalpha = 0.1",
    );
    let scratch = scratch(&text);
    let printed = scratch.done("run race.toml --json-lines --out out");
    let events: Vec<serde_json::Value> = printed
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let fates: BTreeMap<&str, &str> = events
        .iter()
        .filter(|event| event["event"] == "fate")
        .map(|event| {
            let text = |key: &str| event[key].as_str().unwrap();
            (text("engine"), text("fate"))
        })
        .collect();
    let last = events.last().unwrap();
    assert_eq!(last["ended"], "race_over");
    assert_eq!(last["race"].as_array().unwrap().len(), 4);
    let expected = [("strong", "accepted"), ("middling", "accepted"), ("weaker", "dropped")];
    assert_eq!(fates, expected.into());
    let race = rows(&scratch, "out/race.csv");
    assert_eq!(race["weak"]["fate"], "baseline");
    // Each engine met only the baseline.
    let crosstable = scratch.read("out/crosstable.csv");
    assert_eq!(crosstable.lines().count(), 1 + 6);
}

#[test]
fn a_race_that_runs_out_of_pairs_says_so() {
    let scratch = scratch(&RACE.replace("pairs  = 200", "pairs = 5"));
    let printed = scratch.done("run race.toml --quiet --out out");
    assert!(printed.contains("The race was not decided"), "{printed}");
    assert!(printed.contains("strong still races after 5 rounds"), "{printed}");
    assert_eq!(scratch.read("out/pairs.csv").lines().count(), 1 + 30);
    let race = rows(&scratch, "out/race.csv");
    assert_eq!(race["strong"]["decided_at_pair"], "");
}
