//! `lmrlab profile`: where policies reduce, by how much, and with what result.

use std::fmt::Write as _;

use clap::Args;

use super::lab_options::{FolderOptions, WatchOptions, Watched, end_of, share, stop_on_ctrl_c};
use crate::print::print_out;
use lmrlab_lab::profile::{
    Profile, ProfileOptions, Shown, facts_table, heat_map, kinds_table, profile, rules_table, totals_table, write_files,
};
use lmrlab_runner::failure::Failure;

/// The lines of the table by fact.
const FACTS: usize = 12;

/// Which policies, on which positions.
#[derive(Debug, Args)]
#[command(
    about = "Show where policies reduce, by how much, and how the reduced searches end",
    after_help = "\
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

--out DIR gets totals.csv, moves.csv (by depth and move number, for heat maps), kinds.csv, rules.csv and facts.csv."
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    watch: WatchOptions,
    /// Share of the late moves whose rules and facts are read
    #[arg(long, value_name = "SHARE", default_value_t = ProfileOptions::default().rate, value_parser = share)]
    rate: f64,
    /// Seed of the sample
    #[arg(long, default_value_t = ProfileOptions::default().seed)]
    seed: u64,
    #[command(flatten)]
    out: FolderOptions,
}

/// Runs the command.
///
/// # Errors
/// When the input is wrong or a file cannot be written.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    arguments.out.refuse()?;
    let Watched {
        variants,
        positions,
        limit,
        workers,
        conditions,
    } = arguments.watch.watched()?;
    let options = ProfileOptions {
        rate: arguments.rate,
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
    let mut text = format!(
        "{searched} positions, {conditions}\n\n{}",
        totals_table(&variants, &profiles)
    );
    for (variant, profile) in variants.iter().zip(&profiles) {
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
                "No rules or facts were read: a share of {} sampled no move. Raise --rate.",
                options.rate
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
    print_out(&text);
    arguments.out.write_page().and(end)
}

/// What the tables by rule and by fact are estimated from; nothing when that is every late move.
fn estimated(profile: &Profile) -> String {
    match (profile.sampled(), profile.total().moves) {
        (sampled, moves) if sampled == moves => String::new(),
        (sampled, moves) => {
            format!(", estimated from {sampled} of {moves} moves (--rate 1 reads all)")
        }
    }
}
