//! `lmrlab suite`: solves test positions with policies side by side.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use lmrlab_engine::limits::Limits;
use lmrlab_policy::reference::PolicyReference;

use super::counts::print_json;
use super::lab_options::{SearchOptions, end_of, positions, stop_on_ctrl_c, tell_mined};
use super::page_option::PageOption;
use super::whole_number::count;
use crate::output_files::refuse_existing;
use crate::print::print_out;
use lmrlab_lab::suite::{TestPosition, answer_rows, answers, differences, overview, questions, results, time_rows};
use lmrlab_results::csv_file::write;
use lmrlab_results::failure::Failure;
use lmrlab_runner::game::limit::{MAX_DEPTH, MAX_NODES, MAX_TIME_MS};

/// Nodes of each search when no limit is given.
const DEFAULT_NODES: u64 = 100_000;

/// Solve test positions (WAC, Bratko-Kopec, STS ...) with policies side by side.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lmrlab suite positions/tactics.epd none mediocre-2007 --nodes 200000 --diff
  lmrlab suite wac.epd log.toml@divisor=2.0 log.toml --movetime 1000 --threads 1
  lmrlab suite sts.epd house --depth 10 --csv sts.csv

A position names best moves (`bm`), moves to avoid (`am`), or points of moves as the Strategic Test Suite does \
(`c0 \"Nf3=10, e4=7\"`). Moves are in SAN or in UCI notation. A search solves a position when its move is right at the limit; \
the solution counts from the end of the iteration from which its move stayed right. Every search starts from empty tables.

docs/files.md has the columns of --csv and --times. With --nodes or --depth the first file is the same on every machine and for any \
number of threads.")]
pub(crate) struct Arguments {
    /// The positions: EPD with `bm`, `am` or points in `c0`
    file: PathBuf,
    /// Policies: names in configs/policies or files, with overrides after `@`
    #[arg(required = true, value_name = "POLICY")]
    policies: Vec<PolicyReference>,
    #[command(flatten)]
    limit: LimitOptions,
    #[command(flatten)]
    search: SearchOptions,
    /// List the positions that each policy wins and loses against the first
    #[arg(long)]
    diff: bool,
    /// Write every answer to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write what depends on the clock to this file
    #[arg(long, value_name = "FILE")]
    times: Option<PathBuf>,
    /// Overwrite these files
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    page: PageOption,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// How far each position is searched.
#[derive(Debug, Args)]
#[group(multiple = false)]
struct LimitOptions {
    /// Nodes of each search [default: 100000, when no other limit is given]
    #[arg(long, value_name = "N", value_parser = count(1..=MAX_NODES))]
    nodes: Option<u64>,
    /// Plies of each search
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: Option<u32>,
    /// Milliseconds of each search
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=MAX_TIME_MS))]
    movetime: Option<u64>,
}

impl LimitOptions {
    fn limits(&self) -> Limits {
        if let Some(depth) = self.depth {
            Limits::depth(depth)
        } else if let Some(time) = self.movetime {
            Limits {
                move_time: Some(Duration::from_millis(time)),
                ..Limits::default()
            }
        } else {
            Limits::nodes(self.nodes.unwrap_or(DEFAULT_NODES))
        }
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    arguments.page.check(arguments.csv.as_deref(), "--csv")?;
    refuse_existing(
        [&arguments.csv, &arguments.times].into_iter().flatten(),
        arguments.force,
    )?;
    let variants = arguments.search.variants(&arguments.policies)?;
    let set = positions(Some(&arguments.file))?;
    let tests = questions(&set)?;
    tell_mined(&set);
    let workers = stop_on_ctrl_c(arguments.search.workers()?)?;
    let found = answers(&variants, &tests, &arguments.limit.limits(), &workers);
    let end = end_of(found.done.len(), tests.len());
    if found.done.is_empty() {
        return end;
    }
    let rows = found.results;
    let tests: Vec<TestPosition> = found.done.iter().map(|test| tests[*test].clone()).collect();
    let names: Vec<String> = variants.into_iter().map(|variant| variant.name).collect();
    if let Some(path) = &arguments.csv {
        write(path, answer_rows(&names, &tests, &rows))?;
    }
    if let Some(path) = &arguments.times {
        write(path, time_rows(&names, &tests, &rows))?;
    }
    arguments.page.write(arguments.csv.as_deref())?;
    let results = results(&names, &tests, &rows, arguments.diff);
    if arguments.json {
        return print_json(&results).and(end);
    }
    print_out(&overview(&results));
    if arguments.diff {
        print_out(&differences(&names, &tests, &rows));
    }
    end
}
