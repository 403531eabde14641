//! `lmrlab screen` and `lmrlab positions judge`, from positions to a fitted model.

use std::fs;
use std::path::Path;

use crate::scratch::{Scratch, kill, wait_until};

/// A project with three judged positions, a small suite and a small policy.
fn project() -> Scratch {
    let scratch = Scratch::new();
    scratch.write(
        "small.toml",
        "name = \"small\"\nwhen = \"depth >= 2 and moves_searched >= 2\"\nreduce = \"by\"\n[param]\nby = { value = 1, min = 0, max = 3 }\n",
    );
    scratch.write(
        "suite.epd",
        "6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8;\nr1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7#;\n",
    );
    let judge = "positions judge small.toml none logarithm --count 3 --nodes 200 --judge-nodes 2000 --game-nodes 40 --quiet --out judged.epd";
    scratch.done(&judge.split(' ').collect::<Vec<_>>());
    scratch
}

/// A command that screens policies on the few positions.
fn screen<'a>(policies: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    let conditions =
        "--positions judged.epd --nodes 200 --trees 2 --depth 4 --suite suite.epd --suite-nodes 500 --quiet";
    [&["screen"], policies, &conditions.split(' ').collect::<Vec<_>>(), more].concat()
}

/// The cells of a CSV file below some columns.
fn cells(csv: &str, columns: &[&str]) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let headers = reader.headers().unwrap().clone();
    let place = |column: &&str| headers.iter().position(|header| header == *column).unwrap();
    let places: Vec<usize> = columns.iter().map(place).collect();
    let records = reader.records().map(Result::unwrap);
    let row = |record: csv::StringRecord| places.iter().map(|place| record[*place].to_owned()).collect();
    records.map(row).collect()
}

#[test]
fn judged_positions_are_the_same_for_any_number_of_threads() {
    let scratch = project();
    let words =
        "positions judge small.toml none logarithm --count 3 --nodes 200 --judge-nodes 2000 --game-nodes 40 --quiet";
    let words: Vec<&str> = words.split(' ').collect();
    scratch.done(&[&words[..], &["--threads", "3", "--out", "again.epd"]].concat());
    let text = scratch.read("judged.epd");
    assert_eq!(scratch.read("again.epd"), text);
    assert_eq!(text.lines().count(), 3);
    assert!(text.contains(" acn 2000; id \"judged.0001\"; judged \""), "{text}");
}

#[test]
fn what_is_screened_is_the_same_for_any_number_of_threads() {
    let scratch = project();
    let policies = ["small.toml", "none", "small.toml@by=2"];
    let run = |threads, file| scratch.done(&screen(&policies, &["--threads", threads, "--csv", file]));
    let shown = run("1", "one.csv");
    assert_eq!(run("3", "three.csv"), shown);
    let csv = scratch.read("one.csv");
    assert_eq!(scratch.read("three.csv"), csv);
    assert!(!scratch.path("one.csv.unfinished").exists());
    scratch.done(&screen(&["small.toml"], &["--csv", "paged.csv", "--report"]));
    let page = scratch.read("paged.html");
    assert!(
        page.contains("Predicted Elo, without a game") && page.contains("small: "),
        "{page}"
    );
    let named = cells(&csv, &["policy", "judged_positions", "positions"]);
    assert_eq!(named[2], ["small@by=2", "3", "2"]);
    assert!(
        shown.contains("measures against logarithm: moves of 200 nodes in 3 positions"),
        "{shown}"
    );

    // Against itself nothing is lost.
    let output = scratch
        .lmrlab(&screen(&["small.toml"], &["--against", "small.toml", "--json"]))
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("note: the model was fitted to other measures"), "{said}");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["against"], "small");
    assert_eq!(json["policies"][0]["elo"], 0.0);
    assert_eq!(json["policies"][0]["verdict"], "open");
}

#[test]
fn a_killed_screen_goes_on_to_the_same_file() {
    let scratch = project();
    let policies = ["small.toml", "none", "small.toml@by=2"];
    scratch.done(&screen(&policies, &["--csv", "whole.csv"]));
    let words = screen(&policies, &["--csv", "killed.csv", "--threads", "1"]);
    let child = scratch.background(&words).spawn().unwrap();
    wait_until(|| scratch.line_count("killed.csv.unfinished/results.csv") > 2);
    kill(child);
    let complaint = scratch.refused(&words);
    assert!(complaint.contains("holds a run that was interrupted"), "{complaint}");
    let again = [&words[..], &["--resume"]].concat();
    let changed: Vec<&str> = again
        .iter()
        .map(|word| if *word == "200" { "150" } else { word })
        .collect();
    let complaint = scratch.refused(&changed);
    assert!(
        complaint.contains("what differs: --positions or --nodes"),
        "{complaint}"
    );
    scratch.done(&again);
    assert_eq!(scratch.read("killed.csv"), scratch.read("whole.csv"));
    assert!(!scratch.path("killed.csv.unfinished").exists());
}

