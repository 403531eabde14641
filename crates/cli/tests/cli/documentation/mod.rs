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
//! run in has these files, configs and positions; its tournaments and tuning runs are smaller.
//!
//! When an output changes, `cargo test --release -p lmrlab --test cli -- --ignored the_documents_are_written_again` runs the
//! commands in full and writes what they print. It prints the outputs of which the documents leave lines out.

mod circles;
mod comparison;
mod document;
mod map;
mod reader;

use std::fs;

use assert_cmd::Command;
use comparison::{ANY_LINES, differs_in_shape, differs_to_the_letter};
use document::{Block, Document, Step, Test};
use reader::{Reader, Size, root};

/// Follows a document from its beginning to its end, and gives each command that is to be run with what it printed.
fn follow<'d>(document: &'d Document, size: Size, mut each: impl FnMut(&'d Step, &'d Test, Result<String, String>)) {
    let reader = Reader::new(size);
    for block in &document.blocks {
        match block {
            Block::File { name, text } => reader.write(name, text),
            Block::Console { test: Test::NotRun, .. } => {}
            Block::Console { test, steps } => {
                for step in steps {
                    each(step, test, reader.run(step, test));
                }
            }
        }
    }
}

/// Runs every command of a document, and compares.
fn check(name: &str) {
    let document = Document::read(&fs::read_to_string(root().join(name)).unwrap());
    let mut problems = String::new();
    let mut commands = 0;
    follow(&document, Size::Small, |step, test, printed| {
        commands += 1;
        let difference = match printed {
            Err(problem) => Some(problem),
            Ok(printed) => match test {
                Test::ToTheLetter | Test::Fails => differs_to_the_letter(&step.output, &printed),
                Test::Shape | Test::Smaller(_) | Test::NotRun => differs_in_shape(&step.output, &printed),
            },
        };
        if let Some(difference) = difference {
            problems += &format!("{name}:{}: {}\n{difference}\n", step.line, step.command);
        }
    });
    assert!(problems.is_empty(), "{problems}");
    assert!(commands > 0, "{name} shows no command");
}

/// Runs every command of a document in full, and writes what it prints into the document. Outputs with lines left out are
/// listed, for they are a choice.
fn rewrite(name: &str) {
    let path = root().join(name);
    let text = fs::read_to_string(&path).unwrap();
    let document = Document::read(&text);
    let mut lines: Vec<&str> = text.lines().collect();
    let mut outputs = Vec::new();
    follow(&document, Size::Full, |step, _, printed| {
        let printed = printed.unwrap_or_else(|problem| panic!("{name}:{}: {problem}", step.line));
        if step.output.lines().any(|line| line == ANY_LINES) {
            println!("{name}:{}: {}\n{printed}", step.line, step.command);
        } else if !step.output.is_empty() {
            outputs.push((step, printed));
        }
    });
    for (step, printed) in outputs.iter().rev() {
        let shown = step.line..step.line + step.output.lines().count();
        lines.splice(shown, printed.lines());
    }
    fs::write(path, lines.join("\n") + "\n").unwrap();
}

#[test]
#[ignore = "takes minutes, and changes the documents"]
fn the_documents_are_written_again() {
    rewrite("README.md");
    rewrite("docs/guide.md");
}

#[test]
fn the_readme_shows_what_happens() {
    check("README.md");
}

#[test]
fn the_guide_shows_what_happens() {
    check("docs/guide.md");
}

/// The tables of docs/files.md are those that the rows write.
#[test]
fn the_columns_of_files_are_up_to_date() {
    let page = fs::read_to_string(root().join("docs/files.md")).unwrap();
    assert!(page.matches("<!-- columns of ").count() > 10);
    assert!(
        page == lmrlab_results::files_page::written_again(&page),
        "run `cargo run -p lmrlab-results --example files_page`"
    );
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
        "docs/many-machines.md",
        "docs/host-tutorial.md",
        "docs/glossary.md",
        "docs/policy-language.md",
        "docs/ideas.md",
        "docs/claims.md",
        "docs/maintaining.md",
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
    let reader = Reader::new(Size::Small);
    Command::new(env!("CARGO_BIN_EXE_lmrlab"))
        .current_dir(reader.folder())
        .args(["run", "configs/tournaments/race.toml", "--out", "race", "--quiet"])
        .assert()
        .success();
    let text = fs::read_to_string(root().join("docs/files.md")).unwrap();
    let mut missing = String::new();
    let mut files = 0;
    for entry in fs::read_dir(reader.folder().join("race")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name != "manifest.toml" && !name.ends_with(".csv") {
            continue;
        }
        files += 1;
        let section = text
            .split("\n## ")
            .flat_map(|chapter| chapter.split("\n### ").skip(1))
            .find(|section| section.lines().next().is_some_and(|heading| heading.contains(name)))
            .unwrap_or_else(|| panic!("no section {name}"));
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

/// The files of a part are described as well: `tasks.csv` and `completion.toml` key by key. results.csv has the columns of two
/// other files with a prefix.
#[test]
fn the_files_of_a_part_are_described() {
    let reader = Reader::new(Size::Small);
    Command::new(env!("CARGO_BIN_EXE_lmrlab"))
        .current_dir(reader.folder())
        .args([
            "match", "none", "house", "--depth", "1", "--pairs", "2", "--part", "1/2", "--out", "part", "--quiet",
        ])
        .assert()
        .success();
    let text = fs::read_to_string(root().join("docs/files.md")).unwrap();
    let (_, part) = text.split_once("\n## A part of a run\n").unwrap();
    let part = part.split("\n## ").next().unwrap();
    let read = |name: &str| fs::read_to_string(reader.folder().join("part").join(name)).unwrap();
    let mut names: Vec<String> = read("tasks.csv")
        .lines()
        .next()
        .unwrap()
        .split(',')
        .map(str::to_owned)
        .collect();
    let manifest = read("manifest.toml");
    let (_, table) = manifest.split_once("\n[part]\n").unwrap();
    let keys = read("completion.toml");
    for line in keys.lines().chain(table.lines().take_while(|line| !line.is_empty())) {
        names.push(line.split(" = ").next().unwrap().to_owned());
    }
    assert!(names.len() > 15, "{names:?}");
    for name in names {
        assert!(part.contains(&format!("`{name}`")), "{name}");
    }
    for column in read("results.csv").lines().next().unwrap().split(',') {
        let name = column.trim_start_matches("first_").trim_start_matches("second_");
        let name = name.trim_start_matches("clock_");
        assert!(text.contains(&format!("`{name}`")), "{column}");
    }
    for entry in fs::read_dir(reader.folder().join("part")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(part.contains(&format!("| {name} |")), "{name}");
    }
}
