//! Ideas for late move reductions: files that have policies with and without a change.
//!
//! In such a file, a policy is a reference or the text of a policy file between `'''`. A reference is a name with
//! overrides, such as `house-1@-expected-cut`, or a path from the folder of the file. A [`PolicyReference`] names such
//! a policy as `idea:NAME`, `idea:NAME:BASELINE` or `idea:NAME:BASELINE:without`.

use std::path::Path;

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Document, Files, Source, Text, TomlTable};

use crate::complaint::Complain;
use crate::reference::{IDEA_MARK, PolicyReference, WITHOUT};

/// The folder of ideas, below the root of a project.
pub const IDEA_FOLDER: &str = "configs/ideas";

/// An idea: a file of its folder.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Idea {
    /// What it does, in a sentence.
    pub sentence: String,
    /// What kind of idea it is.
    pub category: String,
    /// What games of this project have shown, if anything.
    pub found: Option<String>,
    /// Its comparisons, one for each baseline; at least one.
    pub comparisons: Vec<IdeaComparison>,
}

/// An idea on a baseline.
#[derive(Debug, Clone, PartialEq)]
pub struct IdeaComparison {
    /// The name of the baseline, unique in the idea.
    pub on: String,
    /// The policy with the idea.
    pub with: IdeaPolicy,
    /// The policy without it.
    pub without: IdeaPolicy,
}

/// A policy of an idea.
#[derive(Debug, Clone, PartialEq)]
pub enum IdeaPolicy {
    /// A policy with a name or a file of its own. Paths start from the folder of the idea.
    Reference(PolicyReference),
    /// A policy in the file of the idea: the text of that file, with spaces in place of everything else, so that places
    /// in messages are right.
    Text(Source),
}

impl Idea {
    /// Reads a file that messages call `name`. Returns the warnings, too. The policies are not looked up yet.
    ///
    /// # Errors
    /// When it cannot be read, or is wrong; all mistakes at once.
    pub fn read(files: &Files, path: &Path, name: &str) -> Result<(Self, Diagnostics), Diagnostics> {
        let document = Document::parse(Source::read_from(files, path, name)?)?;
        let table = document.root();
        let sentence = table.require("idea", filled(&table, "idea"));
        let category = table.require("category", filled(&table, "category"));
        let found = filled(&table, "found");
        let mut comparisons: Vec<IdeaComparison> = Vec::new();
        let tables = table.tables("comparison");
        if tables.is_empty() {
            let error = Diagnostic::error("an idea has no comparison");
            table.report(error.help("add a table `[[comparison]]` with `on`, `with` and `without`"));
        }
        for of in tables {
            if let Some(comparison) = IdeaComparison::read(&of) {
                if comparisons.iter().any(|other| other.on == comparison.on) {
                    let message = format!("there are two comparisons on `{}`", comparison.on);
                    let help = "give each baseline a name of its own";
                    of.wrong(message, of.place_of_value("on"), "the second one", help);
                }
                comparisons.push(comparison);
            }
            of.close();
        }
        table.close();
        let idea = sentence.zip(category).map(|(sentence, category)| Self {
            sentence,
            category,
            found,
            comparisons,
        });
        document.finish(idea)
    }

    /// The comparison on this baseline, or the first comparison for `None`. The result is `None` for an unknown
    /// baseline.
    pub fn on(&self, baseline: Option<&str>) -> Option<&IdeaComparison> {
        let mut comparisons = self.comparisons.iter();
        comparisons.find(|comparison| baseline.is_none_or(|baseline| comparison.on == baseline))
    }
}

impl IdeaComparison {
    /// The name or path of the policy that the comparison is made of; `None` when its sides are whole policies.
    pub fn base(&self) -> Option<&str> {
        [&self.without, &self.with].into_iter().find_map(|side| match side {
            IdeaPolicy::Reference(reference) => Some(reference.policy()),
            IdeaPolicy::Text(source) => source.text.lines().find_map(|line| {
                let value = line.trim().strip_prefix("extends")?.trim_start().strip_prefix('=')?;
                value.trim().strip_prefix('"')?.strip_suffix('"')
            }),
        })
    }

    fn read(table: &TomlTable<'_>) -> Option<Self> {
        let on = table.require("on", filled(table, "on"));
        let [with, without] = ["with", "without"].map(|key| {
            let text = table.require(key, table.text(key))?;
            IdeaPolicy::read(table, &text)
        });
        let (on, with, without) = (on?, with?, without?);
        let is_word = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if !on.chars().all(is_word) || on == WITHOUT {
            let message = format!("`{on}` cannot be the name of a baseline");
            let label = "letters, digits, `-`, `_` and `.` belong here";
            table.wrong(message, table.place_of_value("on"), label, "");
        }
        if with.text() == without.text() {
            let message = "both sides of a comparison are the same policy";
            let label = "the policy with the idea belongs here";
            table.wrong(message, table.place_of_value("with"), label, "");
        }
        Some(Self { on, with, without })
    }
}

impl IdeaPolicy {
    fn read(table: &TomlTable<'_>, text: &Text) -> Option<Self> {
        let source = table.document().source();
        if source
            .piece(text.span.clone())
            .is_some_and(|piece| piece.starts_with("'''"))
        {
            return Some(Self::Text(only(source, text)));
        }
        let (message, help) = if text.value.contains('\n') {
            let help = "nothing is escaped there, so that it reads as in a file of its own";
            ("a policy with its lines stands between `'''`", help)
        } else if text.value.starts_with(IDEA_MARK) {
            let help = "name a policy, or write it between `'''`";
            ("an idea consists of policies, not of other ideas", help)
        } else {
            let reference: Result<PolicyReference, Diagnostics> = text.value.parse();
            return match reference {
                Ok(reference) => Some(Self::Reference(reference)),
                Err(report) => {
                    for mistake in report.list {
                        let span = Some(text.span.clone());
                        table.report(Diagnostic { span, ..mistake });
                    }
                    None
                }
            };
        };
        table.wrong(message, text.span.clone(), "", help);
        None
    }

    /// The reference, or the text of the policy.
    pub fn text(&self) -> String {
        match self {
            Self::Reference(reference) => reference.to_string(),
            Self::Text(source) => source.text.trim().to_owned(),
        }
    }
}

/// A text that is not empty.
fn filled(table: &TomlTable<'_>, key: &str) -> Option<String> {
    let text = table.has(key).then(|| table.text(key))??;
    if text.value.trim().is_empty() {
        table.wrong(format!("`{key}` is empty"), text.span, "a few words belong here", "");
        return None;
    }
    Some(text.value)
}

/// The source of a text between `'''`. Its places count from the start of the whole file.
fn only(source: &Source, text: &Text) -> Source {
    let inside = text.span.start + 3..text.span.end.saturating_sub(3);
    let mut only = String::with_capacity(source.text.len());
    for (place, c) in source.text.char_indices() {
        if c == '\n' || inside.contains(&place) {
            only.push(c);
        } else {
            only.extend(std::iter::repeat_n(' ', c.len_utf8()));
        }
    }
    let only = Source::new(source.name.clone(), only).with_files(source.files().clone());
    match source.path() {
        Some(path) => only.located(path),
        None => only,
    }
}
