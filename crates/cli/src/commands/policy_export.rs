//! `lmrlab policy export`: writes a policy as source for another engine.

use std::ops::Range;

use clap::{Args, ValueEnum};
use lmrlab_diagnostics::{Diagnostic, Diagnostics, Files, Source};
use lmrlab_policy::Policy;
use lmrlab_policy::export::{self, Export, reduction_table};
use lmrlab_policy::facts::Fact;
use lmrlab_policy::reference::PolicyReference;
use lmrlab_results::failure::Failure;

use super::policy_file::{base, load_for_host};
use crate::frame::Frame;
use crate::frame::print::print_warnings;

/// Write a policy as a file in C or Rust for another engine.
///
/// Examples:
///   lmrlab policy export house --lang c --out house.h
///   lmrlab policy export house@divisor=2.1,-gives-check --lang rust --out house.rs
///   lmrlab policy export obsidian --lang c --table
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Arguments {
    /// A policy: a name in configs/policies or a file, with overrides after `@`.
    policy: PolicyReference,
    /// Language of the file.
    #[arg(long, value_enum)]
    lang: Language,
    /// Write a table by depth and move number, for a policy that reads nothing else.
    #[arg(long)]
    table: bool,
}

/// The values of `--lang`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Language {
    /// A header in C99, also for C++
    C,
    /// A module in Rust
    Rust,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    frame.text(|| text_of(arguments))
}

fn text_of(arguments: &Arguments) -> Result<String, Failure> {
    let policy = load_for_host(&arguments.policy)?;
    let language = match arguments.lang {
        Language::C => export::Language::C,
        Language::Rust => export::Language::Rust,
    };
    let text = if arguments.table {
        reduction_table(&policy, language).map_err(|refusal| {
            Failure::input(
                format!("`{}` cannot be a table: {refusal}", arguments.policy),
                "leave --table out: the function reads these facts, too",
            )
        })?
    } else {
        let export = export::export(&policy, language);
        warn(&export, &arguments.policy, &policy);
        export.text
    };
    Ok(text)
}

/// Warns about what the file requires of its user, and where it may differ.
fn warn(export: &Export, reference: &PolicyReference, policy: &Policy) {
    let files = Files::on_disk();
    let source = reference
        .locate(&files, &base(reference.is_path()))
        .and_then(|path| {
            // The name as in messages about a policy.
            let name = match reference.is_path() {
                true => reference.policy().to_owned(),
                false => path.display().to_string(),
            };
            Source::read_from(&files, &path, &name)
        })
        // Values from another file or from an override have no place in this file.
        .ok()
        .filter(|source| *source.text == *policy.text());
    let place = |fact: Fact| place_of(fact.info().name, policy.text());
    let mut list: Vec<Diagnostic> = Vec::new();
    for fact in &export.parameters {
        let name = fact.info().name;
        let warning = Diagnostic::warning(format!(
            "no other engine can be asked for `{name}`: it is a term of lmrlab's own evaluation"
        ))
        .help("it is a parameter of the functions that read it: give your engine's own number, or 0");
        list.push(match place(*fact).filter(|_| source.is_some()) {
            Some(place) => warning.at(place, "read here"),
            None => warning,
        });
    }
    for function in &export.inexact {
        list.push(
            Diagnostic::warning(format!("the file calls the {function} of the system"))
                .help(
                    "systems differ in its last bit, so a result may differ where it is very close to the next ply; a function \
                     of one small fact, such as `depth`, becomes a table",
                ),
        );
    }
    let source = source.unwrap_or_else(|| Source::new(reference.policy(), policy.text()));
    print_warnings(&Diagnostics::new(source, list));
}

/// The first place of a name in a policy file, outside comments.
fn place_of(name: &str, text: &str) -> Option<Range<usize>> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if !line.trim_start().starts_with('#') {
            for (at, _) in line.match_indices(name) {
                let (before, after) = (line.get(..at)?, line.get(at + name.len()..)?);
                if !before.ends_with(is_word) && !after.starts_with(is_word) {
                    return Some(start + at..start + at + name.len());
                }
            }
        }
        start += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_outside_comments_and_other_names() {
        let text = "# see here\nwhen = \"seen > see\"\n";
        assert_eq!(place_of("see", text), Some(26..29));
        assert_eq!(place_of("depth", text), None);
    }
}
