//! `lmrlab trial`: many ideas in the same games.

use crate::scratch::Scratch;
use crate::unfinished::POLICY;

const CONDITIONS: [&str; 6] = ["--nodes", "300", "--hash", "1", "--seed", "3"];

fn project() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("small.toml", POLICY);
    scratch
}

fn effect(csv: &str, idea: &str) -> (f64, f64) {
    let mut rows = csv::Reader::from_reader(csv.as_bytes());
    let row = rows.records().map(Result::unwrap).find(|row| &row[0] == idea).unwrap();
    (row[2].parse().unwrap(), row[3].parse().unwrap())
}

#[test]
fn what_cripples_the_search_is_found_among_other_ideas() {
    let scratch = project();
    let trial = |threads: &str, csv: &str| {
        let words = [
            "trial",
            "small.toml",
            "--change",
            "base=0.6",
            "--change=-check",
            "--search",
            "quiescence_delta_margin=160",
            "--search=-transposition_table,-history,-quiescence_see_pruning",
            "--pairs",
            "60",
            "--quiet",
            "--threads",
            threads,
            "--csv",
            csv,
        ];
        let said = scratch.done(&[&words[..], &CONDITIONS].concat());
        (said, scratch.read(csv))
    };
    let (said, csv) = trial("1", "one.csv");
    assert_eq!((said.clone(), csv.clone()), trial("2", "two.csv"));
    assert!(csv.starts_with("idea,of,elo,elo_error_95,pairs,policy\n"));
    let (elo, error) = effect(&csv, "-transposition_table,-history,-quiescence_see_pruning");
    assert!(elo + error < 0.0, "{csv}");
    for (idea, of) in [
        ("base=0.6", "policy"),
        ("-check", "policy"),
        ("quiescence_delta_margin=160", "search"),
    ] {
        let (other, error) = effect(&csv, idea);
        assert!(other > elo && error > 20.0, "{csv}");
        let line = said.lines().find(|line| line.starts_with(idea)).unwrap();
        assert!(line.contains(of), "{said}");
    }
    // The best idea comes first.
    assert!(said.lines().last().unwrap().starts_with("Each of 60 pairs"), "{said}");
    assert!(
        said.lines().nth(4).unwrap().starts_with("-transposition_table"),
        "{said}"
    );
}

#[test]
fn ideas_that_cannot_be_tried_are_refused() {
    let scratch = project();
    for (ideas, expected) in [
        (vec![], "no idea is named"),
        (vec!["--change", "base=9"], "base"),
        (vec!["--change", "nothing=1"], "nothing"),
        (
            vec!["--change", "research.ladder=full"],
            "cannot be drawn for each pair",
        ),
        (vec!["--change", "base=0.5"], "changes nothing"),
        (
            vec!["--change", "base=0.6", "--change", "base=0.7"],
            "both change `base`",
        ),
        (vec!["--search", "+null_mov"], "did you mean `null_move`?"),
        (vec!["--search=-killers", "--pairs", "1"], "cannot tell 1 ideas"),
    ] {
        let said = scratch.refused(&[&["trial", "small.toml", "--csv", "out.csv"], &ideas[..]].concat());
        assert!(said.contains(expected), "{ideas:?}: {said}");
        assert!(!scratch.path("out.csv").exists());
    }
}
