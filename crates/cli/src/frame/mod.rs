//! What all commands share: the options that many of them take, where results go, how a command is stopped, how it ends.
//!
//! | module | what it is for |
//! |---|---|
//! | [`common`] | the common options |
//! | [`output_files`] | checks of the files and folders that a command writes |
//! | [`pages`] | pages, also of a run that plays |
//! | [`print`](mod@print) | all that goes to standard output and standard error |
//! | [`stop_signal`] | Ctrl-C and the other signals that end programs |
//!
//! A command is its own arguments and one function, which gets a [`Frame`].

pub(crate) mod common;
pub(crate) mod output_files;
pub(crate) mod pages;
pub(crate) mod print;
pub(crate) mod stop_signal;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::manifest::Invocation;
use lmrlab_results::outcome::files::{About, write};
use lmrlab_results::outcome::{Outcome, text};
use lmrlab_results::report::page::Page;

pub(crate) use self::common::Options;
use self::output_files::{refuse_existing, refuse_used_folder, write_or_print};
pub(crate) use self::print::{print_err, print_note, print_warnings};
use self::print::{print_json, print_out};
pub(crate) use self::stop_signal::{Work, listen};
use crate::advice::advice;
use crate::invocation::invocation;
use crate::progress::live;

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
    /// What was found before the user interrupted the command.
    pub(crate) fn interrupted(so_far: Outcome) -> Self {
        Self {
            outcome: Some(so_far),
            end: Err(Failure::Interrupted),
        }
    }
}

/// What a command works in: the common options that it was given, and where its results go.
#[derive(Debug, Clone, Default)]
pub(crate) struct Frame {
    pub(crate) options: Options,
}

impl Frame {
    /// Checks the places of the outputs, lets the command `kind` find its outcome, writes and prints it.
    pub(crate) fn outcome(&self, kind: &str, find: impl FnOnce() -> Result<Found, Failure>) -> Result<(), Failure> {
        let Options { out, force, report, .. } = &self.options;
        let for_folder = [(force, "--force"), (report, "--report")];
        if let (None, Some((_, option))) = (out, for_folder.iter().find(|(is_given, _)| **is_given)) {
            return Err(Failure::input(
                format!("`{option}` is about the folder of `--out`, and there is none"),
                "add `--out DIR`",
            ));
        }
        if let Some(folder) = out {
            refuse_used_folder(folder, *force)?;
            if *report {
                pages::refuse_foreign(&pages::of_run(folder))?;
            }
        }
        let found = find()?;
        if let Some((folder, outcome)) = out.as_ref().zip(found.outcome.as_ref()) {
            write(folder, outcome, &About::of(kind, outcome, &invocation()))?;
            if *report {
                pages::write_into(folder, "")?;
            }
        }
        self.show(found)
    }

    /// Prints what was found, and ends as the command ends.
    pub(crate) fn show(&self, found: Found) -> Result<(), Failure> {
        match found.outcome {
            Some(outcome) if self.options.json => print_json(&outcome.json())?,
            Some(outcome) => print_out(&text::text(&outcome)),
            None => {}
        }
        found.end
    }

    /// Writes a text to the file of `--out`, or to standard output. The file is checked before the text is made.
    pub(crate) fn text(&self, make: impl FnOnce() -> Result<String, Failure>) -> Result<(), Failure> {
        let file = self.options.out.as_deref().filter(|file| *file != Path::new("-"));
        refuse_existing(file, self.options.force)?;
        write_or_print(file, &make()?)
    }

    /// How the run that begins now was started.
    pub(crate) fn invocation(&self) -> Invocation {
        Invocation {
            report: self.options.report,
            ..invocation()
        }
    }

    /// Prints a text.
    pub(crate) fn print(&self, text: &str) {
        print_out(text);
    }

    /// The value of `--out` of a command that cannot do without it.
    pub(crate) fn required_out(&self) -> Result<&Path, Failure> {
        let out = self.options.out.as_deref();
        out.ok_or_else(|| Failure::input("`--out` is missing", "name the place of the results"))
    }

    /// The place of a page: the file of `--out`, or the usual place.
    pub(crate) fn page_file(&self, usual: impl FnOnce() -> PathBuf) -> PathBuf {
        self.options.out.clone().unwrap_or_else(usual)
    }

    /// Writes a page, and prints where it is.
    pub(crate) fn page(&self, page: &Page, file: &Path) -> Result<(), Failure> {
        pages::write(page, file)?;
        print_out(&format!("The page is {}\n", file.display()));
        Ok(())
    }

    /// The folder that the user names, for files that the command itself writes there. It is made.
    pub(crate) fn folder(&self) -> Result<Option<&Path>, Failure> {
        let Some(folder) = self.options.out.as_deref() else {
            return Ok(None);
        };
        std::fs::create_dir_all(folder).map_err(|error| Failure::write(folder, &error))?;
        Ok(Some(folder))
    }
}

/// Ends the output, prints the error, and returns the exit status.
pub(crate) fn exit_code(result: Result<(), Failure>) -> ExitCode {
    live::clear();
    let mut status = 0;
    for failure in [result, print::finish()].into_iter().filter_map(Result::err) {
        if matches!(failure, Failure::Interrupted) {
            status = stop_signal::exit_status();
            continue;
        }
        print_err(&failure.render(&advice(&failure)));
        status = status.max(failure.exit_status());
    }
    ExitCode::from(status)
}
