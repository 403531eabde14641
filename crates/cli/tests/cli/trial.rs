//! Trials: their games, their tables, and what is refused.

use crate::scratch::Scratch;
use crate::unfinished::POLICY;

const CONDITIONS: [&str; 6] = ["--nodes", "150", "--hash", "1", "--seed", "3"];

fn project() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("small.toml", POLICY);
    scratch
}

fn effect(csv: &str, idea: &str) -> (f64, f64) {
    let mut rows = csv::Reader::from_reader(csv.as_bytes());
    let row = rows.records().map(Result::unwrap).find(|row| &row[0] == idea).unwrap();
    // Games that all ended alike show no error.
    (row[4].parse().unwrap(), row[5].parse().unwrap_or(0.0))
}

/// A trial of two ideas of the policy and one of the search.
const THREE_IDEAS: [&str; 6] = [
    "trial",
    "small.toml",
    "--change",
    "base=0.6",
    "--change=-check",
    "--search=-killers",
];

#[test]
fn an_idea_that_ruins_the_search_is_found_among_others() {
    let scratch = project();
    let ruin = "-transposition_table,-history,-quiescence_see_pruning";
    let words = [
        &format!("--search={ruin}"),
        "--interactions",
        "--pairs",
        "80",
        "--quiet",
        "--out",
        "out",
    ];
    let said = scratch.done(&[&THREE_IDEAS[..], &words, &CONDITIONS].concat());
    let csv = scratch.read("out/trial.csv");
    assert!(csv.starts_with("idea,of,preset,match_nodes,elo,elo_error_95,pairs,policy,mean,"));
    let (elo, error) = effect(&csv, ruin);
    assert!(elo + error < 0.0, "{csv}");
    for (idea, of, shown) in [
        ("base=0.6", "policy", "base=0.6 "),
        ("-check", "policy", "check off "),
        ("-killers", "search", "killers off "),
    ] {
        let (other, error) = effect(&csv, idea);
        assert!(other > elo && error > 20.0, "{csv}");
        let line = said.lines().find(|line| line.starts_with(shown)).unwrap();
        assert!(line.contains(of), "{said}");
    }
    // The best idea comes first.
    assert!(
        said.starts_with("4 ideas, 80 pairs at standard 150 nodes a move\n"),
        "{said}"
    );
    let mut table = said.lines().skip_while(|line| !line.starts_with("Idea "));
    let last = table.nth(4).unwrap();
    assert!(last.starts_with("transposition_table off, history off"), "{said}");
    assert!(
        said.contains("its mean gain over all combinations of the other ideas"),
        "{said}"
    );
    let table = scratch.read("out/interactions.csv");
    assert!(table.starts_with("idea,with,elo,elo_error_95,pairs,preset,match_nodes\nbase=0.6,-check,"));
    assert_eq!(table.lines().count(), 7);
    assert_eq!(scratch.done("show out").lines().next(), said.lines().next());
}

#[test]
fn ideas_that_cannot_be_tried_are_refused() {
    let scratch = project();
    for (ideas, expected) in [
        ("", "no idea is named"),
        ("--change base=0.5", "changes nothing"),
        ("--search +null_mov", "did you mean `null_move`?"),
        ("--search=-killers --pairs 1", "cannot tell 1 ideas"),
        (
            "--search=-killers --search=-history --interactions --pairs 5",
            "cannot tell 2 ideas and their interactions from each other",
        ),
        ("--search=-killers --presets standard,standard", "has `standard` twice"),
        ("--search=-killers --presets standard,,minimal", "has an empty name"),
        ("--idea cut-node-mor", "did you mean `cut-node-more`?"),
        (
            "--idea cut-node-more --idea bad-captures-more --idea lmr-introduction",
            "the idea `bad-captures-more` cannot be tried on `small`: rule `losing-capture` never applies there",
        ),
        (
            "--idea fractional",
            "ideas that can be tried on it: after-null-less, alpha-raises-more, bad-captures-include, ",
        ),
        (
            "--idea more-overall --change base=0.7",
            "the policy has another formula",
        ),
    ] {
        let words = format!("trial small.toml --out out {ideas}");
        let said = scratch.refused(words.trim());
        assert!(said.contains(expected), "{ideas:?}: {said}");
        assert!(!said.contains("the command line"), "the file is not the user's: {said}");
        assert!(!scratch.path("out").exists());
    }
}

