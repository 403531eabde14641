//! `lmrlab profile`: where policies reduce, by how much, and with what result.

use clap::Args;

use super::shared::hosted::rates;
use super::shared::lab_options::{Observed, WatchOptions, Watched, end_of, share};
use crate::frame::{Found, Frame};
use lmrlab_diagnostics::failure::Failure;
use lmrlab_lab::host::{HostTrace, Shadow, TraceOptions};
use lmrlab_lab::profile::{Profile, ProfileOptions, ProfileTables, profile};
use lmrlab_lab::variant::Variant;

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
    frame.outcome("profile", || {
        match arguments.watch.observed("lmrlab profile", &frame.options)? {
            Observed::Own(watched) => Ok(searched(arguments, &watched)),
            Observed::Host(host) => {
                let options = TraceOptions {
                    rate: arguments.rate.unwrap_or(HOST_RATE),
                    shadow: Shadow::None,
                };
                let traces = host.traces(options, frame.folder()?)?;
                Ok(traced(
                    &traces,
                    &format!("{} positions, {}", host.positions.len(), host.limit),
                ))
            }
            Observed::Traces(traces) => Ok(traced(&traces, "traces")),
        }
    })
}

/// Profiles searches of the project's own engine.
fn searched(arguments: &Arguments, watched: &Watched) -> Found {
    let (variants, positions) = (&watched.variants, &watched.positions);
    let options = ProfileOptions {
        rate: arguments.rate.unwrap_or(ProfileOptions::default().rate),
        seed: arguments.seed,
    };
    let (profiles, searched) = profile(variants, positions, watched.limit, &options, &watched.workers);
    let sample = match options.rate < 1.0 {
        true => format!(
            "; rules and facts are estimated from a sample of the late moves, rate {}",
            options.rate
        ),
        false => String::new(),
    };
    let conditions = format!("{searched} positions, {}{sample}", watched.conditions);
    Found {
        outcome: (searched > 0).then(|| ProfileTables::of(variants, &profiles).outcome(&conditions)),
        end: end_of(searched, positions.len()),
    }
}

/// Profiles the traces of a host.
fn traced(traces: &[HostTrace], conditions: &str) -> Found {
    let profiles: Vec<Profile> = traces.iter().map(HostTrace::profile).collect();
    let variants: Vec<Variant> = traces.iter().map(|trace| trace.variant.clone()).collect();
    let conditions = format!(
        "{conditions}; every count is of a sample of the late moves, rate {}",
        rates(traces)
    );
    ProfileTables::of(&variants, &profiles).outcome(&conditions).into()
}
