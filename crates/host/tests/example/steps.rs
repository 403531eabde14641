//! The steps of the tutorial: its diffs, taken out of the final engine one by one.

use super::engine::{Sources, home, sources};

/// The number of steps that have diffs.
pub(crate) const STEPS: usize = 5;

/// The text of the tutorial.
pub(crate) fn tutorial() -> String {
    std::fs::read_to_string(home().join("../../docs/host-tutorial.md")).unwrap()
}

/// A change of one place of a file.
struct Hunk {
    file: String,
    before: String,
    after: String,
    added: usize,
}

/// A step: the text under its heading, and its changes.
pub(crate) struct Step {
    text: String,
}

impl Step {
    pub(crate) fn all() -> Vec<Self> {
        let tutorial = tutorial();
        let section = |number: usize| {
            let (_, after) = tutorial.split_once(&format!("\n## Step {number}: ")).unwrap();
            after.split("\n## ").next().unwrap_or_default().to_owned()
        };
        (1..=STEPS).map(|number| Self { text: section(number) }).collect()
    }

    /// The code blocks of a language.
    pub(crate) fn blocks(&self, language: &str) -> Vec<&str> {
        let start = format!("\n```{language}\n");
        let rest = self.text.split(start.as_str()).skip(1);
        rest.map(|rest| rest.split("```").next().unwrap_or_default()).collect()
    }

    fn hunks(&self) -> Vec<Hunk> {
        let mut hunks: Vec<Hunk> = Vec::new();
        let mut file = "";
        for line in self.blocks("diff").iter().flat_map(|block| block.lines()) {
            if line.starts_with("--- ") {
            } else if let Some(name) = line.strip_prefix("+++ ") {
                file = name;
            } else if line.starts_with("@@") {
                hunks.push(Hunk {
                    file: file.to_owned(),
                    before: String::new(),
                    after: String::new(),
                    added: 0,
                });
            } else {
                let hunk = hunks.last_mut().unwrap();
                let (kind, text) = line.split_at(line.len().min(1));
                if kind != "+" {
                    hunk.before += &format!("{text}\n");
                }
                if kind != "-" {
                    hunk.after += &format!("{text}\n");
                }
                hunk.added += usize::from(kind == "+");
                assert!(["+", "-", " ", ""].contains(&kind), "{line}");
            }
        }
        hunks
    }

    /// The lines that the step adds.
    pub(crate) fn added(&self) -> usize {
        self.hunks().iter().map(|hunk| hunk.added).sum()
    }

    /// The files before the step.
    fn undone(&self, mut files: Sources) -> Sources {
        for hunk in self.hunks() {
            let text = files.get_mut(&hunk.file).unwrap();
            assert_eq!(text.matches(&hunk.after).count(), 1, "{}:\n{}", hunk.file, hunk.after);
            *text = text.replace(&hunk.after, &hunk.before);
            if text.is_empty() {
                files.remove(&hunk.file);
            }
        }
        files
    }
}

/// The engine after each step, from step 0.
pub(crate) fn engines() -> Vec<Sources> {
    let mut engines = vec![sources()];
    for step in Step::all().iter().rev() {
        engines.push(step.undone(engines[engines.len() - 1].clone()));
    }
    engines.reverse();
    engines
}
