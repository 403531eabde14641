//! `lmrlab report`, `compare` and `index`: pages of results.

use std::collections::BTreeSet;

use predicates::prelude::*;

use crate::scratch::{ROUND_ROBIN, Scratch};

fn trio(scratch: &Scratch) {
    // With fewer nodes no engine is better than another, and there are no errors to show.
    scratch.write("trio.toml", &ROUND_ROBIN.replace("nodes = 100", "nodes = 200"));
    scratch.done("run trio.toml --quiet --out trio");
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

/// A run that began with --report writes its page, even if it was killed before the first one was written.
#[test]
fn a_run_writes_its_page_itself() {
    let scratch = Scratch::new();
    let play = "match none rebel-starter --pairs 3 --nodes 100 --quiet --out run";
    let begun = scratch.lmrlab(&format!("{play} --report")).assert().success();
    begun.stderr(predicate::str::contains("The page is run"));
    let page = scratch.read("run/report.html");
    assert!(page.contains("Pairs by the points of none"));
    assert!(!page.contains("http-equiv=\"refresh\""));
    // A run that has ended is not followed for ever.
    scratch.done("report run --follow");
    let games = scratch.read("run/games.csv");
    let first: Vec<&str> = games.split_inclusive('\n').take(3).collect();
    scratch.write("run/games.csv", &first.concat());
    std::fs::remove_file(scratch.path("run/report.html")).unwrap();
    scratch.done("report run --out stopped.html");
    let stopped = scratch.read("stopped.html");
    assert!(
        stopped.contains("The run was interrupted after 1 of 3 pairs"),
        "{stopped}"
    );
    let resumed = scratch.lmrlab("resume run --quiet").assert().success();
    resumed.stderr(predicate::str::contains("The page is run/report.html"));
    assert_eq!(scratch.read("run/games.csv"), games);
    assert!(scratch.path("run/report.html").exists());
    // A page is one of the files that `--force` replaces.
    scratch.done(&format!("{play} --force"));
    assert!(!scratch.path("run/report.html").exists());
}

/// Runs with the same engines are compared side by side; two variants that played the same engine, by their games with it.
#[test]
fn runs_are_compared() {
    let scratch = Scratch::new();
    for (engines, nodes, out) in [
        ("none rebel-starter", 100, "short"),
        ("none rebel-starter", 150, "long"),
        ("logarithm none", 150, "variant"),
    ] {
        scratch.done(&format!(
            "match {engines} --pairs 12 --nodes {nodes} --quiet --out {out}"
        ));
    }
    for (runs, file, page, words) in [
        (
            "short long",
            "pairings",
            "Elo of the same engines in each run",
            &["limit.nodes"][..],
        ),
        (
            "long variant",
            "variants",
            "logarithm against rebel-starter, by their games with none",
            &[
                "variant (logarithm vs none)",
                "Against the same engine",
                "The runs are taken as independent games",
            ],
        ),
    ] {
        let text = scratch.done(&format!("compare {runs} --out {file} --report"));
        assert!(!text.contains("\nseed"), "equal keys are left out: {text}");
        assert!(words.iter().all(|words| text.contains(words)), "{text}");
        let mut reader = csv::Reader::from_path(scratch.path(&format!("{file}/{file}.csv"))).unwrap();
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        assert_eq!(rows.len(), 2);
        let number = |row: usize, column: usize| rows[row][column].parse::<f64>().unwrap();
        assert!((number(1, 6) - (number(1, 4) - number(0, 4))).abs() < 2e-4);
        assert!((number(1, 7) - number(0, 5).hypot(number(1, 5))).abs() < 2e-4);
        assert!(scratch.read(&format!("{file}/report.html")).contains(page));
    }
    scratch.refused("compare short long --out pairings");
    scratch.done("match house ethereal --pairs 1 --nodes 100 --quiet --out other");
    let said = scratch.refused("compare short other");
    assert!(said.contains("these runs have no engine in common"), "{said}");
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
        .lmrlab("tune tuning.toml --quiet --report --out tuned")
        .assert()
        .success()
        .stderr(predicate::str::contains("The page is tuned"));
    let page = scratch.read("tuned/report.html");
    assert!(page.contains("the recommended value over the pairs played"));
    let result: toml::Table = scratch.read("tuned/result.toml").parse().unwrap();
    for parameter in result["parameter"].as_array().unwrap() {
        let name = parameter["name"].as_str().unwrap();
        assert!(page.contains(&format!(">{name}</td>")), "{name}");
        // The model is drawn along what the games say something about.
        let is_drawn = page.contains(&format!("{name}: Elo over the start"));
        assert_eq!(is_drawn, parameter.get("interval_95").is_some(), "{name}");
    }
    // Half of the run has a page, too.
    let journal = scratch.read("tuned/tuning.csv");
    let lines: Vec<&str> = journal.lines().take(31).collect();
    scratch.write("tuned/tuning.csv", &format!("{}\n", lines.join("\n")));
    std::fs::remove_file(scratch.path("tuned/journal.sha256")).unwrap();
    scratch.done("report tuned");
    scratch.done("index .");
    for page in ["tuned/report.html", "index.html"] {
        assert!(
            scratch.read(page).contains("The run has not spent its budget"),
            "{page}"
        );
    }
}
