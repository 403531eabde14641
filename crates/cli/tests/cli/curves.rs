//! Curves, and what is learned from them: `audit --curves`, `score`, `learn`.

use crate::scratch::{Scratch, signal, wait_until};

/// The cells of a column.
fn column(csv: &str, name: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let place = reader.headers().unwrap().iter().position(|header| header == name);
    let place = place.unwrap_or_else(|| panic!("no column {name}"));
    reader
        .records()
        .map(|record| record.unwrap()[place].to_owned())
        .collect()
}

/// Curves of a few hundred moves of small searches.
fn curves(scratch: &Scratch, threads: &str, file: &str) -> String {
    scratch.done(&[
        "audit",
        "house",
        "--nodes",
        "1500",
        "--moves",
        "400",
        "--curves",
        file,
        "--threads",
        threads,
        "--quiet",
    ])
}

#[test]
fn curves_are_taken_scored_and_learned_from() {
    let scratch = Scratch::new();
    let text = curves(&scratch, "1", "one.csv");
    assert!(text.contains("0 of them different"), "{text}");
    assert_eq!(text, curves(&scratch, "2", "two.csv"));
    let csv = scratch.read("one.csv");
    assert_eq!(csv, scratch.read("two.csv"));

    let (least, nodes) = (column(&csv, "least"), column(&csv, "nodes"));
    assert!(least.len() > 300, "{}", least.len());
    for (least, nodes) in least.iter().zip(&nodes) {
        let points = nodes.split(' ').count() as i32;
        let least: i32 = least.parse().unwrap();
        assert!((-1..=0).contains(&least) && least + points > 0, "{least}, {nodes}");
    }
    assert_eq!(column(&csv, "fact_depth"), column(&csv, "depth"));
    assert_eq!(column(&csv, "fact_move_number"), column(&csv, "move_number"));
    // Some move raises alpha, and some of those are missed with a greater reduction.
    let (raises, firsts) = (column(&csv, "raises"), column(&csv, "first_raises"));
    let at_zero = |text: &str, least: &str| text.split(' ').nth((-least.parse::<i32>().unwrap()) as usize) == Some("1");
    let raising = raises
        .iter()
        .zip(&least)
        .filter(|(raises, least)| at_zero(raises, least));
    assert!(raising.count() > 50);
    let missed = raises.iter().zip(&firsts).zip(&least);
    let missed = missed.filter(|((raises, firsts), least)| at_zero(raises, least) && firsts.ends_with('0'));
    assert!(missed.count() > 10);

    // A policy that reduces nothing costs what the search at full depth costs, and misses nothing.
    let scored = scratch.done(&["score", "none", "house", "--curves", "one.csv", "--csv", "score.csv"]);
    assert!(scored.contains("policy"), "{scored}");
    let score = scratch.read("score.csv");
    let all = |name: &str| -> Vec<f64> {
        let kinds = column(&score, "expected");
        let cells = column(&score, name).into_iter().zip(kinds);
        cells
            .filter(|(_, kind)| kind.is_empty())
            .map(|(cell, _)| cell.parse().unwrap())
            .collect()
    };
    assert_eq!((all("nodes_share")[0], all("missed_share")[0]), (1.0, 0.0));
    assert!(all("nodes_share")[1] < 0.8 && all("missed_share")[1] > 0.01, "{score}");
    assert_eq!(all("unknown_share")[1], 0.0);

    let learned = scratch.done(&[
        "learn",
        "--curves",
        "one.csv",
        "--out",
        "learned.toml",
        "--max-rules",
        "1",
    ]);
    assert!(learned.contains("parameters of the start"), "{learned}");
    let policy = scratch.read("learned.toml");
    assert!(policy.contains("extends = "), "{policy}");
    let again = scratch.done(&[
        "learn",
        "--curves",
        "two.csv",
        "--out",
        "relearn.toml",
        "--max-rules",
        "1",
    ]);
    assert_eq!(
        again.replace("two.csv", "one.csv").replace("relearn", "learned"),
        learned
    );
    // It is an ordinary policy.
    scratch.done(&["policy", "check", "learned.toml"]);
    scratch.done(&["bench", "learned.toml", "--depth", "4", "--quiet"]);
}

/// Policies of two prices, and a race among them that is not decided.
const PLAY: [&str; 14] = [
    "learn",
    "--curves",
    "curves.csv",
    "--start",
    "logarithm",
    "--max-rules",
    "1",
    "--seed",
    "3",
    "--play",
    "--quiet",
    "--nodes",
    "50",
    "--out",
];

