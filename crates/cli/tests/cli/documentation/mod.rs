//! The commands that README.md, docs/guide.md and docs/ideas.md show: each is run, and its output compared with the one that is shown.
//!
//! lmrlab_docs::document says how a page shows commands, and what the comments before a block ask for. The folder that
//! the commands run in has the files of the page, configs and positions; its tournaments and tuning runs are smaller.

mod circles;
mod map;
mod reader;

use std::fs;

use assert_cmd::Command;
use lmrlab_docs::comparison::{ANY_LINES, is_as_shown, shape};
use lmrlab_docs::document::{Block, Document, Step, Test, headings};
use reader::{Reader, root};

/// Follows a document from its beginning to its end, and gives each command that is to be run with what it printed.
fn follow<'d>(document: &'d Document, mut each: impl FnMut(&'d Step, &'d Test, Result<String, String>)) {
    let reader = Reader::new();
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

/// Whether an output is as the page shows it, or no output is shown.
fn is_like(shown: &str, real: &str, test: &Test) -> bool {
    if shown.is_empty() {
        return true;
    }
    let [shown, real] = [shown, real].map(|text| text.lines().map(str::trim_end).collect::<Vec<_>>());
    if *test == Test::ToTheLetter {
        return is_as_shown(&shown, &real);
    }
    let mut left: Vec<String> = real.iter().map(|line| shape(line)).collect();
    let mut lines = shown.iter().filter(|line| **line != ANY_LINES);
    let are_there = lines.all(|line| {
        let place = left.iter().position(|left| *left == shape(line));
        place.map(|place| left.swap_remove(place)).is_some()
    });
    are_there && (left.is_empty() || shown.contains(&ANY_LINES))
}

/// Runs every command of a document, and compares.
fn check(name: &str) {
    let text = fs::read_to_string(root().join(name)).unwrap();
    let untested = text.lines().find(|line| line.starts_with("    lmrlab "));
    assert_eq!(untested, None, "{name}: not a block of the language console");
    let document = Document::read(&text).unwrap();
    assert_eq!(
        document.untested, [""; 0],
        "{name}: not in a block of the language console"
    );
    let mut problems = String::new();
    let mut commands = 0;
    follow(&document, |step, test, printed| {
        commands += 1;
        let difference = match printed {
            Err(problem) => Some(problem),
            Ok(printed) => (!is_like(&step.output, &printed, test)).then(|| format!("the real output:\n{printed}")),
        };
        if let Some(difference) = difference {
            problems += &format!("{name}:{}: {}\n{difference}\n", step.line, step.command);
        }
    });
    assert!(problems.is_empty(), "{problems}");
    assert!(commands > 0, "{name} shows no command");
}

#[test]
fn the_readme_shows_what_happens() {
    check("README.md");
}

#[test]
fn the_guide_shows_what_happens() {
    check("docs/guide.md");
}

#[test]
fn the_list_of_ideas_is_up_to_date() {
    check("docs/ideas.md");
}

/// The guide has the words of fastchess and cutechess as the command lists them.
#[test]
fn the_words_of_fastchess_are_up_to_date() {
    let output = Command::new(env!("CARGO_BIN_EXE_lmrlab"))
        .args(["fastchess", "--words"])
        .output()
        .unwrap();
    let words = String::from_utf8(output.stdout).unwrap();
    assert!(words.lines().count() > 30, "{words}");
    let page = fs::read_to_string(root().join("docs/guide.md")).unwrap();
    assert!(page.contains(&words), "put this into docs/guide.md:\n{words}");
}

#[test]
fn the_readme_is_short() {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    assert!(text.lines().count() <= 150, "{} lines", text.lines().count());
}

/// Every file that a link in a document leads to is there.
#[test]
fn links_lead_somewhere() {
    let mut documents = lmrlab_docs::pages(&root()).unwrap();
    documents.extend(["CONTRIBUTING.md", "crates/docs/README.md"].map(Into::into));
    let mut broken = String::new();
    for name in documents {
        let text = fs::read_to_string(root().join(&name)).unwrap();
        let folder = root().join(&name).parent().unwrap().to_owned();
        let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for link in links.filter(|link| !link.starts_with("http")) {
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() {
                root().join(&name)
            } else {
                folder.join(file)
            };
            let there = match fs::read_to_string(&target) {
                Ok(text) => heading.is_empty() || headings(&text).any(|known| known == heading),
                Err(_) => target.is_dir(),
            };
            if !there {
                broken += &format!("{}: {link}\n", name.display());
            }
        }
    }
    assert!(broken.is_empty(), "{broken}");
}

/// The keys and columns of the files that are not made of rows are described: manifest.toml, tasks.csv and completion.toml.
#[test]
fn the_files_of_a_part_are_described() {
    let reader = Reader::new();
    Command::new(env!("CARGO_BIN_EXE_lmrlab"))
        .current_dir(reader.folder())
        .args("match none house --depth 1 --pairs 2 --part 1/2 --out part --quiet".split(' '))
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
    let (header, table) = manifest.split_once("\n[part]\n").unwrap();
    for key in header.lines().filter_map(|line| Some(line.split_once(" = ")?.0)) {
        assert!(text.contains(&format!("`{key}`")), "{key}");
    }
    let keys = read("completion.toml");
    for line in keys.lines().chain(table.lines().take_while(|line| !line.is_empty())) {
        names.push(line.split(" = ").next().unwrap().to_owned());
    }
    assert!(names.len() > 15, "{names:?}");
    for name in names {
        assert!(part.contains(&format!("`{name}`")), "{name}");
    }
    for entry in fs::read_dir(reader.folder().join("part")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(part.contains(&format!("| {name} |")), "{name}");
    }
}
