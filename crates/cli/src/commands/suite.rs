//! `lmrlab suite`: solves test positions with policies side by side.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use lmrlab_engine::limits::Limits;
use lmrlab_policy::reference::PolicyReference;

use super::shared::lab_options::{end_of, positions, tell_mined, variants, workers};
use super::shared::whole_number::count;
use crate::frame::{Found, Frame};
use lmrlab_diagnostics::failure::Failure;
use lmrlab_lab::suite::{SuiteTables, answers, questions};
use lmrlab_runner::game::limit::{MAX_DEPTH, MAX_NODES, MAX_TIME_MS};

/// Nodes of each search when no limit is given.
const SUITE_NODES: u64 = 100_000;

/// Solve test positions (WAC, Bratko-Kopec, STS ...) with policies side by side.
///
/// Examples:
///   lmrlab suite positions/tactics.epd none mediocre-2007 --nodes 200000
///   lmrlab suite wac.epd log.toml@divisor=2.0 log.toml --movetime 1000 --threads 1
///   lmrlab suite sts.epd house --depth 10 --out results/sts
///
/// A position names best moves (`bm`), moves to avoid (`am`), or points of moves as the Strategic Test Suite does (`c0
/// "Nf3=10, e4=7"`). Moves are in SAN or in UCI notation. A search solves a position when its move is right at the
/// limit; the solution counts from the end of the iteration from which its move stayed right. Every search starts from
/// empty tables.
///
/// With --nodes or --depth, answers.csv of --out DIR is the same on every machine and for any number of threads.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Arguments {
    /// The positions: EPD with `bm`, `am` or points in `c0`
    file: PathBuf,
    /// Policies: names in configs/policies or files, with overrides after `@`
    #[arg(required = true, value_name = "POLICY")]
    policies: Vec<PolicyReference>,
    #[command(flatten)]
    limit: LimitOptions,
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
    /// The limit of a search, and how conditions say it.
    fn limits(&self) -> (Limits, String) {
        if let Some(depth) = self.depth {
            (Limits::depth(depth), format!("depth {depth}"))
        } else if let Some(time) = self.movetime {
            let limits = Limits {
                move_time: Some(Duration::from_millis(time)),
                ..Limits::default()
            };
            (limits, format!("{time} ms a position"))
        } else {
            let nodes = self.nodes.unwrap_or(SUITE_NODES);
            (Limits::nodes(nodes), format!("{nodes} nodes a position"))
        }
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    let options = &frame.options;
    frame.outcome("suite", || {
        let variants = variants(options, &arguments.policies)?;
        let set = positions(Some(&arguments.file))?;
        let tests = questions(&set)?;
        tell_mined(&set);
        let (limits, limit) = arguments.limit.limits();
        let found = answers(&variants, &tests, &limits, &workers(options)?);
        let end = end_of(found.done.len(), tests.len());
        let conditions = format!("{} positions, {limit}, preset {}", found.done.len(), options.preset());
        let is_any = !found.done.is_empty();
        let tables = SuiteTables::of(found.results);
        Ok(Found {
            outcome: is_any.then(|| tables.outcome(&conditions)),
            end,
        })
    })
}
