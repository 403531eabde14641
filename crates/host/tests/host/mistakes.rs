//! What is wrong gets a message, in the crate and in lmrlab.h.

use std::fmt::Write as _;
use std::path::Path;

use insta::assert_snapshot;
use lmrlab_host::{Host, Units};
use tempfile::TempDir;

use crate::broken_files::{refused, whole_file};
use crate::header::driver::{Driver, sanitized};
use crate::policies::{file_of, shipped};

/// The answers of a host to its options, `NAME VALUE`, each after a policy has been set.
pub(crate) fn answers(driver: &Driver, environment: &[(&str, &str)], options: &[String]) -> Vec<String> {
    let input: String = options.iter().map(|option| format!("{option}\n")).collect();
    let text = driver.printed(&["options"], environment, &input);
    let lines = text
        .lines()
        .filter(|line| !line.starts_with("option name ") && !line.contains("-host 1 facts "));
    lines
        .map(|line| line.strip_prefix("info string lmrlab-host ").unwrap_or(line).to_owned())
        .collect()
}

/// Sets a policy that is wrong in the header.
fn refused_by_header(driver: &Driver, path: &Path) -> String {
    let found = answers(driver, &[], &[format!("LmrPolicy {}", path.display())]);
    let message = found[0].strip_prefix("error ").unwrap_or_else(|| panic!("{found:?}"));
    message.replace(&path.display().to_string(), "FILE")
}

/// Changes of a compiled policy, each of which makes it wrong.
const IN_FILES: &[(&str, &str)] = &[
    ("lmrlab-policy 1", "lmrlab-policy 2"),
    ("lmrlab-policy 1", "name = \"house\""),
    ("units lmrlab", "units pawns"),
    ("param slope 0.5 0 1", "param slope 1.5 0 1"),
    ("param slope 0.5", "param slope nan"),
    ("param slope 0.5 0 1", "param  slope 0.5 0 1"),
    ("param slope", "own flag pv\nparam slope"),
    ("flags +quiet", "flags quiet"),
    ("flags +quiet", "flags +quite"),
    ("flags +quiet", "flags +depth"),
    ("when", "wenn"),
    ("@slope", "@sloep"),
    ("depth 3 >=", "depth >="),
    ("depth 3 >=", "depth 3"),
    ("depth 3 >=", "so_far 3 >="),
    ("depth 3 >=", "score 3 >="),
    ("depth 3 >=", "depth 3 >= :1 1"),
    ("depth 3 >=", "depth ?1 3 4"),
    ("depth 3 >=", "quiet ?2 3 4"),
    ("depth 3 >=", "depth &2 1"),
    ("depth 3 >=", "depth :5"),
    ("depth 3 >=", "0x7ff0000000000000"),
    ("columns 2", "columns 0"),
    ("row 1 2", "row 1"),
    ("rule a on", "rule a maybe"),
    ("finish scale=1 ", "finish scale=1000 "),
    ("round=trunc", "round=up"),
    (" max=9 ", " max=999 "),
    (" min=0 max=9", " max=9 min=0"),
    ("pv_bonus=0", "pv_bonus=0 more=1"),
    ("ladder=by_score", "ladder=up"),
    ("\nend\n", "\nend\nend\n"),
    ("\nend\n", "\n"),
];

#[test]
fn a_mistake_in_a_file_is_reported_with_its_line() {
    let (folder, good) = (TempDir::new().unwrap(), whole_file());
    let path = folder.path().join("policy.lmr");
    let (mut crates, mut headers) = (String::new(), String::new());
    let logarithms = good.lines().find(|line| line.starts_with("ln ")).unwrap();
    let without = (
        "the line `ln`".to_owned(),
        good.replacen(&format!("{logarithms}\n"), "", 1),
    );
    let changed = |(from, to): &(&str, &str)| (format!("{from:?} -> {to:?}"), good.replacen(from, to, 1));
    for (change, text) in IN_FILES.iter().map(changed).chain([without]) {
        assert_ne!(text, good, "{change}");
        let _ = writeln!(crates, "{change}\n    {}", refused(&text));
        if let Some(driver) = sanitized() {
            std::fs::write(&path, &text).unwrap();
            let _ = writeln!(headers, "{change}\n    {}", refused_by_header(driver, &path));
        }
    }
    assert_snapshot!("files_in_the_crate", crates);
    if sanitized().is_some() {
        assert_snapshot!("files_in_the_header", headers);
    }
}

/// Wrong lists of an engine's facts.
const FACTS: &[&str] = &[
    "detph pv",
    "qqqqqqqqq",
    "pv pv",
    "pv*2",
    "see*0",
    "see*x",
    "see*1/0",
    "see*1e308/1e-10",
    "so_far",
    "score",
    "flag:pv",
    "flag:min",
    "flag:a number:a",
    "flag:a b flag:a",
];

