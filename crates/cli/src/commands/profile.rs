//! `lmrlab profile`: where policies reduce, by how much, and with what result.

use std::fmt::Write as _;

use clap::Args;

use super::host_options::rates;
use super::lab_options::{WatchOptions, Watched, end_of, share, stop_on_ctrl_c};
use crate::frame::{Found, Frame};
use lmrlab_lab::host::{Shadow, TraceOptions};
use lmrlab_lab::profile::{Profile, ProfileOptions, ProfileTables, profile};
use lmrlab_lab::variant::Variant;
use lmrlab_results::failure::Failure;

/// The share of the late moves that a host traces when the user gives none: with all moves, the traces would fill a
/// disk.
const HOST_RATE: f64 = 0.1;

/// Show where policies reduce, by how much, and how the reduced searches end.
///
/// Example:
///   lmrlab profile house --depth 10 --out results/profile-house
///
/// The columns: late moves, as far as they can be reduced; the share that was reduced, and by how many plies on
/// average; reduced searches above alpha; moves searched again, and the share of them above alpha in the end; nodes of
/// the reduced searches and of those after them; nodes saved, also as a share of the nodes of a search without
/// reductions.
///
/// Saved nodes are an estimate. A reduced move that failed low saved the average cost of null-window searches to its
/// full depth that failed low, less its own cost. A move that was searched again lost its reduced search. The estimate
/// leaves out what a smaller tree does to move ordering and to the transposition table; `lmrlab bench none POLICY`
/// measures the whole.
///
/// Totals, maps and nodes count every late move. With --rate 0.03, rules and facts are read for a sample of 3% only,
/// and a long search is a little faster; then the tables by rule and by fact are estimates from that sample.
///
/// --out DIR gets totals.csv, moves.csv (by depth and move number, for heat maps), kinds.csv, rules.csv and facts.csv.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
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
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    frame.outcome("profile", || match arguments.watch.host.is_asked_for() {
        true => traced(arguments, frame),
        false => searched(arguments, frame),
    })
}

/// Profiles searches of the project's own engine.
fn searched(arguments: &Arguments, frame: &Frame) -> Result<Found, Failure> {
    let Watched {
        variants,
        positions,
        limit,
        workers,
        conditions,
    } = arguments.watch.watched(&frame.options)?;
    let default = ProfileOptions::default();
    let options = ProfileOptions {
        rate: arguments.rate.unwrap_or(default.rate),
        seed: arguments.seed,
    };
    let workers = stop_on_ctrl_c(workers)?;
    let (profiles, searched) = profile(&variants, &positions, limit, &options, &workers);
    let mut conditions = format!("{searched} positions, {conditions}");
    if options.rate < 1.0 {
        let _ = write!(
            conditions,
            "; rules and facts are estimated from a sample of the late moves, rate {}",
            options.rate
        );
    }
    let outcome = (searched > 0).then(|| ProfileTables::of(&variants, &profiles).outcome(&conditions));
    Ok(Found {
        outcome,
        end: end_of(searched, positions.len()),
    })
}

/// Profiles the traces of a host.
fn traced(arguments: &Arguments, frame: &Frame) -> Result<Found, Failure> {
    let (traced, conditions) = match arguments.watch.watched_host("lmrlab profile", &frame.options)? {
        None => (arguments.watch.host.traces()?, "traces".to_owned()),
        Some(host) => {
            let options = TraceOptions {
                rate: arguments.rate.unwrap_or(HOST_RATE),
                shadow: Shadow::None,
            };
            let folder = frame.folder()?;
            let traced = host.hosted.traces(&host.positions, host.limit, options, None, folder)?;
            (traced, format!("{} positions, {}", host.positions.len(), host.limit))
        }
    };
    let profiles: Vec<Profile> = (traced.iter())
        .map(|traced| traced.trace.profile(traced.policy(), traced.nodes))
        .collect();
    let variants: Vec<Variant> = traced.iter().map(|traced| traced.variant.clone()).collect();
    let conditions = format!(
        "{conditions}; every count is of a sample of the late moves, rate {}",
        rates(&traced)
    );
    Ok(ProfileTables::of(&variants, &profiles).outcome(&conditions).into())
}
