//! `lmrlab report`, `compare` and `index`: pages of results.

use std::collections::BTreeSet;

use predicates::prelude::*;

use crate::scratch::{ROUND_ROBIN, Scratch};

fn trio(scratch: &Scratch) {
    // With fewer nodes no engine is better than another, and there are no errors to show.
    scratch.write("trio.toml", &ROUND_ROBIN.replace("nodes = 100", "nodes = 200"));
    scratch.done("run trio.toml --quiet --out trio");
}

/// The rows of the first table on a page whose headings begin with these, headings first.
fn table(page: &str, headings: &[&str]) -> Vec<Vec<String>> {
    let text = |cell: &str| {
        let mut text = String::new();
        let mut inside = false;
        for letter in cell.chars() {
            match letter {
                '<' => inside = true,
                '>' => inside = false,
                letter if !inside => text.push(letter),
                _ => {}
            }
        }
        text.replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"")
            .replace("&amp;", "&")
    };
    let rows = |table: &str| -> Vec<Vec<String>> {
        let rows = table.split("<tr>").skip(1);
        let cells = |row: &str| -> Vec<String> {
            let ends = row.split("</th>").flat_map(|part| part.split("</td>"));
            let mut cells: Vec<String> = ends.map(text).collect();
            cells.pop();
            cells
        };
        rows.map(|row| cells(row.split("</tr>").next().unwrap())).collect()
    };
    let tables = page
        .split("<table")
        .skip(1)
        .map(|table| rows(table.split("</table>").next().unwrap()));
    tables
        .into_iter()
        .find(|rows| rows[0].iter().zip(headings).filter(|(one, other)| one == other).count() == headings.len())
        .unwrap()
}

