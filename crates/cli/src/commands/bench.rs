//! `lmrlab bench`: what policies do to the size and the shape of trees.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::counts::print_json;
use super::host_options::HostOption;
use super::lab_options::{ObservedOptions, Watched, WatchedHost, end_of, stop_on_ctrl_c};
use super::page_option::PageOption;
use crate::output_files::refuse_existing;
use crate::print::print_out;
use lmrlab_lab::bench::{Summary, bench, iteration_rows, rows, summarize, time_rows};
use lmrlab_lab::host::Searched;
use lmrlab_lab::positions::LabPosition;
use lmrlab_policy::reference::PolicyReference;
use lmrlab_results::csv_file::write;
use lmrlab_results::failure::Failure;
use lmrlab_results::number_text::{percent, unsigned};
use lmrlab_runner::text_table::TextTable;
use lmrlab_stats::geometric_mean;

/// Search positions with several policies and compare nodes, times and the shape of the trees.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lmrlab bench none mediocre-2007 house --depth 10 --csv bench.csv

`ratio` is relative to the first policy; `by position` is the geometric mean of that ratio over the positions. EBF, the \
effective branching factor, is the nodes of an iteration divided by those of the iteration before; the table shows the \
geometric mean over all iterations. Times are those of observed searches. Use --threads 1 on an idle machine to compare them. \
After Ctrl-C, the results are of the positions that every policy has finished.")]
pub(crate) struct Arguments {
    /// Policies: names in configs/policies or files, with overrides after `@`
    #[arg(required = true, value_name = "POLICY")]
    policies: Vec<PolicyReference>,
    #[command(flatten)]
    host: HostOption,
    #[command(flatten)]
    observed: ObservedOptions,
    /// Write a line for each policy and position; nothing in it depends on the clock
    #[arg(long, value_name = "FILE", conflicts_with = "host")]
    csv: Option<PathBuf>,
    /// Write a line for each policy and iteration
    #[arg(long, value_name = "FILE", conflicts_with = "host")]
    iterations: Option<PathBuf>,
    /// Write the time of each search
    #[arg(long, value_name = "FILE", conflicts_with = "host")]
    times: Option<PathBuf>,
    /// Overwrite files that exist
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    page: PageOption,
    /// Print JSON instead of tables
    #[arg(long, conflicts_with = "host")]
    json: bool,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let files = [&arguments.csv, &arguments.iterations, &arguments.times];
    let shown = arguments.csv.as_deref().or(arguments.iterations.as_deref());
    arguments.page.check(shown, "--csv or --iterations")?;
    refuse_existing(files.into_iter().flatten(), arguments.force)?;
    if let Some(host) = (arguments.observed).watched_host("lmrlab bench", &arguments.host, &arguments.policies)? {
        return bench_host(&host);
    }
    let Watched {
        variants,
        positions,
        limit,
        workers,
        conditions,
    } = arguments.observed.watched(&arguments.policies)?;
    let workers = stop_on_ctrl_c(workers)?;
    let found = bench(&variants, &positions, limit, &workers);
    let end = end_of(found.done.len(), positions.len());
    if found.done.is_empty() {
        return end;
    }
    let benched = found.results;
    let positions: Vec<LabPosition> = found.done.iter().map(|&done| positions[done].clone()).collect();
    let summaries = summarize(&variants, &benched);
    if let Some(file) = &arguments.csv {
        write(file, rows(&variants, &positions, &benched))?;
    }
    if let Some(file) = &arguments.iterations {
        write(file, iteration_rows(&summaries))?;
    }
    if let Some(file) = &arguments.times {
        write(file, time_rows(&variants, &positions, &benched))?;
    }
    arguments.page.write(shown)?;
    if arguments.json {
        return print_json(&summaries).and(end);
    }
    print_out(&format!(
        "{} positions, {conditions}\n\n{}\nEffective branching factor by iteration\n{}",
        positions.len(),
        table(&summaries),
        factors(&summaries)
    ));
    end
}

/// Prints the nodes and times that a host reports.
fn bench_host(host: &WatchedHost) -> Result<(), Failure> {
    let searches = host.hosted.searches(&host.positions, host.limit)?;
    let mut table = TextTable::new(1, ["policy", "nodes", "ratio", "by position", "time ms", "ratio"]);
    let nodes = |searched: &[Searched]| searched.iter().map(|searched| searched.nodes).sum::<u64>();
    let milliseconds = |searched: &[Searched]| {
        searched
            .iter()
            .map(|searched| searched.time)
            .sum::<Duration>()
            .as_secs_f64()
            * 1e3
    };
    let first = searches.first().map_or(&[][..], |(_, first)| first);
    for (name, searched) in &searches {
        let share = |of: f64, among: f64| Some(of / among).filter(|share| share.is_finite());
        let pairs = searched.iter().zip(first);
        let ratios: Option<Vec<f64>> = pairs
            .map(|(one, of)| share(one.nodes as f64, of.nodes as f64))
            .collect();
        let mean = ratios.and_then(geometric_mean);
        table.push([
            (*name).to_owned(),
            nodes(searched).to_string(),
            unsigned(share(nodes(searched) as f64, nodes(first) as f64), 3),
            unsigned(mean, 3),
            unsigned(Some(milliseconds(searched)), 0),
            unsigned(share(milliseconds(searched), milliseconds(first)), 3),
        ]);
    }
    print_out(&format!(
        "{} positions, {}; nodes and times as the engine reports them\n\n{table}",
        host.positions.len(),
        host.limit
    ));
    Ok(())
}

fn table(summaries: &[Summary]) -> TextTable {
    let mut table = TextTable::new(
        1,
        [
            "policy",
            "nodes",
            "ratio",
            "by position",
            "time ms",
            "ratio",
            "knps",
            "depth",
            "EBF",
            "first-move cutoffs",
            "cutoff move",
            "null-move cutoffs",
            "quiescence",
        ],
    );
    for summary in summaries {
        table.push([
            summary.policy.clone(),
            summary.nodes.to_string(),
            unsigned(summary.nodes_ratio, 3),
            unsigned(summary.nodes_ratio_geometric_mean, 3),
            unsigned(Some(summary.time_ms), 0),
            unsigned(summary.time_ratio, 3),
            unsigned(Some(summary.nodes_per_second / 1e3), 0),
            unsigned(Some(summary.mean_depth), 1),
            unsigned(summary.effective_branching_factor, 3),
            percent(summary.first_move_cutoff_rate),
            unsigned(summary.mean_cutoff_move, 3),
            percent(summary.null_move_cutoff_rate),
            percent(summary.quiescence_share),
        ]);
    }
    table
}

fn factors(summaries: &[Summary]) -> TextTable {
    let deepest = summaries.iter().map(|summary| summary.iterations.len()).max();
    let depths = 2..=deepest.unwrap_or(0);
    let headings = std::iter::once("policy".to_owned()).chain(depths.clone().map(|d| d.to_string()));
    let mut table = TextTable::new(1, headings);
    for summary in summaries {
        let factor = |depth: usize| {
            let iteration = summary.iterations.get(depth - 1);
            unsigned(iteration.and_then(|i| i.effective_branching_factor), 2)
        };
        table.push(std::iter::once(summary.policy.clone()).chain(depths.clone().map(factor)));
    }
    table
}
