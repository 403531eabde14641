//! Curves, and what is learned from them: `audit --curves`, `score`, `learn`.

use crate::scratch::Scratch;

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
        "2000",
        "--moves",
        "500",
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
        "3",
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
        "3",
    ]);
    assert_eq!(
        again.replace("two.csv", "one.csv").replace("relearn", "learned"),
        learned
    );
    // It is an ordinary policy.
    scratch.done(&["policy", "check", "learned.toml"]);
    scratch.done(&["bench", "learned.toml", "--depth", "4", "--quiet"]);
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
        (with_cell("nodes", "5"), "line 2: the last four columns"),
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
