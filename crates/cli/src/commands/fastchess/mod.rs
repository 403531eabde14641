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

use std::path::{Path, PathBuf};

use clap::Args;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_diagnostics::{Diagnostic, Diagnostics, Document, Source};
use lmrlab_results::shell_words::shell_words;
use lmrlab_runner::tournament::defaults::default_openings;
use lmrlab_runner::tournament::description::{Description, EngineKind};
use lmrlab_runner::tournament::schedule::Format;
use lmrlab_runner::tournament::settings;

use self::conditions::START_POSITION;
use self::translation::{Becomes, Translation, about};
use self::words::WORDS;
use super::{Call, Command, help, match_};
use crate::frame::Frame;
use crate::frame::common::Options;
use crate::frame::print::print_err;
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
    let is_match = translation.engines.len() == 2;
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
    let parsed = parsed(&command)?;
    let file = translation.file(&parsed).map_err(wrong)?;
    if !is_match {
        frame.print(&file);
        return Ok(());
    }
    frame.print(&format!("lmrlab match {}\n", shell_words(&command)));
    if arguments.run {
        frame.print("\n");
        match_::run(&parsed.0, &parsed.1)?;
    }
    Ok(())
}

/// What `lmrlab match` reads, and the common options.
type MatchLine = (Box<match_::Arguments>, Frame);

/// The command as `lmrlab match` reads it.
fn parsed(command: &[String]) -> Result<MatchLine, Failure> {
    let words = ["lmrlab", "match"].into_iter();
    match help::parsed(words.chain(command.iter().map(String::as_str))) {
        Ok((Call::User(Command::Match(arguments)), frame)) => Ok((arguments, frame)),
        Ok(_) => Err(is_wrong("it is no match")),
        Err(error) => {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            Err(is_wrong(first.trim_start_matches("error: ")))
        }
    }
}

/// A command that lmrlab would refuse.
fn is_wrong(what: &str) -> Failure {
    Failure::input(format!("the command is wrong: {what}"), "")
}

/// Why lmrlab would refuse the command.
fn wrong(failure: Failure) -> Failure {
    let Failure::Input(found) = failure else {
        return failure;
    };
    match found.iter().flat_map(|found| &found.list).next() {
        Some(first) if first.label.is_empty() => is_wrong(&first.message),
        Some(first) => is_wrong(&format!("{}: {}", first.message, first.label)),
        None => is_wrong(""),
    }
}

impl Translation {
    /// Translates these words of a command line that is typed in the folder `here`.
    fn of(words: Vec<String>, here: &Path) -> Self {
        let mut translation = Self {
            table: WORDS,
            here: here.to_owned(),
            ..Self::default()
        };
        translation.split(words);
        if !translation.errors.is_empty() {
            return translation;
        }
        translation.engines();
        for word in WORDS {
            let given = translation.given(word);
            match (&word.becomes, given) {
                (Becomes::Words(_, translate), Some(given)) => translate(&mut translation, &given),
                (Becomes::Always(_, translate), given) => translate(&mut translation, &given.unwrap_or_default()),
                (Becomes::Note(text), Some(given)) => translation.notes.push(about(word.option, &given, text)),
                (Becomes::Refused(text), Some(given)) => translation.errors.push(about(word.option, &given, text)),
                _ => {}
            }
        }
        translation
    }

    /// The words of `lmrlab match`, with the first two engines.
    fn command(&self) -> Vec<String> {
        self.engines.iter().take(2).chain(&self.command).cloned().collect()
    }

    /// The tournament file of the command, which `lmrlab run` accepts. Its paths start from the root.
    fn file(&self, (parsed, of_match): &MatchLine) -> Result<String, Failure> {
        let format = match (self.engines.len(), self.is_gauntlet) {
            (2, _) => Format::Match,
            (_, true) => Format::Gauntlet,
            (_, false) => Format::RoundRobin,
        };
        let mut description = parsed.described(&self.engines, format, &of_match.options)?;
        start_from_root(&mut description, &self.here);
        for (engine, name) in description.engines.iter_mut().zip(&self.names) {
            engine.name.get_or_insert_with(|| name.clone());
        }
        let mut table = settings::of_tournament(&description);
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
        let document = Document::parse(Source::new("", text.as_str()))?;
        document.finish(settings::tournament(document.root()))?;
        Ok(text)
    }
}

/// Completes the paths, which start from the folder `here`.
fn start_from_root(description: &mut Description, here: &Path) {
    let whole = |path: &Path| -> PathBuf { here.join(path).components().collect() };
    let books = description.conditions.openings.files.iter_mut();
    // The own openings of lmrlab are found from everywhere.
    let own = [START_POSITION, default_openings(description.conditions.variant)].map(Path::new);
    for path in books.filter(|file| !own.contains(&file.as_path())) {
        *path = whole(path);
    }
    let tables = description.conditions.tablebases.iter_mut();
    for path in tables.flat_map(|tables| &mut tables.folders) {
        *path = whole(path);
    }
    for engine in &mut description.engines {
        if let EngineKind::External { command, dir, .. } = &mut engine.kind {
            let is_path = command.value.contains(std::path::is_separator);
            for text in dir.iter_mut().chain(is_path.then_some(command)) {
                text.value = whole(Path::new(&text.value)).display().to_string();
            }
        }
    }
}
