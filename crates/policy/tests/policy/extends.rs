//! Files that extend other files.

use std::fs;
use std::path::PathBuf;

use crate::common::Move;
use insta::assert_snapshot;
use lmrlab_diagnostics::{Diagnostics, Files, Source};
use lmrlab_policy::Policy;
use lmrlab_policy::facts::Fact;
use lmrlab_policy::history::HistoryModel;
use lmrlab_policy::research::Ladder;

/// Files in a folder of their own.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap_or_else(|e| panic!("{e}"));
    for (file, text) in files {
        let path = folder.join(file);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).unwrap_or_else(|e| panic!("{e}"));
        }
        fs::write(path, text).unwrap_or_else(|e| panic!("{e}"));
    }
    folder
}

fn load(name: &str, files: &[(&str, &str)]) -> Result<(Policy, Diagnostics), Diagnostics> {
    let folder = folder(name, files);
    Policy::compile(Source::read_from(
        &Files::on_disk(),
        &folder.join("child.toml"),
        "child.toml",
    )?)
}

fn loaded(name: &str, files: &[(&str, &str)]) -> Policy {
    match load(name, files) {
        Ok((policy, warnings)) => {
            assert!(warnings.list.is_empty(), "{warnings}");
            policy
        }
        Err(wrong) => panic!("{wrong}"),
    }
}

fn refused(name: &str, files: &[(&str, &str)]) -> String {
    match load(name, files) {
        Ok((_, warnings)) => warnings.to_string(),
        Err(wrong) => wrong.to_string(),
    }
}

const PARENT: &str = r#"
name = "parent"
description = "The first."
source = "someone"
when = "depth >= 3 and quiet"
reduce = "base + ln(depth) * ln(move_number) / divisor"
[param]
base = { value = 0.5, min = 0.0, max = 1.5, step = 0.1 }
divisor = { value = 2.0, min = 1.0, max = 4.0 }
[[rule]]
name = "pv"
when = "pv"
add = "-1"
[[rule]]
name = "history"
when = "history < 0"
add = "1"
cap = "3"
[finish]
floor = 1
[history]
model = "rebel"
ply_limit = 9
[research]
ladder = "intermediate"
above = 3
trigger = "at_or_above_beta"
"#;

#[test]
fn a_file_that_changes_a_few_keys() {
    let child = r#"
name = "child"
extends = "parent.toml"
[param]
divisor = { value = 1.0 }
[[rule]]
name = "extra"
when = "in_check"
add = "-2"
[[rule]]
name = "pv"
set = "0"
[finish]
max = 4
[history]
bound = 500
"#;
    let policy = loaded("few_keys", &[("child.toml", child), ("parent.toml", PARENT)]);
    assert_eq!((policy.name(), policy.description()), ("child", ""));
    assert_eq!(policy.provenance(), "someone");
    let names: Vec<_> = policy.rules().iter().map(|r| r.name.as_str()).collect();
    assert_eq!(names, ["pv", "history", "extra"]);
    let parameters: Vec<_> = policy.parameters().iter().map(|p| (p.value, p.max)).collect();
    assert_eq!(parameters, [(0.5, 1.5), (1.0, 4.0)]);
    let late = Move::quiet(9, 9);
    // 0.5 + ln 9 * ln 10 / 1 = 5.56, at most 4.
    assert_eq!(policy.reduction(&late), 4);
    assert_eq!(policy.reduction(&late.with(Fact::Pv)), 0);
    assert_eq!(policy.reduction(&late.with(Fact::InCheck)), 3);
    assert_eq!(
        policy.reduction(&late.number(Fact::History, -1.0)),
        3,
        "the inherited cap"
    );
    assert_eq!(policy.reduction(&Move::quiet(3, 9)), 1, "the inherited floor");
    assert_eq!(
        policy.history().map(|h| h.model),
        Some(HistoryModel::Rebel {
            ply_limit: 9,
            bound: 500
        })
    );
    assert_eq!(
        policy.research().ladder,
        Ladder::Intermediate { above: 3, reduction: 1 }
    );
}

#[test]
fn another_model_and_another_ladder_inherit_nothing_of_the_old() {
    let child = r#"
name = "child"
extends = "parent.toml"
history = { model = "fruit" }
research = { ladder = "full" }
"#;
    let policy = loaded("models", &[("child.toml", child), ("parent.toml", PARENT)]);
    assert_eq!(
        policy.history().map(|h| h.model),
        Some(HistoryModel::Fruit { limit: 16384 })
    );
    assert_eq!(policy.research().ladder, Ladder::Full);
    assert_eq!(
        policy.research().trigger,
        lmrlab_policy::research::Trigger::AtOrAboveBeta
    );
}

