//! The options that many commands take, each declared once. commands/taken.rs says which command takes which.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{ArgMatches, Args, value_parser};
use lmrlab_runner::tournament::defaults::{DEFAULT_HASH_MIB, DEFAULT_PRESET, MAX_HASH_MIB, MAX_THREADS};
use lmrlab_runner::tournament::faults_allowed::FaultsAllowed;

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
    /// Play each part of the run with a command, such as `srun -n1 -c1 lmrlab resume {folder}`, as many at a time as
    /// `--threads` says; or a file with the command and its hosts. docs/many-machines.md explains them [default: here, in this
    /// process; `resume`: as the run began]
    #[arg(long, value_name = "COMMAND|FILE")]
    pub(crate) executor: Option<String>,
    /// Start the engines and the executor that the folder names, even if you have begun no run with them on this machine
    #[arg(long)]
    pub(crate) trust: bool,
    /// The search around the policies: a name in configs/engines or a file, with overrides after `@` [default: standard]
    #[arg(long, value_name = "PRESET")]
    pub(crate) preset: Option<String>,
    /// Transposition table of each engine or search, in MiB [default: 16]
    #[arg(long, value_name = "MIB", value_parser = value_parser!(u32).range(1..=i64::from(MAX_HASH_MIB)))]
    pub(crate) hash: Option<u32>,
    /// Write the events of a tournament to standard output as JSON lines, and nothing else
    #[arg(long)]
    pub(crate) json_lines: bool,
    /// Write all lines to and from engines that are programs into FILE, each with time, engine, game and direction. A log that
    /// is there is continued, and another file is refused
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
    /// Stop with an error when an engine has lost N games in a row by crash, stall or illegal move. `crashes:N`: illegal moves
    /// do not count; `inf`: play on [default: 5, or as the file or the run says]
    #[arg(long, value_name = "N|crashes:N|inf")]
    pub(crate) faults_allowed: Option<FaultsAllowed>,
}

impl Options {
    /// What was given of them.
    pub(crate) fn of(matches: &ArgMatches) -> Self {
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
            json_lines: is_given("json_lines"),
            log: value(matches, "log"),
            faults_allowed: value(matches, "faults_allowed"),
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
