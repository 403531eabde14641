//! What all commands share: the options that many of them take, where results go, how a command is stopped, how it ends.
//!
//! | module | what it is for |
//! |---|---|
//! | [`common`] | the common options, and which command takes which |
//! | [`help`] | the command line with its help |
//! | [`output_files`] | checks of the files and folders that a command writes |
//! | [`pages`] | pages, also of a run that plays |
//! | [`print`] | all that goes to standard output and standard error |
//! | [`stop_signal`] | Ctrl-C and the other signals that end programs |
//!
//! A command is its own arguments and one function, which gets a [`Frame`].

pub(crate) mod common;
pub(crate) mod help;
pub(crate) mod output_files;
pub(crate) mod pages;
pub(crate) mod print;
pub(crate) mod stop_signal;

use std::error::Error as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use lmrlab_diagnostics::Diagnostics;
use lmrlab_report::outcome::page;
use lmrlab_report::page::Page;
use lmrlab_results::failure::Failure;
use lmrlab_results::outcome::files::{About, write};
use lmrlab_results::outcome::{Outcome, text};

use self::common::Options;
use self::output_files::{refuse_existing, refuse_used_folder, write_or_print};
use self::print::{print_err, print_json, print_out};
use crate::advice::advice;
use crate::commands::spaced_numbers;
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
                let name = folder.file_name().unwrap_or_default().to_string_lossy();
                let file = pages::of_run(folder);
                pages::write(&page(outcome, &name), &file)?;
                print_err(&format!("The page is {}", file.display()));
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

/// Runs the command line.
pub(crate) fn main() -> ExitCode {
    // Panics are caught and reported below and in the workers.
    std::panic::set_hook(Box::new(|_| {}));
    let (call, frame) = match help::parsed(std::env::args_os()) {
        Ok(parsed) => parsed,
        Err(error) if error.use_stderr() => {
            refuse(&error);
            return ExitCode::from(USAGE);
        }
        // What `--help` and `--version` print.
        Err(text) => {
            print_out(&text.render().ansi().to_string());
            return exit_code(Ok(()));
        }
    };
    let result = std::panic::catch_unwind(move || call.run(&frame));
    exit_code(result.unwrap_or_else(|panic| Err(Failure::mistake("lmrlab", &*panic))))
}

/// The exit status after wrong words.
const USAGE: u8 = 2;

/// Says what is wrong with the words of a command.
fn refuse(error: &clap::Error) {
    // A value with a grammar of its own has a message with the place of the mistake.
    match error.source().and_then(|source| source.downcast_ref::<Diagnostics>()) {
        Some(mistakes) => print_err(&mistakes.render(true)),
        None => print_err(error.render().ansi().to_string().trim_end()),
    }
    let words: Vec<String> = std::env::args_os()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    if let Some(list) = spaced_numbers::with_commas(&words) {
        print_err(&format!("\nhelp: write `{list}`, with commas and without spaces"));
    }
}

/// Ends the output, prints the error, and returns the exit status.
fn exit_code(result: Result<(), Failure>) -> ExitCode {
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