#[test]
fn the_text_says_all_without_the_other_files() {
    let child = "name = \"child\"\nextends = \"../middle.toml\"\nreduce = \"base + 1\"\n";
    let middle = "name = \"middle\"\nextends = \"parent.toml\"\n[[rule]]\nname = \"pv\"\nmul = \"0.5\"\n[finish]\nround = \"ceil\"\n";
    let files = [
        ("deep/child.toml", child),
        ("middle.toml", middle),
        ("parent.toml", PARENT),
    ];
    let folder = folder("text", &files);
    let read = |text: &str| match Policy::compile(Source::new("flat.toml", text)) {
        Ok((policy, _)) => policy,
        Err(wrong) => panic!("{wrong}\n{text}"),
    };
    let (policy, warnings) = Policy::load(&folder.join("deep/child.toml")).unwrap_or_else(|e| panic!("{e}"));
    // `divisor` is of no use any more, but that is not the child's fault.
    assert!(warnings.list.is_empty(), "{warnings}");
    let flat = read(policy.text());
    assert_eq!(flat.text(), policy.text());
    assert_eq!(flat.hash(), policy.hash());
    assert_ne!(flat.hash(), read(PARENT).hash());
    for depth in 1..12 {
        for moves in 0..12 {
            for facts in [Move::quiet(depth, moves), Move::quiet(depth, moves).with(Fact::Pv)] {
                assert_eq!(flat.reduction(&facts), policy.reduction(&facts));
            }
        }
    }
    assert_eq!(policy.reduction(&Move::quiet(9, 9).with(Fact::Pv)), 1);
    assert_snapshot!(policy.text(), @r#"
    # This file and what it extends, in one.
    finish = { floor = 1, round = "ceil" }
    history = { model = "rebel", ply_limit = 9 }
    name = "child"
    param = { base = { max = 1.5, min = 0.0, step = 0.1, value = 0.5 }, divisor = { max = 4.0, min = 1.0, value = 2.0 } }
    reduce = "base + 1"
    research = { above = 3, ladder = "intermediate", trigger = "at_or_above_beta" }
    source = "someone"
    when = "depth >= 3 and quiet"

    [[rule]]
    mul = "0.5"
    name = "pv"
    when = "pv"

    [[rule]]
    add = "1"
    cap = "3"
    name = "history"
    when = "history < 0"
    "#);
}

#[test]
fn a_text_in_memory_extends_nothing() {
    let said = crate::common::complaints("name = \"child\"\nextends = \"parent.toml\"\n");
    for part in [
        "a policy that is not in a file cannot extend one",
        "policy.toml:2:11",
        "save the policy as a file",
    ] {
        assert!(said.contains(part), "{said}");
    }
}

/// Each with the files beside `child.toml`, and what is said of them.
#[test]
fn what_is_wrong_is_said_where_it_stands() {
    let child = |extends: &str, more: &str| format!("name = \"child\"\nextends = \"{extends}\"\n{more}");
    let chain: Vec<_> = (0..12)
        .map(|n| (format!("f{n}.toml"), format!("extends = \"f{}.toml\"\n", n + 1)))
        .collect();
    let chain: Vec<_> = chain
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let misspelt = "name = \"parent\"\nreduce = \"ln(depht)\"\n[finish]\nflor = 1\n";
    let parent = |text: &'static str| vec![("parent.toml", text)];
    for (name, child, files, said) in [
        (
            "missing",
            child("parents.toml", ""),
            parent(PARENT),
            &[
                "there is no file `parents.toml` to extend",
                "child.toml:2:11",
                "did you mean `parent.toml`?",
            ][..],
        ),
        (
            "cycle",
            child("middle.toml", ""),
            vec![("middle.toml", "name = \"middle\"\nextends = \"./child.toml\"\n")],
            &["`./child.toml` extends itself, through this file", "middle.toml:2:11"],
        ),
        (
            "own",
            child("child.toml", ""),
            Vec::new(),
            &["`child.toml` extends itself, through this file", "child.toml:2:11"],
        ),
        (
            "endless",
            child("f0.toml", ""),
            chain,
            &["a chain of more than 8 files that extend each other", "f6.toml:1:11"],
        ),
        (
            "mistake",
            child("parent.toml", "when = \"depht > 2\"\n"),
            parent(misspelt),
            &[
                "child.toml:3:9",
                "parent.toml:2:14",
                "unknown key `flor` in `finish`",
                "parent.toml:4:1",
            ],
        ),
        (
            "no_toml",
            child("parent.toml", ""),
            parent("name = \"parent\nreduce = \"1\"\n"),
            &["not valid TOML: invalid basic string", "parent.toml:1:15"],
        ),
        (
            "number",
            child("parent.toml", ""),
            parent("name = \"parent\"\nextends = 3\n"),
            &["`extends` is an integer, not a string", "parent.toml:2:11"],
        ),
        (
            "rule",
            child("parent.toml", "[[rule]]\nname = \"pw\"\nenabled = false\n"),
            parent(PARENT),
            &[
                "this rule does nothing",
                "child.toml:4:8",
                "a rule inherits its effect only from a rule of the same name",
            ],
        ),
    ] {
        let files = [&[("child.toml", child.as_str())], &files[..]].concat();
        let found = refused(name, &files);
        for part in said {
            assert!(found.contains(part), "{name}: {part}: {found}");
        }
    }
}
