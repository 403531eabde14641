//! `lmrlab policy export`: writes a policy as source for another engine.

use clap::Args;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_diagnostics::{Diagnostic, Diagnostics, Source};
use lmrlab_policy::export::{self, Export, Language, reduction_table};
use lmrlab_policy::reference::PolicyReference;

use super::shared::one_of::one_of;
use super::shared::policy_file::load_for_host;
use crate::frame::{Frame, print_warnings};

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
    /// Language of the file: a header in C99, also for C++, or a module in Rust.
    #[arg(long, value_parser = one_of(&LANGUAGES))]
    lang: Language,
    /// Write a table by depth and move number, for a policy that reads nothing else.
    #[arg(long)]
    table: bool,
}

/// The values of `--lang`.
const LANGUAGES: [(&str, Language); 2] = [("c", Language::C), ("rust", Language::Rust)];

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    frame.text(|| text_of(arguments))
}

fn text_of(arguments: &Arguments) -> Result<String, Failure> {
    let policy = load_for_host(&arguments.policy)?;
    let text = if arguments.table {
        reduction_table(&policy, arguments.lang).map_err(|refusal| {
            Failure::input(
                format!("`{}` cannot be a table: {refusal}", arguments.policy),
                "leave --table out: the function reads these facts, too",
            )
        })?
    } else {
        let export = export::export(&policy, arguments.lang);
        warn(&export, &arguments.policy);
        export.text
    };
    Ok(text)
}

/// Warns about what the file requires of its user, and where it may differ.
fn warn(export: &Export, reference: &PolicyReference) {
    let parameters = export.parameters.iter().map(|fact| {
        let name = fact.info().name;
        Diagnostic::warning(format!(
            "no other engine can be asked for `{name}`: it is a term of lmrlab's own evaluation"
        ))
        .help("it is a parameter of the functions that read it: give your engine's own number, or 0")
    });
    let functions = export.inexact.iter().map(|function| {
        Diagnostic::warning(format!("the file calls the {function} of the system")).help(
            "systems differ in its last bit, so a result may differ where it is very close to the next ply; a function \
             of one small fact, such as `depth`, becomes a table",
        )
    });
    let warnings = parameters.chain(functions).collect();
    print_warnings(&Diagnostics::new(Source::new(reference.policy(), ""), warnings));
}