/// Settings whose Elo follows from their loss; the other measures say nothing about it.
fn settings() -> String {
    let mut text = "family,policy,n_ll,n_ld,n_dd_wl,n_wd,n_ww,match_nodes,conditions,loss_difference,best_difference,\
        score_error_difference,depth_difference,nodes_ratio,missed_rate,solved_gain\n"
        .to_owned();
    for index in 0..12_i64 {
        let loss = (index * 5 % 12) as f64 / 10.0 - 0.5;
        let won = 240 - index * 5 % 12 * 20;
        let ratio = 0.7 + 0.05 * (index * 7 % 12) as f64;
        text += &format!(
            "{},\"logarithm@divisor={}\",{},0,400,0,{won},500,few,{loss},{},0.1,0,{ratio},0.0{},{}\n",
            ["a", "b", "c", "d"][index as usize / 3],
            1.5 + index as f64 / 10.0,
            250 - won,
            index % 3,
            1 + index % 4,
            index % 5
        );
    }
    text
}

#[test]
fn a_model_is_fitted_and_predicts() {
    let scratch = project();
    scratch.write("settings.csv", &settings());
    let shown = scratch.done(&["screen", "--fit", "settings.csv", "--out", "model.toml"]);
    insta::assert_snapshot!(shown);
    let complaint = scratch.refused(&["screen", "--fit", "settings.csv", "--out", "model.toml"]);
    assert!(complaint.contains("`model.toml` exists already"), "{complaint}");
    let screened = scratch.done(&screen(&["none", "small.toml"], &["--model", "model.toml"]));
    assert!(screened.contains("fitted to 12 settings in 4 families, "), "{screened}");
    insta::assert_snapshot!(screened);
}

#[test]
fn settings_are_measured_beside_their_games() {
    let scratch = project();
    scratch.write(
        "families.csv",
        "family,policy\nsmall,small.toml\nsmall,small.toml@by=2\n",
    );
    scratch.write(
        "pairs.csv",
        "pair,first,second,score\n1,logarithm,small,2.0\n2,logarithm,small@by=2,0.5\n3,logarithm,small,1.0\n",
    );
    let words = [
        "--settings",
        "families.csv",
        "--games",
        "pairs.csv",
        "--csv",
        "measured.csv",
    ];
    scratch.done(&screen(&[], &words));
    let found = cells(
        &scratch.read("measured.csv"),
        &["family", "policy", "n_ll", "n_dd_wl", "n_wd", "match_nodes"],
    );
    assert_eq!(found[0], ["small", "small", "1", "1", "0", "1000"]);
    assert_eq!(found[1], ["small", "small@by=2", "0", "0", "1", "1000"]);
    let words = ["--settings", "families.csv", "--games", "pairs.csv", "none"];
    let complaint = scratch.refused(&screen(&[], &words));
    assert!(
        complaint.contains("`none` has no games against logarithm"),
        "{complaint}"
    );
}

/// The model that is built in is what the published settings give.
#[test]
fn the_published_settings_give_the_model() {
    let scratch = Scratch::empty();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let settings = root.join("results/published/screen/settings.csv");
    scratch.done(&["screen", "--fit", settings.to_str().unwrap(), "--out", "model.toml"]);
    let shipped = fs::read_to_string(root.join("configs/screen/model.toml")).unwrap();
    assert_eq!(
        scratch.read("model.toml"),
        shipped,
        "repeat the fit: see results/published/README.md"
    );
}

#[test]
fn wrong_input_is_named() {
    let scratch = project();
    scratch.write("settings.csv", &settings());
    scratch.write("letters.csv", &settings().replacen(",0.1,", ",many,", 1));
    scratch.write("alone.csv", "family,policy\na,none\n");
    scratch.write("nothing.csv", "policy\nnone\n");
    scratch.write("other.csv", &settings().replacen(",500,few,", ",700,few,", 1));
    scratch.write("model.toml", "format = 1\nreference = 3\n");
    scratch.write("bad.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - acn 10; judged \"e9 3\";\n");
    let mut said = String::new();
    for words in [
        "screen",
        "screen nne",
        "screen none --model model.toml",
        "screen none --positions bad.epd",
        "screen none --positions suite.epd",
        "screen --fit letters.csv",
        "screen --fit alone.csv",
        "screen --fit nothing.csv",
        "screen --fit other.csv",
        "screen --fit absent.csv",
        "screen none --games pairs.csv",
        "screen --settings letters.csv",
        "positions judge --out new.epd",
    ] {
        let complaint = scratch.refused(&words.split(' ').collect::<Vec<_>>());
        said += &format!("$ lmrlab {words}\n{complaint}\n");
    }
    insta::assert_snapshot!(said);
}