#[test]
fn games_choose_among_policies_of_several_prices() {
    let scratch = Scratch::new();
    curves(&scratch, "2", "curves.csv");
    let both = ["--price", "0.7,2", "--pairs", "4"];
    let output = scratch.lmrlab(&[&PLAY[..], &["out"], &both].concat());
    let output = { output }.assert().success().get_output().clone();
    let text = String::from_utf8(output.stdout).unwrap();
    let line = |name: &str| -> Vec<&str> {
        let line = text.lines().find(|line| line.starts_with(&format!("{name} ")));
        line.unwrap_or_else(|| panic!("{text}")).split_whitespace().collect()
    };
    assert_eq!(line("logarithm").get(1), Some(&"1.000"));
    for (name, price) in [("logarithm-price-0.7", "0.7"), ("logarithm-price-2", "2")] {
        let cells = line(name);
        assert_eq!((cells.len(), cells[1]), (6, price), "{text}");
        let manifest = scratch.read("out/race/manifest.toml");
        assert!(manifest.contains(&format!("policy = \"out/{name}.toml\"")));
        // Its nodes are those that `score` finds.
        let file = format!("out/{name}.toml");
        scratch.done(&[
            "score",
            "logarithm",
            &file,
            "--curves",
            "curves.csv",
            "--csv",
            "score.csv",
            "--force",
        ]);
        let score = scratch.read("score.csv");
        let all: Vec<f64> = (column(&score, "nodes_share").iter().zip(column(&score, "expected")))
            .filter(|(_, kind)| kind.is_empty())
            .map(|(cell, _)| cell.parse().unwrap())
            .collect();
        let ratio: f64 = cells[2].parse().unwrap();
        assert!((ratio - all[1] / all[0]).abs() < 0.001, "{ratio}, {all:?}");
    }
    assert!(text.contains("Race for the best, by 20 nElo"), "{text}");
    assert!(text.ends_with("Results are in out/race\n"), "{text}");
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        errors,
        "The policies are in out/logarithm-price-0.7.toml, out/logarithm-price-2.toml\n"
    );
    // Three policies, four pairs for each two.
    assert_eq!(scratch.journal("out/race/games.csv").len(), 24);
    assert!(scratch.done(&["show", "out/race"]).contains("logarithm-price-0.7"));
    scratch.done(&["report", "out/race"]);

    // Each file is what learn makes at this price alone.
    scratch.done(&[&PLAY[..9], &["--price", "2", "--out", "logarithm-price-2.toml"]].concat());
    let single = scratch
        .read("logarithm-price-2.toml")
        .replace("\"configs/", "\"../configs/");
    assert_eq!(scratch.read("out/logarithm-price-2.toml"), single);

    // A folder is replaced only when that is asked for.
    let said = scratch.refused(&[&PLAY[..], &["out"], &both].concat());
    assert!(said.contains("the folder `out` is not empty"), "{said}");
    scratch.done(&[&PLAY[..], &["out", "--price", "1", "--pairs", "1", "--force"]].concat());
    assert_eq!(scratch.journal("out/race/games.csv").len(), 2);
}

#[test]
#[cfg(unix)]
fn an_interrupted_race_of_learned_policies_is_resumed() {
    let scratch = Scratch::new();
    curves(&scratch, "2", "curves.csv");
    let command = [&PLAY[..], &["out", "--price", "1", "--pairs", "100", "--threads", "1"]].concat();
    let mut child = scratch.background(&command).spawn().unwrap();
    wait_until(|| scratch.line_count("out/race/games.csv") > 2);
    assert!(signal(&child, "INT"));
    assert!(!child.wait().unwrap().success());
    let played = scratch.read("out/race/games.csv");
    let said = scratch.refused(&command);
    assert!(said.contains("lmrlab resume out/race"), "{said}");
    scratch.done(&["resume", "out/race", "--quiet"]);
    assert!(scratch.read("out/race/games.csv").starts_with(&played));
    assert_eq!(scratch.journal("out/race/games.csv").len(), 200);
}

