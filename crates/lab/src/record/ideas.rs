//! The files of ideas: what an idea is, and policies with and without it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Document, Files, Source, Table, Text, without_parents};
use lmrlab_policy::Policy;
use lmrlab_policy::reference::PolicyReference;
use lmrlab_runner::project::from_here;

use crate::variant::Variant;

/// The folder of the record, below the root of a project.
pub const RECORD_FOLDER: &str = "configs/record";

/// The folder of the ideas, in that of the record.
pub const IDEAS_FOLDER: &str = "ideas";

/// An idea: a file of its folder.
#[derive(Debug, Clone)]
pub struct Idea {
    /// The name of the file, without `.toml`.
    pub id: String,
    /// What it does, in a sentence.
    pub sentence: String,
    /// What kind of idea it is.
    pub category: String,
    /// Where it can be had, one or more.
    pub comparisons: Vec<Comparison>,
}

/// An idea on a baseline.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// The name of the baseline, which is the only one of that name in the idea.
    pub on: String,
    /// The policy with the idea; its preset plays no part.
    pub with: Variant,
    /// The policy without it.
    pub against: Variant,
    /// The texts that both policies consist of, without descriptions and comments.
    pub text: String,
}

/// Reads all ideas of a folder, by name. Names of policies are looked up in the project with this root; paths start from the
/// folder. The second part are warnings.
///
/// # Errors
/// When there is none, or a file is wrong; all mistakes of all files.
pub fn read_ideas(
    files: &Files,
    folder: &Path,
    root: &Path,
) -> Result<(Vec<Idea>, Vec<Diagnostics>), Vec<Diagnostics>> {
    let (mut ideas, mut warnings, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
    for id in files.toml_names(folder) {
        let path = folder.join(format!("{id}.toml"));
        let mut of_policies = Vec::new();
        match read_idea(files, &id, &path, root, &mut of_policies) {
            Ok((idea, more)) => {
                ideas.push(idea);
                warnings.push(more);
            }
            Err(report) => wrong.push(report),
        }
        for report in of_policies {
            let list = if report.has_errors() { &mut wrong } else { &mut warnings };
            if !list.contains(&report) {
                list.push(report);
            }
        }
    }
    wrong.retain(|report| !report.list.is_empty());
    warnings.retain(|report| !report.list.is_empty());
    if ideas.is_empty() && wrong.is_empty() {
        let error = Diagnostic::error(format!("there is no idea in `{}`", from_here(folder).display()))
            .help("an idea is a TOML file there; docs/files.md says what it has");
        wrong.push(Diagnostics::new(Source::new("", ""), vec![error]));
    }
    if wrong.is_empty() {
        Ok((ideas, warnings))
    } else {
        Err(wrong)
    }
}

fn read_idea(
    files: &Files,
    id: &str,
    path: &Path,
    root: &Path,
    of_policies: &mut Vec<Diagnostics>,
) -> Result<(Idea, Diagnostics), Diagnostics> {
    let source = Source::read_from(files, path, &from_here(path).display().to_string())?;
    let document = Document::parse(source)?;
    let table = document.root();
    let sentence = table.require("idea", filled(&table, "idea"));
    let category = table.require("category", filled(&table, "category"));
    let mut comparisons: Vec<Comparison> = Vec::new();
    let tables = table.tables("comparison");
    if tables.is_empty() {
        let error = Diagnostic::error("an idea has no comparison")
            .help("add a table `[[comparison]]` with `on`, `with` and `against`");
        table.report(error);
    }
    for of in tables {
        let on = of.require("on", filled(&of, "on"));
        let sides = ["with", "against"].map(|key| of.require(key, of.text(key)));
        if let Some(on) = &on
            && comparisons.iter().any(|other| other.on == *on)
        {
            let error = Diagnostic::error(format!("there are two comparisons on `{on}`"));
            of.report(
                error
                    .at(of.place_of_value("on"), "the second one")
                    .help("give each baseline a name of its own"),
            );
        }
        let texts = Policies {
            folder: path.parent().unwrap_or(root),
            root,
            found: of_policies,
        };
        comparisons.extend(texts.comparison(&of, on, sides));
        of.close();
    }
    table.close();
    let idea = sentence.zip(category).map(|(sentence, category)| Idea {
        id: id.to_owned(),
        sentence,
        category,
        comparisons,
    });
    // A policy that is wrong is reported in its own file.
    document.finish(idea)
}

/// A text that is not empty.
fn filled(table: &Table<'_>, key: &str) -> Option<String> {
    let text = table.text(key)?;
    if text.value.trim().is_empty() {
        table.report(Diagnostic::error(format!("`{key}` is empty")).at(text.span, "a few words belong here"));
        return None;
    }
    Some(text.value)
}

/// Where policies are looked up, and what was found out about them.
struct Policies<'f> {
    folder: &'f Path,
    root: &'f Path,
    found: &'f mut Vec<Diagnostics>,
}

