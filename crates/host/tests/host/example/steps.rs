//! The steps of the tutorial: their diffs, taken out of the final engine one by one.

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

/// A step: the changes of its file, and those that the tutorial shows.
pub(crate) struct Step {
    hunks: Vec<Hunk>,
    shown: Vec<Hunk>,
}

impl Step {
    pub(crate) fn all() -> Vec<Self> {
        let tutorial = tutorial();
        let step = |number: usize| {
            let path = home().join(format!("example-c/steps/{number}.diff"));
            let (_, section) = tutorial.split_once(&format!("\n## Step {number}: ")).unwrap();
            let section = section.split("\n## ").next().unwrap_or_default();
            let blocks = section.split("\n```diff\n").skip(1);
            let blocks: Vec<_> = blocks
                .map(|rest| rest.split("```").next().unwrap_or_default())
                .collect();
            Self {
                hunks: hunks(&std::fs::read_to_string(path).unwrap()),
                shown: hunks(&blocks.concat()),
            }
        };
        (1..=STEPS).map(step).collect()
    }

    /// The lines that the step adds.
    pub(crate) fn added(&self) -> usize {
        self.hunks.iter().map(|hunk| hunk.added).sum()
    }

    /// The files before the step.
    fn undone(&self, mut files: Sources) -> Sources {
        for hunk in &self.hunks {
            let text = files.get_mut(&hunk.file).unwrap();
            assert_eq!(text.matches(&hunk.after).count(), 1, "{}:\n{}", hunk.file, hunk.after);
            *text = text.replace(&hunk.after, &hunk.before);
            if text.is_empty() {
                files.remove(&hunk.file);
            }
        }
        files
    }

    /// The changes that the tutorial shows are those of the engines before and after the step.
    pub(crate) fn shows_only_its_changes(&self, before: &Sources, after: &Sources) {
        assert!(!self.shown.is_empty());
        let holds = |files: &Sources, file: &str, text: &str| text.is_empty() || files[file].contains(text);
        for hunk in &self.shown {
            assert!(hunk.added > 0, "{}", hunk.before);
            assert!(holds(before, &hunk.file, &hunk.before), "{}", hunk.before);
            assert!(holds(after, &hunk.file, &hunk.after), "{}", hunk.after);
        }
    }
}

/// The changes of a diff.
fn hunks(diff: &str) -> Vec<Hunk> {
    let mut hunks: Vec<Hunk> = Vec::new();
    let mut file = "";
    for line in diff.lines() {
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

/// The engine after each step, from step 0.
pub(crate) fn engines() -> Vec<Sources> {
    let mut engines = vec![sources()];
    for step in Step::all().iter().rev() {
        engines.push(step.undone(engines[engines.len() - 1].clone()));
    }
    engines.reverse();
    engines
}