#[test]
fn a_wrong_list_of_facts_says_what_would_be_right() {
    let many: String = (0..17).map(|index| format!("flag:f{index} ")).collect();
    let lists = || FACTS.iter().copied().chain([many.as_str()]);
    let crates = lists().map(|list| format!("{list}\n    {}\n", Host::new("Engine", list).unwrap_err()));
    assert_snapshot!("facts_in_the_crate", crates.collect::<String>());
    let Some(driver) = sanitized() else { return };
    let headers = lists().map(|list| {
        let output = driver.run(&["facts", list], &[], "");
        assert_eq!(output.status.code(), Some(1), "{list}");
        format!("{list}\n    {}", String::from_utf8(output.stderr).unwrap())
    });
    assert_snapshot!("facts_in_the_header", headers.collect::<String>());
    let fine = "depth  pv see*0.5 score*2 flag:_x\tnumber:y*-1";
    assert!(Host::new("Engine", fine).is_ok());
    driver.printed(&["facts", fine], &[], "");
}

/// Wrong values of options.
const OPTIONS: &[&str] = &[
    "LmrParams bsae=0.9",
    "LmrParams -histor",
    "LmrParams divisor=1.7,base=9",
    "LmrParams base=nine",
    "LmrParams base=0x7ff8000000000000",
    "LmrParams base",
    "LmrParams base=1,",
    "LmrPolicy no/such/file",
    "LmrTraceRate 2",
    "LmrTraceRate nan",
    "LmrShadow both",
    "LmrTrace no/such/folder/x.trace",
];

#[test]
fn a_wrong_value_of_an_option_says_what_would_be_right() {
    let folder = TempDir::new().unwrap();
    let path = file_of(&shipped("house"), Units::Lmrlab, &folder);
    let (mut crates, mut headers) = (String::new(), String::new());
    for option in OPTIONS {
        let (name, value) = option.split_once(' ').unwrap();
        let mut host = Host::new("Engine", &crate::hosting::all_facts()).unwrap();
        assert!(!host.set_option("LmrPolicy", &path).unwrap()[0].contains(" error "));
        let answer = host.set_option(name, value).unwrap().concat();
        let _ = writeln!(crates, "{option}\n    {answer}");
        // After an error in the policy or its changes the engine reduces by its own scheme.
        assert_eq!(
            host.policy().is_none(),
            name == "LmrParams" || name == "LmrPolicy",
            "{option}"
        );
        if let Some(driver) = sanitized() {
            let found = answers(driver, &[], &[format!("LmrPolicy {path}"), (*option).to_owned()]);
            let is_in_force = found.last().unwrap().starts_with("ladder ");
            assert_eq!(is_in_force, host.policy().is_some(), "{found:?}");
            let _ = writeln!(headers, "{option}\n    {}", found[2]);
        }
    }
    assert_snapshot!("options_in_the_crate", crates);
    if let Some(driver) = sanitized() {
        assert_snapshot!("options_in_the_header", headers);
        let long = answers(driver, &[], &[format!("LmrParams {}", "x".repeat(40_000))]);
        assert!(
            long[0].starts_with("error the value of LmrParams is too long"),
            "{long:?}"
        );
    }
}

#[test]
fn facts_that_the_engine_lacks_are_named() {
    let folder = TempDir::new().unwrap();
    let path = file_of(&shipped("house"), Units::Lmrlab, &folder);
    let mut host = Host::new("Engine", "pv quiet depth move_number moves_searched improving").unwrap();
    let answer = host.set_option("LmrPolicy", &path).unwrap();
    let missing = "info string lmrlab-host error the policy house reads facts that this engine does not fill: cut gives_check tt_hit \
                   tt_capture killer extended tt_pv counter_move alpha parent_reduction child_cutoffs ordering_history see";
    assert_eq!(answer, [missing]);
    assert!(host.policy().is_none() && !host.is_active());
    let Some(driver) = sanitized() else { return };
    let good = std::fs::read_to_string(&path).unwrap();
    let reduce = good.lines().find(|line| line.starts_with("reduce ")).unwrap();
    let with = |own: &str, words: &str| {
        let text = good.replacen("units lmrlab\n", &format!("units lmrlab\n{own}"), 1);
        let text = text.replacen(reduce, &format!("reduce {words}"), 1);
        std::fs::write(&path, text).unwrap();
        answers(driver, &[], &[format!("LmrPolicy {path}")])
    };
    let own = "own flag blue\nown number mood\nown flag red\nown flag mood2\n";
    let found = with(own, "blue ?2 mood :1 depth");
    assert!(
        found[0].starts_with("policy house ") && found[1].ends_with(" mood 1 blue 1"),
        "{found:?}"
    );
    let found = with("own flag red\nown number blue\n", "red ?2 blue :1 depth");
    let missing = "error the policy house reads facts that this engine does not fill: flag:red number:blue";
    assert_eq!(found, [missing]);
    // What constants leave out is not needed.
    let found = with("own flag red\n", "0 ?2 red :1 depth");
    assert!(found[0].starts_with("policy house "), "{found:?}");
}
