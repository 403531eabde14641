//! `lmrlab idea`: lists and shows the ideas of the library.

use clap::Subcommand;
use lmrlab_diagnostics::Files;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_lab::ideas::library::{known_ideas, named};
use lmrlab_lab::ideas::outcome::IdeaTables;
use lmrlab_lab::ideas::policies::baseline_note;
use lmrlab_results::project;

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
            Arguments::Show { idea } => IdeaTables::one(named(&ideas, idea)?, &root)?,
        };
        Ok(tables.outcome().into())
    })
}

/// Notes what the baseline of an engine stands for. `words` describe the engine.
pub(super) fn note_baseline(words: &str) -> Result<(), Failure> {
    if let Some(note) = baseline_note(words, &project::root(&working_folder()?, None))? {
        print_note(&format!("the {note}"));
    }
    Ok(())
}
