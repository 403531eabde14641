//! `lmrlab compare`: runs side by side.

use std::path::PathBuf;

use clap::Args;

use crate::output_files::refuse_existing;
use crate::pages;
use crate::print::print_out;
use lmrlab_report::comparison::RunComparison;
use lmrlab_results::failure::Failure;
use lmrlab_results::output_file;

/// Compare runs: their descriptions, and the results of the same engines.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lmrlab compare results/at-3000-nodes results/at-20000-nodes
  lmrlab compare results/before results/after --csv difference.csv --report difference.html

Each run is named by the end of its folder's path, and by its own name. Engines are the same when their names are. When the \
runs have only one engine in common, its opponents are compared by their games with it: two variants against one base. Elo is that of the games of the two engines alone, as in crosstable.csv. The \
error of a difference takes the runs as independent. Runs with the same openings are not quite that, and their true error may \
be smaller.")]
pub(crate) struct Arguments {
    /// Folders of runs, two or more
    #[arg(required = true, num_args = 2.., value_name = "DIR")]
    runs: Vec<PathBuf>,
    /// Write the pairings as CSV, a line for each pairing and run
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write a page with pictures
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Overwrite files that exist
    #[arg(long)]
    force: bool,
}

/// Compares runs.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    refuse_existing(arguments.csv.iter().chain(&arguments.report), arguments.force)?;
    let comparison = RunComparison::of(&arguments.runs)?;
    if let Some(file) = &arguments.csv {
        let mut csv = csv::Writer::from_writer(Vec::new());
        let written = comparison.csv().iter().try_for_each(|line| csv.write_record(line));
        written
            .and_then(|()| Ok(csv.flush()?))
            .map_err(|error| Failure::write(file, &error.into()))?;
        output_file::write(file, csv.get_ref())?;
    }
    if let Some(file) = &arguments.report {
        pages::write(&comparison.page(), file)?;
    }
    print_out(&comparison.text());
    Ok(())
}
