//! The commands that README.md and docs/guide.md show: each is run, and its output compared with the one that is shown.
//!
//! A command is a line `$ lmrlab ...` (or `$ lmrlab-engine ...`) in a block of the language `console`, and its output is
//! what follows, up to the next `$`. `$ cargo run --release -- ...` is such a command, too. A line `...` stands for any
//! lines. A block without a comment before it is compared to the letter. A comment before a block makes it cheaper, or
//! less exact:
//!
//! - `<!-- test: --pairs 2 --nodes 100 -->` replaces or adds these options, and compares shapes;
//! - `<!-- test: shape -->` compares shapes: the words of each line without its numbers, in any order of the lines;
//! - `<!-- test: fails -->` expects exit status 2, and compares standard error;
//! - `<!-- test: not run, REASON -->` is for what needs something that is not here.
//!
//! A block of the language `toml` that begins with `# NAME.toml` is a file of the reader's. The folder that the commands
//! run in has these files, configs and positions. Its tournaments and tuning runs are smaller: see [`smaller`].

mod comparison;
mod document;
mod map;

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use comparison::{differs_in_shape, differs_to_the_letter};
use document::{Block, Document, Step, Test};

/// The project's root.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folder of `lmrlab`, which must also have `lmrlab-engine`.
fn programs() -> PathBuf {
    let folder = Path::new(env!("CARGO_BIN_EXE_lmrlab")).parent().unwrap();
    let engine = folder.join(format!("lmrlab-engine{}", std::env::consts::EXE_SUFFIX));
    assert!(engine.is_file(), "build it first: cargo build -p lmrlab-engine");
    folder.to_owned()
}

/// A tournament or a tuning run of the documentation with fewer pairs and shorter searches: `pairs = N`, `nodes = N` and
/// `elo = X` at the beginning of a line have other values.
fn smaller(text: &str) -> String {
    let value = |line: &str| {
        let key = line.split(['=', ' ']).next()?;
        match key {
            "pairs" => Some("pairs = 2"),
            "nodes" => Some("nodes = 100"),
            "elo" => Some("elo = 200.0"),
            _ => None,
        }
    };
    let lines = text.lines().map(|line| value(line).unwrap_or(line).to_owned() + "\n");
    lines.collect()
}

/// Copies a folder of the project, with the folders in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let [from, to] = [entry.path(), to.join(entry.file_name())];
        if from.is_dir() {
            copy(&from, &to);
        } else if from.extension().is_some_and(|ending| ending == "toml") {
            fs::write(to, smaller(&fs::read_to_string(from).unwrap())).unwrap();
        } else {
            fs::copy(from, to).unwrap();
        }
    }
}

/// A reader's folder.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for part in ["configs", "positions"] {
        copy(&root().join(part), &folder.path().join(part));
    }
    folder
}

/// Runs a command as its block asks, and says how its output differs from the one that is shown.
fn run(step: &Step, test: &Test, folder: &Path) -> Option<String> {
    let words = step.words(test);
    let (program, arguments) = words.split_first().unwrap();
    let output = Command::new(programs().join(program))
        .current_dir(folder)
        .args(arguments)
        .env("PATH", programs())
        .env("COLUMNS", "100")
        .output()
        .unwrap();
    let expected = if *test == Test::Fails { 2 } else { 0 };
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8(bytes.clone()).unwrap());
    if output.status.code() != Some(expected) {
        return Some(format!("{}, not exit status {expected}:\n{out}{err}", output.status));
    }
    match test {
        Test::ToTheLetter => differs_to_the_letter(&step.output, &out),
        Test::Fails => differs_to_the_letter(&step.output, &err),
        Test::Shape | Test::Smaller(_) => differs_in_shape(&step.output, &out),
        Test::NotRun => None,
    }
}

/// Follows a document from its beginning to its end.
fn follow(name: &str) {
    let text = fs::read_to_string(root().join(name)).unwrap();
    let document = Document::read(&text);
    let folder = folder();
    let mut problems = String::new();
    let mut run_steps = 0;
    for block in &document.blocks {
        match block {
            Block::File { name, text } => fs::write(folder.path().join(name), smaller(text)).unwrap(),
            Block::Console { test: Test::NotRun, .. } => {}
            Block::Console { test, steps } => {
                for step in steps {
                    run_steps += 1;
                    if let Some(difference) = run(step, test, folder.path()) {
                        problems += &format!("{name}:{}: {}\n{difference}\n", step.line, step.command);
                    }
                }
            }
        }
    }
    assert!(problems.is_empty(), "{problems}");
    assert!(run_steps > 0, "{name} shows no command");
}

#[test]
fn the_readme_shows_what_happens() {
    follow("README.md");
}

#[test]
fn the_guide_shows_what_happens() {
    follow("docs/guide.md");
}

#[test]
fn the_readme_is_short() {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    assert!(text.lines().count() <= 150, "{} lines", text.lines().count());
}

/// Every file that a link in a document leads to is there.
#[test]
fn links_lead_somewhere() {
    let documents = [
        "README.md",
        "CONTRIBUTING.md",
        "docs/guide.md",
        "docs/results.md",
        "docs/files.md",
        "docs/glossary.md",
        "docs/policy-language.md",
    ];
    let mut broken = String::new();
    for name in documents {
        let text = fs::read_to_string(root().join(name)).unwrap();
        let folder = root().join(name).parent().unwrap().to_owned();
        let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for link in links.filter(|link| !link.starts_with("http")) {
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() {
                root().join(name)
            } else {
                folder.join(file)
            };
            let there = match fs::read_to_string(&target) {
                Ok(text) => heading.is_empty() || document::headings(&text).any(|known| known == heading),
                Err(_) => target.is_dir() || file.ends_with(".png"),
            };
            if !there {
                broken += &format!("{name}: {link}\n");
            }
        }
    }
    assert!(broken.is_empty(), "{broken}");
}

/// The columns that a run really writes are described, each under the heading of its file.
#[test]
fn every_column_is_described() {
    let folder = folder();
    let done = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_lmrlab"))
            .current_dir(folder.path())
            .args(arguments)
            .assert()
            .success();
    };
    done(&["run", "configs/tournaments/race.toml", "--out", "race", "--quiet"]);
    let text = fs::read_to_string(root().join("docs/files.md")).unwrap();
    let mut missing = String::new();
    let mut files = 0;
    for entry in fs::read_dir(folder.path().join("race")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name != "manifest.toml" && !name.ends_with(".csv") {
            continue;
        }
        files += 1;
        let heading = format!("\n### {name}\n");
        let section = text
            .split(&heading)
            .nth(1)
            .unwrap_or_else(|| panic!("no section {name}"));
        let section = section.split("\n## ").next().unwrap().split("\n### ").next().unwrap();
        let content = fs::read_to_string(&path).unwrap();
        let columns: Vec<&str> = if name.ends_with(".csv") {
            content.lines().next().unwrap().split(',').collect()
        } else {
            let keys = content.lines().take_while(|line| !line.is_empty());
            keys.filter_map(|line| line.split(" = ").next()).collect()
        };
        for column in columns {
            if !section.contains(&format!("`{column}`")) {
                missing += &format!("{name}: {column}\n");
            }
        }
    }
    assert!(missing.is_empty(), "{missing}");
    assert_eq!(files, 8, "the files of a race");
}
