//! The outputs and pictures of the commands of a page, run in full: results/published/commands/PAGE.toml.

use std::path::{Path, PathBuf};

use lmrlab_results::sha256::{sha256, sha256_of_file};
use serde::{Deserialize, Serialize};

use super::comparison::{ANY_LINES, is_as_shown, shape};
use super::document::{Block, Document, Picture, Step, Test};

/// The outputs and the pictures of the commands of a page.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Records {
    /// The bench fingerprint of the search with which they were made, in nodes.
    pub bench: u64,
    /// The outputs.
    #[serde(default, rename = "step")]
    pub steps: Vec<Record>,
    /// The pictures.
    #[serde(default, rename = "picture")]
    pub pictures: Vec<Drawn>,
}

/// A picture that commands drew.
#[derive(Debug, Serialize, Deserialize)]
pub struct Drawn {
    /// Its mark on the page.
    #[serde(flatten)]
    pub picture: Picture,
    /// The SHA-256 of its file.
    pub sha256: String,
}

/// The output of a command.
#[derive(Debug, Serialize, Deserialize)]
pub struct Record {
    /// The command, as the page shows it.
    pub command: String,
    /// The SHA-256 of the files that the page showed before it.
    pub files: String,
    /// Its output.
    pub output: String,
}

/// The file of the records of a page, from the project's root.
pub fn path(page: &Path) -> PathBuf {
    let name = page.file_stem().unwrap_or_default();
    Path::new("results/published/commands")
        .join(name)
        .with_extension("toml")
}

/// A command that the records should have, because the page shows its output.
#[derive(Debug)]
pub struct Shown<'d> {
    /// The command.
    pub step: &'d Step,
    /// The SHA-256 of the files before it.
    pub files: String,
}

/// The commands of a page that are run, and the files before each.
pub fn shown(document: &Document) -> Vec<Shown<'_>> {
    let mut files = String::new();
    let mut shown = Vec::new();
    for block in &document.blocks {
        match block {
            Block::File { name, text } => files += &format!("{name}\n{text}"),
            Block::Console { test: Test::NotRun, .. } => {}
            Block::Console { steps, .. } => {
                let digest = sha256(&files).chars().take(12).collect::<String>();
                shown.extend(steps.iter().map(|step| Shown {
                    step,
                    files: digest.clone(),
                }));
            }
        }
    }
    shown
}

impl Records {
    /// Reads the records of a page. A page without a file has none.
    ///
    /// # Errors
    /// When the text is not a file of records.
    pub fn read(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| error.to_string())
    }

    /// The output of a command, if it was run with these files.
    pub fn output(&self, shown: &Shown) -> Option<&str> {
        let same = |record: &&Record| record.command == shown.step.command && record.files == shown.files;
        self.steps.iter().find(same).map(|record| record.output.as_str())
    }

    /// Whether a picture was drawn by its commands, and its file has not changed since. `path` is the path of its file.
    pub fn has_drawn(&self, picture: &Picture, path: &Path) -> bool {
        let drawn = self.pictures.iter().find(|drawn| drawn.picture == *picture);
        drawn.is_some_and(|drawn| sha256_of_file(path).is_ok_and(|sha256| sha256 == drawn.sha256))
    }

    /// The page with the recorded outputs.
    ///
    /// # Errors
    /// When a command has no record, or its output is nothing like the shown one. The message has the line.
    pub fn filled_in(&self, document: &Document, text: &str) -> Result<String, String> {
        let mut lines: Vec<&str> = text.lines().collect();
        let shown = shown(document);
        let mut outputs = Vec::new();
        for shown in shown.iter().filter(|shown| !shown.step.output.is_empty()) {
            let output = self.output(shown).ok_or_else(|| {
                let (line, command) = (shown.step.line, &shown.step.command);
                format!("{line}: no record of `{command}`; run `cargo run --release -p lmrlab-docs`")
            })?;
            let new = as_before(&shown.step.output, output)
                .ok_or_else(|| format!("{}: the command prints nothing like what is shown", shown.step.line))?;
            outputs.push((shown.step, new));
        }
        for (step, output) in outputs.iter().rev() {
            let place = step.line..step.line + step.output.lines().count();
            lines.splice(place, output.lines());
        }
        Ok(lines.join("\n") + "\n")
    }
}

/// An output without the lines that the page leaves out now. `None` when the page shows lines that the output does not
/// have.
fn as_before(shown: &str, output: &str) -> Option<String> {
    let shown: Vec<&str> = shown.lines().collect();
    let real: Vec<&str> = output.lines().map(str::trim_end).collect();
    if is_as_shown(&shown, &real) {
        return Some(shown.join("\n"));
    }
    let segments: Vec<&[&str]> = shown.split(|line| *line == ANY_LINES).collect();
    let last = segments.len() - 1;
    if last == 0 {
        return Some(real.join("\n"));
    }
    let mut lines = Vec::new();
    let mut from = 0;
    for (index, segment) in segments.iter().enumerate() {
        let place = match segment.first() {
            None => from,
            Some(_) if index == 0 => 0,
            Some(_) if index == last => real.len().checked_sub(segment.len())?,
            Some(first) => place_of(first, real.get(from..)?)? + from,
        };
        lines.extend(real.get(place..place + segment.len())?);
        from = place + segment.len();
        if index < last {
            lines.push(ANY_LINES);
        }
    }
    Some(lines.join("\n"))
}

/// The place of the real line that is like a shown one: with the same words and the same beginning, or else with the
/// same words.
fn place_of(shown: &str, real: &[&str]) -> Option<usize> {
    let begins = |line: &str| line.split_whitespace().next().map(str::to_owned);
    let alike = |line: &&str| shape(line) == shape(shown);
    let place = real
        .iter()
        .position(|line| alike(line) && begins(line) == begins(shown));
    place.or_else(|| real.iter().position(alike))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_leaves_out_what_it_left_out() {
        let real = "title 7\n1 a\n2 b\n3 c\n4 d\nend 9\n";
        for (shown, expected) in [
            ("all of it 3\n", real.trim_end()),
            ("title 6\n...\n", "title 7\n..."),
            ("...\nend 8\n", "...\nend 9"),
            ("title 6\n...\n2 b\n7 c\n...\n", "title 7\n...\n2 b\n3 c\n..."),
            ("title 6\n...\n3 c\n...\nend 1\n", "title 7\n...\n3 c\n...\nend 9"),
        ] {
            assert_eq!(as_before(shown, real).as_deref(), Some(expected), "{shown}");
        }
        assert_eq!(as_before("...\nother words\n...\n", real), None);
    }
}
