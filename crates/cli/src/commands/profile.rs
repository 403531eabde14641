//! `lmrlab profile`: where policies reduce, by how much, and with what result.

use std::fmt::Write as _;

use clap::Args;

use super::host_options::rates;
use super::lab_options::{FolderOptions, WatchOptions, Watched, end_of, share, stop_on_ctrl_c};
use crate::print::print_out;
use lmrlab_lab::host::{Shadow, TraceOptions};
use lmrlab_lab::profile::{
    Profile, ProfileOptions, Shown, facts_table, heat_map, kinds_table, profile, rules_table, totals_table, write_files,
};
use lmrlab_lab::variant::Variant;
use lmrlab_results::failure::Failure;

/// The share of the late moves that a host traces when the user gives none: with all moves, the traces would fill a
/// disk.
const HOST_RATE: f64 = 0.1;

/// The lines of the table by fact.
const FACTS: usize = 12;

/// Show where policies reduce, by how much, and how the reduced searches end.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lmrlab profile house --depth 10 --out results/profile-house

The columns: late moves, as far as they can be reduced; the share that was reduced, and by how many plies on average; \
reduced searches above alpha; moves searched again, and the share of them above alpha in the end; nodes of the reduced \
searches and of those after them; nodes saved, also as a share of the nodes of a search without reductions.

Saved nodes are an estimate. A reduced move that failed low saved the average cost of null-window searches to its full \
depth that failed low, less its own cost. A move that was searched again lost its reduced search. The estimate leaves out \
what a smaller tree does to move ordering and to the transposition table; `lmrlab bench none POLICY` measures the whole.

Totals, maps and nodes count every late move. With --rate 0.03, rules and facts are read for a sample of 3% only, and a long \
search is a little faster; then the tables by rule and by fact are estimates from that sample.

--out DIR gets totals.csv, moves.csv (by depth and move number, for heat maps), kinds.csv, rules.csv and facts.csv.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    watch: WatchOptions,
    /// Reads the rules and facts of this share of the late moves
    /// [default: 1; with --host 0.1]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    rate: Option<f64>,
    /// Seed of the sample
    #[arg(long, default_value_t = ProfileOptions::default().seed, conflicts_with = "host")]
    seed: u64,
    #[command(flatten)]
    out: FolderOptions,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    arguments.out.refuse()?;
    if arguments.watch.host.is_asked_for() {
        return run_traced(arguments);
    }
    let Watched {
        variants,
        positions,
        limit,
        workers,
        conditions,
    } = arguments.watch.watched()?;
    let options = ProfileOptions {
        rate: arguments.rate.unwrap_or(ProfileOptions::default().rate),
        seed: arguments.seed,
    };
    let workers = stop_on_ctrl_c(workers)?;
    let (profiles, searched) = profile(&variants, &positions, limit, &options, &workers);
    let end = end_of(searched, positions.len());
    if searched == 0 {
        return end;
    }
    if let Some(folder) = arguments.out.make()? {
        write_files(folder, &variants, &profiles)?;
    }
    print_out(&text(
        &format!("{searched} positions, {conditions}"),
        &variants,
        &profiles,
    ));
    arguments.out.write_page().and(end)
}

/// Runs the command on the traces of a host.
fn run_traced(arguments: &Arguments) -> Result<(), Failure> {
    let folder = arguments.out.make()?;
    let (traced, heading) = match arguments.watch.watched_host("lmrlab profile")? {
        None => (arguments.watch.host.traces()?, "traces".to_owned()),
        Some(host) => {
            let options = TraceOptions {
                rate: arguments.rate.unwrap_or(HOST_RATE),
                shadow: Shadow::None,
            };
            let traced = host.hosted.traces(&host.positions, host.limit, options, None, folder)?;
            (traced, format!("{} positions, {}", host.positions.len(), host.limit))
        }
    };
    let profiles: Vec<Profile> = (traced.iter())
        .map(|traced| traced.trace.profile(traced.policy(), traced.nodes))
        .collect();
    let variants: Vec<Variant> = traced.iter().map(|traced| traced.variant.clone()).collect();
    if let Some(folder) = folder {
        write_files(folder, &variants, &profiles)?;
    }
    let heading = format!(
        "{heading}; every count is of a sample of the late moves, rate {}",
        rates(&traced)
    );
    print_out(&text(&heading, &variants, &profiles));
    arguments.out.write_page()
}

/// The tables of profiles under a heading.
fn text(heading: &str, variants: &[Variant], profiles: &[Profile]) -> String {
    let mut text = format!("{heading}\n\n{}", totals_table(variants, profiles));
    for (variant, profile) in variants.iter().zip(profiles) {
        if profile.total().moves == 0 {
            let _ = write!(text, "\n{} reduces nothing.\n", variant.name);
            continue;
        }
        let _ = write!(
            text,
            "\n{name}: plies that a move lost on average, by depth (down) and move number\n{}\n\
             {name}: reduced searches that failed high\n{}\n{name} by node\n{}\n",
            heat_map(profile, Shown::Plies),
            heat_map(profile, Shown::FailedHigh),
            kinds_table(profile),
            name = variant.name,
        );
        if profile.sampled() == 0 {
            let _ = writeln!(
                text,
                "No rules or facts were read: the share of --rate sampled no move. Raise it."
            );
            continue;
        }
        let estimated = estimated(profile);
        if !variant.policy.rules().is_empty() {
            let rules = rules_table(variant, profile);
            let _ = write!(text, "{} by rule{estimated}\n{rules}\n", variant.name);
        }
        let (facts, left) = facts_table(profile, FACTS);
        let _ = write!(
            text,
            "{} by fact{estimated}: where reduced searches failed high most unlike all others\n{facts}",
            variant.name
        );
        if left > 0 {
            let _ = writeln!(text, "({left} more lines in facts.csv of --out DIR)");
        }
    }
    text
}

/// A note about the moves from which the tables by rule and by fact are estimated; empty when these are all late moves.
fn estimated(profile: &Profile) -> String {
    match (profile.sampled(), profile.total().moves) {
        (sampled, moves) if sampled == moves => String::new(),
        (sampled, moves) => {
            format!(", estimated from {sampled} of {moves} moves (--rate 1 reads all)")
        }
    }
}
