//! `lmrlab compare`: runs side by side.

use std::path::PathBuf;

use clap::Args;

use crate::frame::Frame;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_runner::comparison::ComparisonTables;

/// Compare runs: their descriptions, and the results of the same engines.
///
/// Examples:
///   lmrlab compare results/at-3000-nodes results/at-20000-nodes
///   lmrlab compare results/before results/after --out results/difference --report
///
/// Each run is named by the end of its folder's path, and by its own name. Engines are the same when their names are.
/// When the runs have only one engine in common, its opponents are compared by their games with it: two variants
/// against one base. Elo is that of the games of the two engines alone, as in crosstable.csv. The error of a difference
/// takes the runs as independent. Runs with the same openings are not quite that, and their true error may be smaller.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Arguments {
    /// Folders of runs, two or more
    #[arg(required = true, num_args = 2.., value_name = "DIR")]
    runs: Vec<PathBuf>,
}

/// Compares runs.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    let compared = || {
        let tables = ComparisonTables::of(&arguments.runs)?;
        Ok(tables.outcome(&format!("{} runs", arguments.runs.len())).into())
    };
    frame.outcome("compare", compared)
}