impl Policies<'_> {
    fn comparison(self, table: &Table<'_>, on: Option<String>, sides: [Option<Text>; 2]) -> Option<Comparison> {
        let Self { folder, root, found } = self;
        let place = sides[0].as_ref().map(|text| text.span.clone());
        let mut policies = sides.map(|text| {
            let text = text?;
            policy(table, &text, folder, root, found)
        });
        let [with, against] = policies.each_mut().map(Option::take);
        let ((with, with_text), (against, against_text)) = with.zip(against)?;
        if with_text == against_text {
            let error = Diagnostic::error("both sides of a comparison are the same policy");
            table.report(error.at(place?, "the policy with the idea belongs here"));
            return None;
        }
        Some(Comparison {
            on: on?,
            with,
            against,
            text: format!("{with_text}\n{against_text}"),
        })
    }
}

/// A policy with its text. Mistakes in the reference are reported at its place, those of the policy's file go to `found`.
fn policy(
    table: &Table<'_>,
    text: &Text,
    folder: &Path,
    root: &Path,
    found: &mut Vec<Diagnostics>,
) -> Option<(Variant, String)> {
    let refuse = |report: Diagnostics| {
        for mistake in report.list {
            let error = Diagnostic::error(mistake.message).at(text.span.clone(), mistake.label);
            table.report(Diagnostic {
                help: mistake.help,
                ..error
            });
        }
    };
    let reference: PolicyReference = match text.value.parse() {
        Ok(reference) => reference,
        Err(report) => {
            refuse(report);
            return None;
        }
    };
    // Files of its own, so that they know which texts the policy consists of.
    let files = Files::on_disk();
    let mut resolved = reference.clone();
    if reference.is_path() {
        let path = without_parents(&folder.join(reference.policy()));
        if !files.has_file(&path) {
            let error = Diagnostic::error(format!("there is no file `{}`", from_here(&path).display()));
            table.report(error.at(text.span.clone(), "a path starts from the folder of this file"));
            return None;
        }
        let overrides = text.value.get(reference.policy().len()..).unwrap_or_default();
        match format!("{}{overrides}", from_here(&path).display()).parse() {
            Ok(reference) => resolved = reference,
            Err(report) => {
                refuse(report);
                return None;
            }
        }
    } else if let Err(report) = reference.locate(&files, root) {
        refuse(report);
        return None;
    }
    let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    match resolved.resolve_from(&files, if reference.is_path() { &here } else { root }) {
        Ok((policy, warnings)) => {
            found.push(warnings);
            let name = reference.name_of(&policy);
            let variant = Variant {
                policy: Arc::new(policy),
                ..Variant::new(name, Policy::none())
            };
            let overrides: Vec<String> = reference.overrides().map(ToString::to_string).collect();
            Some((variant, format!("{}\n@{}", canonical(&files), overrides.join(","))))
        }
        Err(report) => {
            // A mistake in an override has no file.
            match report.source.path() {
                Some(_) => found.push(report),
                None => refuse(report),
            }
            None
        }
    }
}

/// The texts that were read, without what no game depends on: comments, names and descriptions, order of keys, and where they are.
pub(super) fn canonical(files: &Files) -> String {
    let texts = files.texts();
    let mut texts: Vec<String> = texts
        .values()
        .map(|text| match text.parse::<toml::Table>() {
            Ok(mut table) => {
                for key in ["name", "description", "source", "extends"] {
                    table.remove(key);
                }
                without_descriptions(&mut table);
                table.to_string()
            }
            Err(_) => text.to_string(),
        })
        .collect();
    texts.sort_unstable();
    texts.join("\n")
}

fn without_descriptions(table: &mut toml::Table) {
    table.remove("description");
    for (_, value) in table.iter_mut() {
        match value {
            toml::Value::Table(table) => without_descriptions(table),
            toml::Value::Array(values) => values
                .iter_mut()
                .filter_map(toml::Value::as_table_mut)
                .for_each(without_descriptions),
            _ => {}
        }
    }
}
