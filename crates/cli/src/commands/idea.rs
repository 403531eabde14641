//! `lmrlab idea`: lists and shows the ideas of the library.

use std::path::Path;

use clap::Subcommand;
use lmrlab_diagnostics::Files;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_lab::ideas::library::{KnownIdea, known_ideas, named};
use lmrlab_lab::ideas::outcome::IdeaTables;
use lmrlab_policy::idea::{IdeaComparison, IdeaPolicy};
use lmrlab_policy::reference::{IDEA_MARK, POLICY_FOLDER, WITHOUT};
use lmrlab_results::project;
use lmrlab_results::rows::ideas::IdeaPolicyRow;
use lmrlab_results::visible::visible;

use crate::frame::{Frame, print_note, print_warnings};
use crate::invocation::working_folder;

/// List and show ideas for late move reductions, with what others reported about them.
#[derive(Debug, Subcommand)]
pub(crate) enum Arguments {
    /// List the ideas of the project and the built-in ones.
    List,
    /// Show an idea: its policies, the reports with their links, what to expect in another engine, and our own games.
    ///
    /// Example:
    ///   lmrlab idea show cut-node-more
    ///   lmrlab match idea:cut-node-more
    ///   lmrlab trial my-idea.toml --idea cut-node-more
    #[command(verbatim_doc_comment)]
    Show {
        /// A name in configs/ideas.
        idea: String,
    },
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    frame.outcome("idea", || {
        let root = project::root(&working_folder()?, None);
        let (ideas, warnings) = known_ideas(&Files::on_disk(), &root).map_err(Failure::Input)?;
        warnings.iter().for_each(print_warnings);
        let tables = match arguments {
            Arguments::List => IdeaTables::list(&ideas),
            Arguments::Show { idea } => {
                let known = named(&ideas, idea)?;
                IdeaTables::one(known, policies(known, &root)?)
            }
        };
        Ok(tables.outcome().into())
    })
}

/// The policies with the idea and without it.
fn policies(known: &KnownIdea, root: &Path) -> Result<Vec<IdeaPolicyRow>, Failure> {
    let folder = known.path.parent().unwrap_or(root);
    let mut rows = Vec::new();
    for comparison in &known.idea.comparisons {
        let (name, on) = (&known.name, &comparison.on);
        for (side, end, of_side) in [
            ("with", String::new(), &comparison.with),
            ("without", format!(":{WITHOUT}"), &comparison.without),
        ] {
            // A side that cannot be played is an error.
            of_side.resolve(&Files::on_disk(), folder, root)?;
            let (policy, text) = match of_side {
                IdeaPolicy::Reference(reference) => (reference.to_string(), String::new()),
                IdeaPolicy::Text(_) => (String::new(), of_side.text()),
            };
            rows.push(IdeaPolicyRow {
                on: on.clone(),
                side: side.to_owned(),
                name: format!("{IDEA_MARK}{name}:{on}{end}"),
                policy,
                text,
                note: baseline_note(comparison, root)
                    .filter(|_| side == "without")
                    .unwrap_or_default(),
            });
        }
    }
    Ok(rows)
}

/// What a baseline stands for, when it has the name of a policy and is another one.
fn baseline_note(comparison: &IdeaComparison, root: &Path) -> Option<String> {
    let (on, base) = (&comparison.on, comparison.base()?);
    let is_policy = Files::on_disk().named(POLICY_FOLDER, root).contains_key(on);
    (is_policy && on != base).then(|| format!("baseline `{on}` is the policy {}, not `{on}`", visible(base)))
}

/// Notes what the baseline of an engine stands for. `words` describe the engine.
pub(super) fn note_baseline(words: &str) -> Result<(), Failure> {
    let Some(rest) = words.strip_prefix(IDEA_MARK) else {
        return Ok(());
    };
    let mut parts = rest.split('@').next().unwrap_or_default().split(':');
    let (name, on) = (parts.next().unwrap_or_default(), parts.next());
    let root = project::root(&working_folder()?, None);
    let (ideas, _) = known_ideas(&Files::on_disk(), &root).map_err(Failure::Input)?;
    if let Some(note) = (named(&ideas, name)?.idea.on(on)).and_then(|comparison| baseline_note(comparison, &root)) {
        print_note(&format!("the {note}"));
    }
    Ok(())
}
