//! `lmrlab fastchess`: a command line of fastchess or cutechess, as one of `lmrlab match`.
//!
//! What the options mean is from fastchess's manual and source (July 2026), and from the manual of cutechess-cli.

mod conditions;
mod engines;
mod options;
#[cfg(test)]
mod tests;
mod translation;

use std::path::{Path, PathBuf};

use clap::{Args, Parser};
use lmrlab_diagnostics::{Diagnostic, Diagnostics, Source};
use lmrlab_results::failure::Failure;
use lmrlab_results::shell_words::shell_words;

use self::translation::Translation;
use super::match_;
use crate::invocation::working_folder;
use crate::print::{print_err, print_out};

/// Translate a command line of fastchess or cutechess.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lmrlab fastchess -engine cmd=./new name=new -engine cmd=./old name=old -each tc=8+0.08 option.Hash=16 -rounds 500 -repeat
  lmrlab fastchess --run --out results/first fastchess -engine cmd=./new -engine cmd=./old -each nodes=10000 -rounds 50
  lmrlab fastchess cutechess-cli -engine cmd=./new -engine cmd=./old -each proto=uci tc=10+0.1 -games 2 -rounds 500 -repeat

Prints the command `lmrlab match ..` that plays the same games. Notes say what is different or missing without changing the games. \
An option that would change the games, and that lmrlab does not have, is an error. Words that begin with cutechess-cli mean what \
they mean to cutechess, all others what they mean to fastchess.")]
pub(crate) struct Arguments {
    /// Run the command, too
    #[arg(long)]
    run: bool,
    /// Where the results go, as `--out` of `lmrlab match`
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace the results of an earlier run, as `--force` of `lmrlab match`
    #[arg(long)]
    force: bool,
    /// The command line, with or without the name of the program. Options of `lmrlab` itself stand before it
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGS"
    )]
    words: Vec<String>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let translation = Translation::of(arguments.words.clone(), &working_folder()?);
    for note in &translation.notes {
        print_err(&format!("note: {note}"));
    }
    if !translation.errors.is_empty() {
        let errors = translation.errors.into_iter().map(Diagnostic::error).collect();
        return Err(Diagnostics::new(Source::new("", ""), errors).into());
    }
    let mut command = translation.command;
    if let Some(out) = &arguments.out {
        command.extend(["--out".to_owned(), out.display().to_string()]);
    }
    if arguments.force {
        command.push("--force".to_owned());
    }
    print_out(&format!("lmrlab match {}\n", shell_words(&command)));
    let name = std::iter::once("lmrlab match".to_owned());
    let MatchLine { arguments: parsed } = MatchLine::try_parse_from(name.chain(command)).map_err(|error| {
        let text = error.to_string();
        let first = text.lines().next().unwrap_or_default();
        Failure::input(
            format!("the command is wrong: {}", first.trim_start_matches("error: ")),
            "",
        )
    })?;
    if arguments.run {
        print_out("\n");
        match_::run(&parsed)?;
    }
    Ok(())
}

/// What `lmrlab match` would read.
#[derive(Debug, Parser)]
struct MatchLine {
    #[command(flatten)]
    arguments: match_::Arguments,
}

impl Translation {
    /// Translates these words of a command line that is typed in the folder `here`.
    fn of(words: Vec<String>, here: &Path) -> Self {
        let mut translation = Self::default();
        translation.split(words);
        if translation.errors.is_empty() {
            translation.comment();
            translation.engines(here);
            translation.pairs();
            translation.adjudication();
            translation.sprt();
            translation.openings();
            translation.conditions();
        }
        translation
    }
}
