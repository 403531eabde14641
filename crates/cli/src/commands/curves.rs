//! `lmrlab audit --curves`: what the search of a late move would have cost and found with each reduction.

use std::path::{Path, PathBuf};

use clap::Args;

use super::host_options::{Traced, check_curves};
use super::lab_options::{WatchOptions, Watched, WatchedHost, end_of, stop_on_ctrl_c};
use super::whole_number::count;
use crate::output_files::{refuse_foreign, refuse_unwritable};
use crate::print::{print_err, print_out};
use lmrlab_lab::curves::{CurveOptions, collect, curve_table, write};
use lmrlab_lab::host::{Shadow, TraceOptions};
use lmrlab_results::failure::Failure;

/// Options of curves.
#[derive(Debug, Args)]
pub(super) struct CurveArguments {
    /// Write into this file, for each sampled move, what its search costs and finds with each reduction
    #[arg(long, value_name = "FILE", conflicts_with_all = ["rate", "judge", "resamples", "margin", "no_blame", "out"])]
    curves: Option<PathBuf>,
    /// How many moves get a curve, about
    #[arg(long, value_name = "N", default_value_t = 100_000, requires = "curves", conflicts_with = "trace", value_parser = count(1..=100_000_000))]
    moves: u64,
}

impl CurveArguments {
    /// The file, when the user asks for curves.
    pub(super) fn file(&self) -> Option<&Path> {
        self.curves.as_deref()
    }
}

/// Takes curves and writes them.
pub(super) fn run(
    file: &Path,
    arguments: &CurveArguments,
    watch: &WatchOptions,
    seed: u64,
    most_nodes: u64,
) -> Result<(), Failure> {
    refuse_foreign("--curves", file, "position,ply,depth,full_depth,", false)?;
    refuse_unwritable(file)?;
    if watch.host.is_asked_for() {
        return run_traced(file, arguments, watch);
    }
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

/// The shares of the late moves that a host traces to count them. The second one is for when the first one finds few
/// moves.
const COUNTING_RATES: [f64; 2] = [0.01, 1.0];

/// The least number of traced moves from which the number of all is estimated.
const ENOUGH: usize = 1_000;

/// Takes the curves of a host, or those of a trace, and writes them.
fn run_traced(file: &Path, arguments: &CurveArguments, watch: &WatchOptions) -> Result<(), Failure> {
    let (traced, names, heading) = match watch.watched_host("lmrlab audit")? {
        None => (watch.host.traces()?, Vec::new(), "trace".to_owned()),
        Some(host) => {
            let options = TraceOptions {
                rate: rate(&host, arguments.moves)?,
                shadow: Shadow::Curve,
            };
            let traced = host.hosted.traces(&host.positions, host.limit, options, None, None)?;
            let names: Vec<String> = host.positions.iter().map(|position| position.name.clone()).collect();
            (traced, names, host.limit.to_string())
        }
    };
    let traced = one(&traced)?;
    check_curves(&traced.variant.name, &traced.trace)?;
    let name_of = |index: usize| match names.get(index) {
        Some(name) => name.clone(),
        None => format!("#{}", index + 1),
    };
    let found = traced.trace.curves(name_of);
    if found.file.curves.is_empty() {
        return Err(Failure::input(
            format!("no sampled move of {} has a curve", traced.variant.name),
            "search deeper, or more positions; a move without a reduction and with a full depth of 0 has none",
        ));
    }
    write(file, &found.file)?;
    if let Some(difference) = &found.first_difference {
        print_err(&format!(
            "warning: {} of {} copies differ from the engine's own search: {difference}. Read lmr.reduction and lmr.late after lmr_shadow, \
             and let nothing but these distinguish a copy",
            found.different, found.compared
        ));
    }
    let of_searches = match traced.nodes {
        Some(nodes) => format!("{nodes} nodes of the searches, "),
        None => String::new(),
    };
    print_out(&format!(
        "{} positions, {heading}, {}, sampling rate {}\n{} curves of about {} moves, {} undecided; {} searches again, {} of them different\n\
         {of_searches}{} nodes of the curves\n\n{}",
        traced.positions,
        traced.variant.name,
        traced.trace.header.rate,
        found.file.curves.len(),
        traced.trace.population(),
        found.undecided,
        found.compared,
        found.different,
        found.shadow_nodes,
        curve_table(&found.file.curves),
    ));
    Ok(())
}

/// The only trace.
fn one(traced: &[Traced]) -> Result<&Traced, Failure> {
    match traced {
        [traced] => Ok(traced),
        several => Err(Failure::input(
            format!(
                "--curves takes the curves of one search, and {} are named",
                several.len()
            ),
            "take the curves of one policy or one trace, and let `lmrlab score` compare policies with them",
        )),
    }
}

/// The share of late moves that gives about the wanted number of curves. To count the moves, the host searches without
/// shadow searches first.
fn rate(host: &WatchedHost, moves: u64) -> Result<f64, Failure> {
    let mut expected = 0.0;
    for rate in COUNTING_RATES {
        let options = TraceOptions {
            rate,
            shadow: Shadow::None,
        };
        let traced = host
            .hosted
            .unchecked_traces(&host.positions, host.limit, options, None, None)?;
        let trace = &one(&traced)?.trace;
        expected = trace.expected_curves();
        if trace.moves.len() >= ENOUGH {
            break;
        }
    }
    let rate = (moves as f64 / expected.max(1.0)).min(1.0);
    // Three digits are enough, and easy to type.
    Ok(format!("{rate:.2e}").parse().unwrap_or(rate))
}