#[test]
fn a_page_asks_for_nothing_and_every_picture_says_what_it_shows() {
    let scratch = Scratch::new();
    trio(&scratch);
    scratch.done("report trio --out page.html --svg pictures");
    let page = scratch.read("page.html");
    for asks in ["src=", "http-equiv=\"refresh\"", "@import", "url("] {
        assert!(!page.contains(asks), "{asks}");
    }
    let links: BTreeSet<&str> = page
        .split("href=\"")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap())
        .collect();
    assert!(links.iter().all(|link| link.starts_with('#')), "{links:?}");
    let pictures = page.matches("<svg ").count();
    assert!(pictures >= 4);
    for picture in page
        .split("<svg ")
        .skip(1)
        .filter(|picture| picture.contains("role=\"img\""))
    {
        let label = picture
            .split("aria-label=\"")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap();
        assert!(label.len() > 20, "{label}");
    }
    let files: Vec<String> = std::fs::read_dir(scratch.path("pictures"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(
        files.contains(&"ratings-of-3-engines.svg".to_owned()) && files.contains(&"why-18-games-ended.svg".to_owned()),
        "{files:?}"
    );
    assert!(
        scratch
            .read("pictures/ratings-of-3-engines.svg")
            .starts_with("<svg xmlns=")
    );
}

#[test]
fn what_is_no_result_is_refused() {
    let scratch = Scratch::new();
    scratch.write("notes/readme.txt", "nothing");
    for path in ["notes", "nowhere", "notes/readme.txt"] {
        scratch
            .lmrlab(&["report", path])
            .assert()
            .code(2)
            .stderr(predicate::str::contains(path).and(predicate::str::contains("help")));
    }
    assert!(!scratch.path("notes/report.html").exists());
    trio(&scratch);
    scratch
        .lmrlab(&["report", "trio", "--out", "notes"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("which is a folder"));
}

#[test]
fn a_run_that_was_stopped_has_a_page_that_says_so() {
    let scratch = Scratch::new();
    trio(&scratch);
    let games = scratch.read("trio/games.csv");
    let lines: Vec<&str> = games.lines().take(1 + 4).collect();
    scratch.write("trio/games.csv", &format!("{}\n", lines.join("\n")));
    for file in ["journal.sha256", "standings.csv"] {
        std::fs::remove_file(scratch.path(&format!("trio/{file}"))).unwrap();
    }
    scratch.done("report trio");
    let page = scratch.read("trio/report.html");
    assert!(page.contains("The run was interrupted after 2 of 9 pairs"), "{page}");
}

#[test]
fn a_run_writes_its_page_itself() {
    let scratch = Scratch::new();
    let words = [
        "match",
        "none",
        "rebel-starter",
        "--pairs",
        "2",
        "--nodes",
        "100",
        "--quiet",
        "--report",
        "--out",
        "two",
    ];
    scratch
        .lmrlab(&words)
        .assert()
        .success()
        .stderr(predicate::str::contains("The page is two"));
    let page = scratch.read("two/report.html");
    assert!(page.contains("Pairs by the points of none"));
    assert!(!page.contains("http-equiv=\"refresh\""));
    // A run that has ended is not followed for ever.
    scratch.done("report two --follow");
    // A page is one of the files that `--force` replaces.
    scratch
        .lmrlab(&[&words[..8], &["--force", "--out", "two"]].concat())
        .assert()
        .success();
    assert!(!scratch.path("two/report.html").exists());
}

#[test]
fn runs_side_by_side() {
    let scratch = Scratch::new();
    for (nodes, out) in [("100", "short"), ("150", "long")] {
        scratch.done(&[
            "match",
            "none",
            "rebel-starter",
            "--pairs",
            "12",
            "--nodes",
            nodes,
            "--quiet",
            "--out",
            out,
        ]);
    }
    let text = scratch.done("compare short long --out both --report");
    assert!(text.contains("limit.nodes"), "{text}");
    assert!(!text.contains("\nseed"), "equal keys are left out: {text}");
    let mut reader = csv::Reader::from_path(scratch.path("both/pairings.csv")).unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 2);
    let number = |row: usize, column: usize| rows[row][column].parse::<f64>().unwrap();
    assert!((number(1, 6) - (number(1, 4) - number(0, 4))).abs() < 2e-4);
    let error = number(0, 5).hypot(number(1, 5));
    assert!((number(1, 7) - error).abs() < 2e-4);
    assert!(
        scratch
            .read("both/report.html")
            .contains("Elo of the same engines in each run")
    );
    scratch
        .lmrlab(&["compare", "short", "long", "--out", "both"])
        .assert()
        .code(2);
    scratch.done("match house ethereal --pairs 1 --nodes 100 --quiet --out other");
    scratch
        .lmrlab(&["compare", "short", "other"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("these runs have no engine in common"));
}

/// Two variants that played the same engine are compared by their games with it.
#[test]
fn variants_are_compared_by_their_games_with_the_same_engine() {
    let scratch = Scratch::new();
    for (variant, out) in [("rebel-starter", "runs/one"), ("logarithm", "runs/two")] {
        scratch.done(&[
            "match", variant, "none", "--pairs", "12", "--nodes", "150", "--quiet", "--out", out,
        ]);
    }
    let text = scratch.done("compare runs/one runs/two --out both --report");
    for words in [
        "one (rebel-starter vs none)",
        "two (logarithm vs none)",
        "Against the same engine",
        "logarithm against rebel-starter, by their games with none",
        "The runs are taken as independent games",
    ] {
        assert!(text.contains(words), "{words} in {text}");
    }
    let mut reader = csv::Reader::from_path(scratch.path("both/variants.csv")).unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(
        (&rows[0][0], &rows[1][0], rows.len()),
        ("rebel-starter", "logarithm", 2)
    );
    let number = |row: usize, column: usize| rows[row][column].parse::<f64>().unwrap();
    assert!((number(1, 6) - (number(1, 4) - number(0, 4))).abs() < 2e-4);
    assert!((number(1, 7) - number(0, 5).hypot(number(1, 5))).abs() < 2e-4);
    assert!(
        scratch
            .read("both/report.html")
            .contains("logarithm against rebel-starter, by their games with none")
    );
}

/// A run that began with --report gets its page, even if it was killed before the first one was written.
#[test]
fn a_resumed_run_has_its_page() {
    let scratch = Scratch::new();
    let words = [
        "match",
        "none",
        "rebel-starter",
        "--pairs",
        "3",
        "--nodes",
        "100",
        "--quiet",
        "--out",
        "run",
        "--report",
    ];
    scratch.done(&words);
    let whole = scratch.read("run/report.html");
    let games = scratch.read("run/games.csv");
    let first: Vec<&str> = games.split_inclusive('\n').take(3).collect();
    scratch.write("run/games.csv", &first.concat());
    std::fs::remove_file(scratch.path("run/report.html")).unwrap();
    let resumed = scratch.lmrlab("resume run --quiet").assert().success();
    assert!(String::from_utf8_lossy(&resumed.get_output().stderr).contains("The page is run/report.html"));
    assert_eq!(scratch.read("run/games.csv"), games);
    assert_eq!(
        scratch.read("run/report.html").contains("3 of 3"),
        whole.contains("3 of 3")
    );
}

#[test]
fn a_list_of_runs() {
    let scratch = Scratch::new();
    scratch
        .lmrlab(&["index", "."])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("no results"));
    scratch.done("match none rebel-starter --pairs 2 --nodes 100 --quiet --out 'results/a b&c'");
    scratch.done("match none house --pairs 2 --nodes 100 --quiet --out results/deep/er");
    scratch.done("index results");
    let page = scratch.read("results/index.html");
    assert!(!page.contains("href=\"./"), "no run has a page yet");
    assert!(page.contains("a b&amp;c") && page.contains("deep/er"));
    for run in ["results/a b&c", "results/deep/er"] {
        scratch.done(&["report", run]);
    }
    scratch.done("index results");
    let page = scratch.read("results/index.html");
    assert!(page.contains("href=\"./a%20b%26c/report.html\"") && page.contains("href=\"./deep/er/report.html\""));
}

#[test]
fn a_tuning_run_has_its_page() {
    let scratch = Scratch::new();
    scratch.write(
        "tuning.toml",
        "name = \"t\"\npairs = 60\nseed = 1\nhash_mib = 1\n[openings]\nfile = \"positions/openings.epd\"\n[limit]\nnodes = 60\n\
         [adjudication]\nmax_moves = 20\n[engine]\npolicy = \"logarithm\"\n[gate]\nplay = false\n",
    );
    scratch
        .lmrlab(&["tune", "tuning.toml", "--quiet", "--report", "--out", "tuned"])
        .assert()
        .success()
        .stderr(predicate::str::contains("The page is tuned"));
    let page = scratch.read("tuned/report.html");
    let result: toml::Table = scratch.read("tuned/result.toml").parse().unwrap();
    let rows = table(&page, &["Parameter"]);
    let parameters = result["parameter"].as_array().unwrap();
    assert_eq!(rows.len(), 1 + parameters.len());
    for (row, parameter) in rows[1..].iter().zip(parameters) {
        assert_eq!(row[0], parameter["name"].as_str().unwrap());
        for (cell, key) in row[1..3].iter().zip(["start", "tuned"]) {
            assert_eq!(
                cell.parse::<f64>().unwrap(),
                parameter[key].as_float().unwrap(),
                "{key}"
            );
        }
    }
    assert!(page.contains("the recommended value over the pairs played"));
    // The model is drawn along what the games say something about.
    for parameter in parameters {
        let name = parameter["name"].as_str().unwrap();
        let is_drawn = page.contains(&format!("{name}: Elo over the start"));
        assert_eq!(is_drawn, parameter.get("interval_95").is_some(), "{name}");
    }
    // Half of the run has a page, too.
    let journal = scratch.read("tuned/tuning.csv");
    let lines: Vec<&str> = journal.lines().take(31).collect();
    scratch.write("tuned/tuning.csv", &format!("{}\n", lines.join("\n")));
    std::fs::remove_file(scratch.path("tuned/journal.sha256")).unwrap();
    scratch.done("report tuned");
    assert!(
        scratch
            .read("tuned/report.html")
            .contains("The run has not spent its budget")
    );
}
