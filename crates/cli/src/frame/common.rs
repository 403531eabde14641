//! The options that many commands take. Each is declared once, in [`Options`]; a line of [`TAKES`] names those that a command
//! takes. The help lists them once, in `lmrlab --help`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Arg, ArgMatches, Args, Command, value_parser};
use lmrlab_runner::tournament::defaults::{DEFAULT_HASH_MIB, DEFAULT_PRESET, MAX_HASH_MIB, MAX_THREADS};

use crate::commands::adjudication_options::AdjudicationOptions;

/// The common options that a command was given.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Options {
    /// Where the results go: a folder, or of a command that makes one file this file
    #[arg(long, value_name = "DIR|FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Write over a file, into a folder that is not empty, or in the place of an earlier run
    #[arg(long)]
    pub(crate) force: bool,
    /// Write report.html, a page with pictures, into the folder; that of a run is updated while it plays
    #[arg(long)]
    pub(crate) report: bool,
    /// Print the tables as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Show no progress, only the result
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Games or searches at the same time [default: as the file or the run says, or as many as there are processors]
    #[arg(long, visible_alias = "concurrency", value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Play on other machines, or in other processes: `local:4`, `slurm`, `hosts=.. command=..`, or a file of settings;
    /// docs/many-machines.md explains them [default: here, in this process; `resume`: as the run began]
    #[arg(long, value_name = "X")]
    pub(crate) executor: Option<String>,
    /// Start the engines and the executor that the folder names, even if you have begun no run with them on this machine
    #[arg(long)]
    pub(crate) trust: bool,
    /// The search around the policies: a name in configs/engines or a file, with overrides after `@` [default: standard]
    #[arg(long, value_name = "PRESET")]
    preset: Option<String>,
    /// Transposition table of each engine or search, in MiB [default: 16]
    #[arg(long, value_name = "MIB", value_parser = value_parser!(u32).range(1..=i64::from(MAX_HASH_MIB)))]
    hash: Option<u32>,
}

/// The options of commands that write an outcome.
const FOUND: &str = "out=DIR force report json";
/// The options of commands that search.
const SEARCHED: &str = "preset hash threads quiet";
/// The options of commands that play a run.
const PLAYED: &str = "out=DIR force report quiet threads executor";
/// The options of commands that make a file.
const MADE: &str = "out=FILE force";

/// The common options of each command. A word is the name of an option, and what its value is where commands differ; an
/// option with `!` must be given.
const TAKES: [(&str, &[&str]); 29] = [
    ("match", &[PLAYED, "preset hash"]),
    ("fastchess", &["out=DIR force"]),
    ("run", &[PLAYED]),
    ("resume", &["report quiet threads executor trust"]),
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
pub(super) fn all() -> impl Iterator<Item = Arg> {
    let command = AdjudicationOptions::augment_args(Options::augment_args(Command::new("")));
    command.get_arguments().cloned().collect::<Vec<_>>().into_iter()
}

/// The command `path`, and those below it, with the common options that they take.
pub(super) fn with_common(mut command: Command, path: &str) -> Command {
    let names: Vec<String> = command
        .get_subcommands()
        .map(|below| below.get_name().to_owned())
        .collect();
    for name in names {
        let path = format!("{path} {name}");
        command = command.mut_subcommand(name, |below| with_common(below, path.trim_start()));
    }
    let taken = TAKES.iter().filter(|(of, _)| *of == path).flat_map(|(_, words)| *words);
    for word in taken.flat_map(|words| words.split(' ')) {
        let (name, value) = word.trim_end_matches('!').split_once('=').unwrap_or((word, ""));
        let option = all().find(|option| option.get_id() == name);
        command = command.args(option.map(|option| match value {
            "" => option,
            value => option.value_name(value).required(word.ends_with('!')),
        }));
    }
    command
}

impl Options {
    /// What was given of them.
    pub(super) fn of(matches: &ArgMatches) -> Self {
        fn value<T: Clone + Send + Sync + 'static>(matches: &ArgMatches, name: &str) -> Option<T> {
            matches.try_get_one(name).ok().flatten().cloned()
        }
        let is_given = |name| value(matches, name).unwrap_or(false);
        Self {
            out: value(matches, "out"),
            force: is_given("force"),
            report: is_given("report"),
            json: is_given("json"),
            quiet: is_given("quiet"),
            threads: value(matches, "threads"),
            executor: value(matches, "executor"),
            trust: is_given("trust"),
            preset: value(matches, "preset"),
            hash: value(matches, "hash"),
        }
    }

    /// The search around the policies.
    pub(crate) fn preset(&self) -> &str {
        self.preset.as_deref().unwrap_or(DEFAULT_PRESET)
    }

    /// The transposition table of each engine or search.
    pub(crate) fn hash_mib(&self) -> u32 {
        self.hash.unwrap_or(DEFAULT_HASH_MIB)
    }
}

/// Reads the value of `--threads`.
fn threads(text: &str) -> Result<NonZeroUsize, String> {
    text.parse::<NonZeroUsize>()
        .ok()
        .filter(|threads| threads.get() as u64 <= MAX_THREADS)
        .ok_or_else(|| format!("a number from 1 to {MAX_THREADS} is needed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_and_options_are_there() {
        let options: Vec<Arg> = all().collect();
        for (path, words) in TAKES {
            let whole = crate::frame::help::shown();
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
