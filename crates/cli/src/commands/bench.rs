//! `lmrlab bench`: what policies do to the size and the shape of trees.

use clap::Args;

use super::shared::hosted::Hosted;
use super::shared::lab_options::{Observed, ObservedOptions, Watched, end_of};
use crate::frame::{Found, Frame};
use lmrlab_diagnostics::failure::Failure;
use lmrlab_lab::bench::{BenchTables, bench};
use lmrlab_lab::positions::LabPosition;
use lmrlab_policy::reference::PolicyReference;

/// Search positions with several policies and compare nodes, times and the shape of the trees.
///
/// Example:
///   lmrlab bench none mediocre-2007 house --depth 10 --out results/bench
///
/// `Ratio` is relative to the first policy; `By position` is the geometric mean of that ratio over the positions, with
/// its 95% interval. EBF, the effective branching factor, is the nodes of an iteration divided by those of the
/// iteration before; the table shows the geometric mean over all iterations. Times are those of observed searches. Use
/// --threads 1 on an idle machine to compare them. After Ctrl-C, the results are of the positions that every policy has
/// finished.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Arguments {
    /// Policies: names in configs/policies or files, with overrides after `@`
    #[arg(required = true, value_name = "POLICY")]
    policies: Vec<PolicyReference>,
    #[command(flatten)]
    observed: ObservedOptions,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    frame.outcome("bench", || {
        match (arguments.observed).observed("lmrlab bench", &arguments.policies, &frame.options)? {
            Observed::Own(watched) => Ok(searched(&watched)),
            Observed::Host(host) => hosted(&host),
            Observed::Traces(_) => Err(Failure::input("traces have no trees", "name policies")),
        }
    })
}

/// Searches in the project's own engine.
fn searched(watched: &Watched) -> Found {
    let (variants, positions) = (&watched.variants, &watched.positions);
    let found = bench(variants, positions, watched.limit, &watched.workers);
    let searched: Vec<LabPosition> = found.done.iter().map(|&done| positions[done].clone()).collect();
    let conditions = format!("{} positions, {}", searched.len(), watched.conditions);
    let tables = BenchTables::of(variants, &searched, &found.results);
    Found {
        outcome: (!searched.is_empty()).then(|| tables.outcome(&conditions)),
        end: end_of(searched.len(), positions.len()),
    }
}

/// Lets a host search.
fn hosted(host: &Hosted) -> Result<Found, Failure> {
    let searches = host.searches()?;
    let conditions = format!(
        "{} positions, {}; nodes and times as the engine reports them",
        host.positions.len(),
        host.limit
    );
    Ok(BenchTables::of_host(&host.positions, &searches)
        .outcome(&conditions)
        .into())
}
