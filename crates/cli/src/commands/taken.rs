//! The common options of each command. The help lists them once, in `lmrlab --help`.

use clap::{Arg, Args, Command};

use super::shared::adjudication_options::AdjudicationOptions;
use crate::frame::Options;

/// The options of commands that write an outcome.
const FOUND: &str = "out=DIR force report json";
/// The options of commands that search.
const SEARCHED: &str = "preset hash threads quiet";
/// The options of commands that play a run.
const PLAYED: &str = "out=DIR force report quiet threads executor";
/// The options of commands that play a tournament.
const TOURNAMENT: &str = "json_lines log faults_allowed";
/// The options of commands that make a file.
const MADE: &str = "out=FILE force";

/// The common options of each command. A word is the name of an option, and what its value is where commands differ; an
/// option with `!` must be given.
const TAKES: [(&str, &[&str]); 29] = [
    ("match", &[PLAYED, TOURNAMENT, "preset hash"]),
    ("fastchess", &["out=DIR force"]),
    ("run", &[PLAYED, TOURNAMENT]),
    ("resume", &["report quiet threads executor trust", TOURNAMENT]),
    ("merge", &["out=DIR! force"]),
    ("show", &["json"]),
    ("report", &["out=FILE"]),
    ("compare", &[FOUND]),
    ("index", &["out=FILE"]),
    ("policy show", &[FOUND]),
    ("policy export", &[MADE]),
    ("policy compile", &[MADE]),
    ("host header", &[MADE]),
    ("host check", &[FOUND]),
    ("explain", &[FOUND, "preset"]),
    ("bench", &[FOUND, SEARCHED]),
    ("profile", &[FOUND, SEARCHED]),
    ("audit", &[FOUND, SEARCHED]),
    ("suite", &[FOUND, SEARCHED]),
    ("idea list", &[FOUND]),
    ("idea show", &[FOUND]),
    ("ablate", &[FOUND, SEARCHED]),
    ("sweep", &[FOUND, SEARCHED]),
    ("trial", &[PLAYED, "preset hash"]),
    ("tune", &[PLAYED]),
    ("sprt", &[FOUND]),
    ("sprt plan", &[FOUND]),
    ("rate", &[FOUND]),
    ("openings make", &["out=FILE! force quiet threads preset"]),
];

/// All of them, in the order in which the help lists them.
pub(super) fn all() -> Vec<Arg> {
    let command = AdjudicationOptions::augment_args(Options::augment_args(Command::new("")));
    command.get_arguments().cloned().collect()
}

/// All commands, with the common options that they take.
pub(super) fn with_common(command: Command) -> Command {
    taking(command, "", &all())
}

/// The command `path`, and those below it.
fn taking(mut command: Command, path: &str, options: &[Arg]) -> Command {
    for below in command.get_subcommands_mut() {
        let path = format!("{path} {}", below.get_name());
        *below = taking(std::mem::take(below), path.trim_start(), options);
    }
    let taken = TAKES.iter().filter(|(of, _)| *of == path).flat_map(|(_, words)| *words);
    for word in taken.flat_map(|words| words.split(' ')) {
        let (name, value) = word.trim_end_matches('!').split_once('=').unwrap_or((word, ""));
        let option = options.iter().find(|option| option.get_id() == name).cloned();
        command = command.args(option.map(|option| match value {
            "" => option,
            value => option.value_name(value).required(word.ends_with('!')),
        }));
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_and_options_are_there() {
        let options = all();
        for (path, words) in TAKES {
            let whole = super::super::help::shown();
            let found = path
                .split(' ')
                .try_fold(&whole, |command, name| command.find_subcommand(name));
            assert!(found.is_some(), "{path}");
            for word in words.iter().flat_map(|words| words.split(' ')) {
                let name = word.split(['=', '!']).next().unwrap();
                assert!(options.iter().any(|option| option.get_id() == name), "{path}: {word}");
            }
        }
    }
}