/// An idea of the library is the same games as its rule.
#[test]
fn an_idea_of_the_library_is_switched_on_and_off() {
    let scratch = project();
    let rule = "[[rule]]\nname = \"expected-cut\"\nwhen = \"cut\"\nadd = \"1\"\n";
    scratch.write("has.toml", &format!("{POLICY}{rule}").replace("\"small\"", "\"has\""));
    scratch.write("off.toml", &format!("{POLICY}{rule}enabled = false\n"));
    let trial = |policy: &str, idea: &[&str]| {
        let words = [
            "trial", policy, "--change", "base=0.6", "--pairs", "16", "--quiet", "--out",
        ];
        let out = policy.replace(".toml", "");
        let said = scratch.done(&[&words[..], &[&out], idea, &CONDITIONS].concat());
        (said, scratch.read(&format!("{out}/trial.csv")))
    };
    let (said, lacks) = trial("small.toml", &["--idea", "cut-node-more"]);
    for part in [
        "  Reported by others\n",
        "  +3.4 ± 1.6 (13 engines)\n",
        "\ncut-node-more: rule expected-cut (when `cut`, add `1`); small is without it.\n",
    ] {
        assert!(said.contains(part), "{said}");
    }
    let (_, off) = trial("off.toml", &["--change=+expected-cut"]);
    assert_eq!(effect(&lacks, "cut-node-more"), effect(&off, "+expected-cut"));
    assert_eq!(effect(&lacks, "base=0.6"), effect(&off, "base=0.6"));
    // What is shown later is what was printed.
    let table = said.split("Results are").next().unwrap();
    assert!(scratch.done("show small").starts_with(table));
    // The idea of a project counts as it was when the run began.
    let own = "idea = \"Knows no checks.\"\ncategory = \"rules\"\n[[comparison]]\non = \"has\"\n\
        with = \"../../has.toml@-check\"\nwithout = \"../../has.toml\"\n";
    scratch.write("configs/ideas/no-checks.toml", own);
    let (said, _) = trial("has.toml", &["--idea", "no-checks"]);
    assert!(
        said.contains("\nno-checks: without rule check (when `gives_check`, add `-1`); has is without it.\n"),
        "{said}"
    );
    std::fs::remove_file(scratch.path("configs/ideas/no-checks.toml")).unwrap();
    let table = said.split("Results are").next().unwrap();
    assert!(scratch.done("show has").starts_with(table));
}

#[test]
fn each_setting_is_the_trial_that_it_would_be_alone() {
    let scratch = project();
    let trial = |words: &[&str], out: &str| {
        let ideas = [
            "trial",
            "small.toml",
            "--change",
            "base=0.6",
            "--search=-killers",
            "--search=-null_move",
        ];
        let end = ["--pairs", "16", "--hash", "1", "--seed", "3", "--quiet", "--out", out];
        let output = scratch.lmrlab(&[&ideas[..], words, &end].concat()).assert().success();
        let output = output.get_output();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        (
            text(&output.stdout),
            text(&output.stderr),
            scratch.read(&format!("{out}/trial.csv")),
        )
    };
    let presets = "standard@-killers,-history,standard";
    let (said, notes, together) = trial(&["--presets", presets, "--nodes", "200,300"], "together");
    assert!(
        notes.contains("left out at standard@-killers,-history 200")
            && notes.contains("no search of the bench's positions changes: killers off"),
        "{notes}"
    );
    assert!(!notes.contains("at standard 200"), "{notes}");
    let (_, _, alone) = trial(&["--preset", "standard", "--nodes", "200"], "alone");
    let cells = |csv: &str| -> Vec<Vec<String>> {
        let mut rows = csv::Reader::from_reader(csv.as_bytes());
        let rows = rows
            .records()
            .map(Result::unwrap)
            .filter(|row| &row[2] == "standard" && &row[3] == "200");
        rows.map(|row| row.iter().take(8).map(str::to_owned).collect())
            .collect()
    };
    assert_eq!(cells(&together), cells(&alone));
    assert_eq!(cells(&alone).len(), 3);
    let headings = said.lines().find(|line| line.starts_with("Idea ")).unwrap();
    for heading in ["standard 300", "standard@-killers,-history 200", "Mean", "tau", "  p"] {
        assert!(headings.contains(heading), "{said}");
    }
    assert!(said.starts_with("3 ideas in 4 settings, 64 pairs\n"), "{said}");
    // The folder and its copy without the runs are shown as they were printed.
    let table = said.split("Results are").next().unwrap();
    assert_eq!(scratch.done("show together"), format!("{}\n", table.trim_end()));
    for name in ["trial.csv", "interactions.csv", "outcome.toml"] {
        scratch.write(&format!("copy/{name}"), &scratch.read(&format!("together/{name}")));
    }
    assert_eq!(scratch.done("show copy"), scratch.done("show together"));
}

#[test]
fn parts_of_a_trial_come_to_what_one_machine_comes_to() {
    let scratch = project();
    let words = [
        &THREE_IDEAS[..],
        &["--interactions", "--pairs", "13", "--quiet"],
        &CONDITIONS,
    ]
    .concat();
    let with = |more: &[&'static str]| -> Vec<&'static str> { [&words[..], more].concat() };
    let said = scratch.done(&with(&["--out", "whole"]));
    scratch.done(&with(&["--part", "1/2", "--out", "parts/1-of-2"]));
    let shown = scratch.done("show parts/1-of-2");
    for expected in ["pairs 1 to 6 of 13.", "6 pairs of the part are played."] {
        assert!(shown.contains(expected), "{shown}");
    }
    let partial = scratch.refused("merge parts/1-of-2 --out merged --partial");
    assert!(partial.contains("these are parts of a trial"), "{partial}");
    scratch.done(&with(&["--part", "2/2", "--out", "parts/2-of-2"]));
    // The folder of the parts is not a trial in several settings.
    scratch.refused("resume parts");
    let merged = scratch.done("merge parts/1-of-2 parts/2-of-2 --out merged");
    assert_eq!(merged, said.replace("in whole", "in merged"));
    for file in [
        "games.csv",
        "journal.sha256",
        "tuning.csv",
        "trial.csv",
        "interactions.csv",
        "result.toml",
    ] {
        let [whole, merged] = ["whole", "merged"].map(|folder| scratch.read(&format!("{folder}/{file}")));
        assert!(whole == merged, "{file} differs");
    }
    assert_eq!(scratch.done("show merged"), scratch.done("show whole"));
    let refused = scratch.refused(&with(&[
        "--part",
        "1/2",
        "--presets",
        "standard,minimal",
        "--out",
        "two",
    ]));
    assert!(refused.contains("`--part` is for a trial in one setting"), "{refused}");
}
