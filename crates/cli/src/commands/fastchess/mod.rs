//! `lmrlab fastchess`: a command line of fastchess or cutechess, as one of `lmrlab match`, or as a tournament file.
//!
//! What the words mean is from the manuals and the sources of fastchess and cutechess-cli (July 2026).

mod conditions;
mod engines;
mod line;
#[cfg(test)]
mod tests;
mod translation;
mod words;

use std::path::Path;

use clap::Args;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_diagnostics::{Diagnostic, Diagnostics, Document, Source};
use lmrlab_results::shell_words::shell_words;
use lmrlab_runner::tournament::description::Description;
use lmrlab_runner::tournament::keys;
use lmrlab_runner::tournament::schedule::Format;

use self::translation::{Becomes, Given, Translation, Word, about};
use self::words::WORDS;
use super::{Command, help, match_};
use crate::frame::{Frame, Options, print_err};
use crate::invocation::working_folder;

/// Translate a command line of fastchess or cutechess.
///
/// Examples:
///   lmrlab fastchess -engine cmd=./new name=new -engine cmd=./old name=old -each tc=8+0.08 option.Hash=16 -rounds 500 -repeat
///   lmrlab fastchess --run --out results/first fastchess -engine cmd=./new -engine cmd=./old -each nodes=10000 -rounds 50
///   lmrlab fastchess cutechess-cli -engine cmd=./new -engine cmd=./old -each proto=uci tc=10+0.1 -games 2 -rounds 500 -repeat
///
/// Prints the command `lmrlab match ..` that plays the same games; with more than two engines, the tournament file for
/// `lmrlab run`. Notes say what is different or missing without changing the games. A word that would change the games,
/// and that lmrlab does not have, is an error. Words that begin with cutechess-cli mean what they mean to cutechess,
/// all others what they mean to fastchess.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Arguments {
    /// Run the command, too
    #[arg(long)]
    run: bool,
    /// List the words of both programs, and what becomes of each
    #[arg(long, exclusive = true)]
    words: bool,
    /// The command line, with or without the name of the program. Options of `lmrlab` itself stand before it
    #[arg(
        required_unless_present = "words",
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGS"
    )]
    line: Vec<String>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    if arguments.words {
        frame.print(&words::page());
        return Ok(());
    }
    let Options { out, force, .. } = &frame.options;
    let translation = Translation::of(arguments.line.clone(), &working_folder()?);
    for note in &translation.notes {
        print_err(&format!("note: {note}"));
    }
    if !translation.errors.is_empty() {
        let errors = translation.errors.into_iter().map(Diagnostic::error).collect();
        return Err(Diagnostics::new(Source::new("", ""), errors).into());
    }
    let is_match = translation.is_match();
    if !is_match && (arguments.run || *force || out.is_some()) {
        return Err(Failure::input(
            "more than two engines become a tournament file, and `--run`, `--out` and `--force` are for a match",
            "leave them out, write what is printed into a file, and play it: `lmrlab run FILE`",
        ));
    }
    let mut command = translation.command();
    if let Some(out) = out {
        command.extend(["--out".to_owned(), out.display().to_string()]);
    }
    if *force {
        command.push("--force".to_owned());
    }
    let wrong = |_: &Failure| print_err("the command is wrong:");
    let (parsed, of_match) = parsed(&command).inspect_err(wrong)?;
    let description = translation.description(&parsed, &of_match).inspect_err(wrong)?;
    if !is_match {
        frame.print(&file(&description).inspect_err(wrong)?);
        return Ok(());
    }
    frame.print(&format!("lmrlab match {}\n", shell_words(&command)));
    if arguments.run {
        frame.print("\n");
        match_::run(&parsed, &of_match)?;
    }
    Ok(())
}

/// The command as `lmrlab match` reads it, and the common options.
fn parsed(command: &[String]) -> Result<(Box<match_::Arguments>, Frame), Failure> {
    let words = ["lmrlab", "match"].into_iter();
    match help::parsed(words.chain(command.iter().map(String::as_str))) {
        Ok((Command::Match(arguments), frame)) => Ok((arguments, frame)),
        Ok(_) => Err(Failure::input("it is no match", "")),
        Err(error) => {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            Err(Failure::input(first.trim_start_matches("error: "), ""))
        }
    }
}

impl Translation {
    /// Translates these words of a command line that is typed in the folder `here`.
    fn of(words: Vec<String>, here: &Path) -> Self {
        let mut translation = Self {
            here: here.to_owned(),
            ..Self::default()
        };
        translation.split(words);
        if !translation.errors.is_empty() {
            return translation;
        }
        translation.engines();
        for word in WORDS {
            translation.translate(word);
        }
        translation
    }

    /// Adds what becomes of a word.
    fn translate(&mut self, word: &Word) {
        let given = match (self.given(word), &word.becomes) {
            (None, Becomes::Always(..)) => Given::default(),
            (None, _) => return,
            (Some(given), _) => given,
        };
        if word.option.starts_with("tb") && !self.has("tb") {
            return self.note(about(word.option, &given, "without `-tb` it changes nothing"));
        }
        match word.becomes {
            Becomes::Words(_, translate) | Becomes::Always(_, translate) => translate(self, &given),
            Becomes::Renamed(text) => {
                self.command.extend(text.split(' ').next().map(str::to_owned));
                self.command.extend(given.words);
            }
            Becomes::Note(text) | Becomes::Also(text) => self.note(about(word.option, &given, text)),
            Becomes::Usual(_) if given.value() == word.example => {}
            Becomes::Usual(text) | Becomes::Refused(text) => self.error(about(word.option, &given, text)),
            Becomes::OfEngine(..) => {}
        }
    }

    /// The words of `lmrlab match`, with the first two engines.
    fn command(&self) -> Vec<String> {
        self.engines.iter().take(2).chain(&self.command).cloned().collect()
    }

    /// The tournament of the command. No file is read.
    fn description(&self, parsed: &match_::Arguments, of_match: &Frame) -> Result<Description, Failure> {
        let engines: Vec<&str> = self.engines.iter().map(String::as_str).collect();
        let engines = parsed.engines_of(&engines, &of_match.options)?;
        Ok(Description {
            name: "translated".to_owned(),
            format: match (self.is_match(), self.is_gauntlet) {
                (true, _) => Format::Match,
                (false, true) => Format::Gauntlet,
                (false, false) => Format::RoundRobin,
            },
            ..parsed.description(engines, &of_match.options)?
        })
    }
}

/// The tournament file, which `lmrlab run` accepts.
fn file(description: &Description) -> Result<String, Failure> {
    let mut table = keys::of_tournament(description);
    table.remove("description");
    let engines = table.get_mut("engine").and_then(toml::Value::as_array_mut);
    for engine in engines.into_iter().flatten().filter_map(toml::Value::as_table_mut) {
        // What lmrlab does anyway.
        engine.retain(|key, value| {
            let is_empty =
                value.as_table().is_some_and(toml::Table::is_empty) || value.as_array().is_some_and(Vec::is_empty);
            !is_empty && !["move_list", "deadlines"].contains(&key)
        });
    }
    let text = toml::to_string(&table).unwrap_or_default();
    let document = Document::parse(Source::new("", text.as_str()).unquoted())?;
    document.finish(keys::tournament(document.root()))?;
    Ok(text)
}