#[test]
fn a_race_that_cannot_be_played_is_refused_before_anything_is_learned() {
    let scratch = Scratch::new();
    // The curves are read after all options: there are none.
    for (more, what) in [
        (&["--price", "1,1.0"][..], "--price has the factor 1 twice"),
        (&["--price", "1,1e-100"], "the factor 1e-100 of --price is too long"),
        (&["--price", "1,x"], "expected a number from 0 to 1000"),
        (&["--price", "1,"], "expected a number from 0 to 1000"),
        (&["--preset", "gone"], "no search preset is called `gone`"),
        (&["--host", "cmd=./gone"], "there is no program `./gone`"),
        (&["--host", "policy=house"], "belongs to an engine"),
        (&["--host", "cmd=./gone", "--preset", "minimal"], "cannot be used with"),
        (&["--start", "none"], "`none` reduces no move"),
        (&["--start", "idea:pv-less"], "`idea:pv-less` has no file"),
        (&["--nodes", "0"], "--nodes"),
        (&["--pairs", "0"], "--pairs"),
        (&["--out", "configs"], "the folder `configs` is not empty"),
        (&["--out", "positions/book.epd"], "is not a folder"),
        (&["--out", "configs", "--force"], "cannot read the curves of `gone.csv`"),
        (&[], "cannot read the curves of `gone.csv`"),
    ] {
        let out: &[&str] = if more.contains(&"--out") {
            &[]
        } else {
            &["--out", "new"]
        };
        let said = scratch.refused(&[&["learn", "--play", "--curves", "gone.csv"], out, more].concat());
        assert!(said.contains(what), "{what}: {said}");
    }
    let said = scratch.refused(&["learn", "--curves", "gone.csv", "--out", "new.toml", "--price", "1,2"]);
    assert!(said.contains("add --play"), "{said}");
    for option in ["--nodes", "--pairs", "--threads"] {
        let said = scratch.refused(&["learn", "--curves", "gone.csv", "--out", "new.toml", option, "2"]);
        assert!(said.contains("--play"), "{option}: {said}");
    }
    scratch.write(
        "own.toml",
        "name = \"own\"\nreduce = \"if(gives, 1, 2)\"\n[host]\nflags = [\"gives\"]\n",
    );
    let said = scratch.refused(&[
        "learn", "--play", "--curves", "gone.csv", "--out", "new", "--start", "own.toml",
    ]);
    assert!(said.contains("own.toml"), "{said}");
    scratch.write("in-use/race/notes.txt", "mine\n");
    let said = scratch.refused(&["learn", "--play", "--curves", "gone.csv", "--out", "in-use", "--force"]);
    assert!(said.contains("does not hold the results of a run"), "{said}");
}

#[test]
fn wrong_files_of_curves_are_named() {
    let scratch = Scratch::new();
    curves(&scratch, "2", "good.csv");
    let good = scratch.read("good.csv");
    let lines: Vec<&str> = good.lines().collect();
    let with_cell = |name: &str, cell: &str| {
        let headers: Vec<&str> = lines[0].split(',').collect();
        let place = headers.iter().position(|header| *header == name).unwrap();
        let mut cells: Vec<&str> = lines[1].split(',').collect();
        cells[place] = cell;
        format!("{}\n{}\n", lines[0], cells.join(","))
    };
    for (text, what) in [
        ("a,b\n1,2\n".to_owned(), "column 1 is not `position`"),
        (format!("{}\n", lines[0]), "has no curves"),
        (format!("{}\n{}\n", lines[0], &lines[1][..30]), "this is not a CSV file"),
        (good.replacen("fact_see", "fact_sea", 1), "`fact_sea` is no fact"),
        (with_cell("weight", "0"), "line 2: `weight` is 0"),
        (with_cell("weight", "NaN"), "line 2"),
        (
            with_cell("nodes", "5"),
            "line 2: `first_raises`, `first_nodes`, `raises` and `nodes` must",
        ),
        (with_cell("least", "3"), "line 2: `least` is 3"),
        (with_cell("least", "-2000000000"), "line 2: `least` is -2000000000"),
        (with_cell("first_nodes", "4 x 5"), "line 2: `first_nodes` has `x`"),
        (with_cell("expected", "leaf"), "line 2: `leaf` is no kind of node"),
        (with_cell("fact_see", "inf"), "line 2: `inf` should be a number"),
        (with_cell("depth", "many"), "line 2"),
    ] {
        scratch.write("wrong.csv", &text);
        for command in [
            vec!["score", "house", "--curves", "wrong.csv"],
            vec!["learn", "--curves", "wrong.csv", "--out", "learned.toml"],
        ] {
            let said = scratch.refused(&command);
            assert!(said.contains("wrong.csv") && said.contains(what), "{what}: {said}");
        }
        assert!(!scratch.path("learned.toml").exists());
    }
    let said = scratch.refused(&["score", "house", "--curves", "gone.csv"]);
    assert!(said.contains("gone.csv"), "{said}");
    let said = scratch.refused(&["audit", "house", "weiss", "--curves", "two.csv"]);
    assert!(said.contains("takes one policy"), "{said}");
    scratch.write("notes.txt", "mine\n");
    let said = scratch.refused(&["audit", "house", "--curves", "notes.txt"]);
    assert!(said.contains("was not written by --curves"), "{said}");
    let said = scratch.refused(&["learn", "--curves", "good.csv", "--out", "notes.txt"]);
    assert!(said.contains("exists already"), "{said}");
    let said = scratch.refused(&["learn", "--curves", "good.csv", "--start", "none", "--out", "new.toml"]);
    assert!(said.contains("`none` reduces no move"), "{said}");
}
