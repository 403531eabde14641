//! What becomes of an outcome: its text or JSON on standard output, its folder, its page.

use std::path::{Path, PathBuf};

use clap::Args;
use lmrlab_report::outcome::page;
use lmrlab_results::failure::Failure;
use lmrlab_results::outcome::files::{About, write};
use lmrlab_results::outcome::{Outcome, text};

use crate::invocation::invocation;
use crate::output_files::refuse_used_folder;
use crate::pages;
use crate::print::{print_err, print_json, print_out};

/// Where an outcome goes, and how it is printed.
#[derive(Debug, Args)]
pub(crate) struct OutcomeOptions {
    /// Write the tables as CSV files into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Write into a folder that is not empty
    #[arg(long)]
    pub(crate) force: bool,
    /// Write a page with pictures into the folder, too
    #[arg(long)]
    pub(crate) report: bool,
    /// Print the tables as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// What a command found, and how it ends.
pub(crate) struct Found {
    /// What was found; `None` when there is nothing to show.
    pub(crate) outcome: Option<Outcome>,
    /// An error when the user interrupted the command.
    pub(crate) end: Result<(), Failure>,
}

impl From<Outcome> for Found {
    fn from(outcome: Outcome) -> Self {
        Self {
            outcome: Some(outcome),
            end: Ok(()),
        }
    }
}

impl Found {
    /// Prints the outcome, and ends as the command ends.
    pub(crate) fn print(self, json: bool) -> Result<(), Failure> {
        if let Some(outcome) = &self.outcome {
            print_outcome(outcome, json)?;
        }
        self.end
    }
}

impl OutcomeOptions {
    /// Checks the places of the outputs, lets the command `kind` find its outcome, writes and prints it.
    pub(crate) fn run(&self, kind: &str, find: impl FnOnce() -> Result<Found, Failure>) -> Result<(), Failure> {
        let for_folder = [(self.force, "--force"), (self.report, "--report")];
        if let (None, Some((_, option))) = (&self.out, for_folder.iter().find(|(is_given, _)| *is_given)) {
            return Err(Failure::input(
                format!("`{option}` is about the folder of `--out`, and there is none"),
                "add `--out DIR`",
            ));
        }
        if let Some(folder) = &self.out {
            refuse_used_folder(folder, self.force)?;
            if self.report {
                pages::refuse_foreign(&pages::of_run(folder))?;
            }
        }
        let found = find()?;
        if let Some((folder, outcome)) = self.out.as_ref().zip(found.outcome.as_ref()) {
            write(folder, outcome, &About::of(kind, outcome, &invocation()))?;
            if self.report {
                let file = pages::of_run(folder);
                pages::write(&page(outcome, &folder_name(folder)), &file)?;
                print_err(&format!("The page is {}", file.display()));
            }
        }
        found.print(self.json)
    }

    /// The folder that the user names, for files that the command itself writes there. It is made.
    pub(crate) fn folder(&self) -> Result<Option<&Path>, Failure> {
        let Some(folder) = self.out.as_deref() else {
            return Ok(None);
        };
        std::fs::create_dir_all(folder).map_err(|error| Failure::write(folder, &error))?;
        Ok(Some(folder))
    }
}

/// Prints an outcome as text or as JSON.
pub(crate) fn print_outcome(outcome: &Outcome, json: bool) -> Result<(), Failure> {
    if json {
        return print_json(&outcome.json());
    }
    print_out(&text::text(outcome));
    Ok(())
}

fn folder_name(folder: &Path) -> String {
    folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
