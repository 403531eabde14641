//! `lmrlab audit --curves`: what the search of a late move would have cost and found with each reduction.

use std::path::{Path, PathBuf};

use clap::Args;

use super::lab_options::{WatchOptions, Watched, end_of, stop_on_ctrl_c};
use super::whole_number::count;
use crate::output_files::{refuse_foreign, refuse_unwritable};
use crate::print::print_out;
use lmrlab_lab::curves::{CurveOptions, collect, curve_table, write};
use lmrlab_runner::failure::Failure;

/// Options of curves.
#[derive(Debug, Args)]
pub(super) struct CurveArguments {
    /// Write into this file, for each sampled move, what its search costs and finds with each reduction
    #[arg(long, value_name = "FILE", conflicts_with_all = ["trace", "rate", "min_depth", "judge", "raise", "resamples", "margin", "no_blame", "out"])]
    curves: Option<PathBuf>,
    /// How many moves get a curve, about
    #[arg(long, value_name = "N", default_value_t = 100_000, requires = "curves", value_parser = count(1..=100_000_000))]
    moves: u64,
}

impl CurveArguments {
    /// The file, when curves are asked for.
    pub(super) fn file(&self) -> Option<&Path> {
        self.curves.as_deref()
    }
}

/// Takes curves and writes them.
///
/// # Errors
/// When the input is wrong or the file cannot be written.
pub(super) fn run(
    file: &Path,
    arguments: &CurveArguments,
    watch: &WatchOptions,
    seed: u64,
    most_nodes: u64,
) -> Result<(), Failure> {
    refuse_foreign("--curves", file, "position,ply,depth,full_depth,", false)?;
    refuse_unwritable(file)?;
    let Watched {
        variants,
        positions,
        limit,
        workers,
        conditions,
    } = watch.watched()?;
    let [variant] = variants.as_slice() else {
        return Err(Failure::input(
            format!("--curves takes one policy, and {} are named", variants.len()),
            "take the curves of one search, and let `lmrlab score` compare policies with them",
        ));
    };
    let workers = stop_on_ctrl_c(workers)?;
    let options = CurveOptions {
        moves: arguments.moves,
        seed,
        most_nodes,
    };
    let collected = collect(variant, &positions, limit, options, &workers)?;
    let end = end_of(collected.positions, positions.len());
    if collected.positions == 0 {
        return end;
    }
    write(file, &collected.file)?;
    print_out(&format!(
        "{} positions, {conditions}, policy {}\n{} curves of {} moves, {} undecided; {} searches again, 0 of them different\n\
         {} nodes of the searches, {} of the curves\n\n{}",
        collected.positions,
        variant.name,
        collected.file.curves.len(),
        collected.population,
        collected.undecided,
        collected.compared,
        collected.nodes,
        collected.shadow_nodes,
        curve_table(&collected.file.curves),
    ));
    end
}
