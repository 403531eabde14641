//! The map of the code in CONTRIBUTING.md, and crates/docs/README.md, against the code.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::reader::root;

/// The paths that the texts name in full.
#[test]
fn the_paths_in_the_texts_exist() {
    let texts = ["CONTRIBUTING.md", "crates/docs/README.md"].map(|name| fs::read_to_string(root().join(name)).unwrap());
    let text = texts.concat();
    let words = text.split(|c: char| c.is_whitespace() || "`(),;:".contains(c));
    let paths: Vec<&str> = words
        .map(|word| word.trim_end_matches('.'))
        .filter(|word| {
            ["crates/", "configs/", "docs/", "scripts/"]
                .iter()
                .any(|start| word.starts_with(start))
        })
        .collect();
    let strange: Vec<_> = paths.iter().filter(|path| !root().join(path).exists()).collect();
    assert!(strange.is_empty(), "named, and not there: {strange:?}");
    assert!(paths.len() > 20, "{paths:?}");
}

/// Every file below a folder with one of these endings.
fn files(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, endings, found);
        } else if path
            .extension()
            .is_some_and(|ending| endings.iter().any(|one| ending == *one))
        {
            found.push(path);
        }
    }
}

/// The commands that messages and documents name, as in `lmrlab preset cat`, are there.
#[test]
fn the_commands_in_texts_and_messages_exist() {
    let mut all = vec![root().join("README.md"), root().join("CONTRIBUTING.md")];
    files(&root().join("docs"), &["md"], &mut all);
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        files(&entry.unwrap().path().join("src"), &["rs", "md"], &mut all);
    }
    let is_command = |word: &&str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase());
    let mut named = BTreeSet::new();
    for path in &all {
        let text = fs::read_to_string(path).unwrap();
        for rest in text.split("`lmrlab ").skip(1) {
            let words = rest.split('`').next().unwrap_or_default().split_whitespace();
            let words: Vec<String> = words.take(2).take_while(is_command).map(str::to_owned).collect();
            named.insert(words);
        }
    }
    assert!(named.len() > 30, "{named:?}");
    let help = |words: &[String]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lmrlab"));
        let output = command.args(words).arg("--help").output().unwrap();
        (output.status.success(), String::from_utf8(output.stdout).unwrap())
    };
    for words in named.iter().filter(|words| !words.is_empty()) {
        let (known, text) = help(&words[..1]);
        assert!(known, "there is no command {words:?}");
        // What follows may be a file or a policy, unless the command has others below it.
        if words.len() == 2 && text.contains("\nCommands:\n") && text.contains(" <COMMAND>\n") {
            assert!(help(words).0, "there is no command {words:?}");
        }
    }
}
