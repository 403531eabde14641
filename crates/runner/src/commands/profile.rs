//! `lmrlab profile`: where policies reduce, by how much, and what becomes of it.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;

use super::lab_options::{WatchOptions, Watched, make_folder, refuse_folder};
use super::print_out;
use crate::failure::Failure;
use crate::lab::profile::{
    Shown, facts_table, heat_map, kinds_table, profile, rules_table, totals_table, write_files,
};

/// Which policies, on which positions.
#[derive(Debug, Args)]
#[command(
    about = "Show where policies reduce, by how much, and what becomes of the reduced searches",
    after_help = "\
Example:
  lmrlab profile house --depth 10 --out results/profile-house

The columns: late moves that the policy was asked about; the share that was reduced, and by how many plies on average; \
reduced searches above alpha; moves searched again, and the share of them above alpha in the end; nodes of the reduced \
searches and of those after them; nodes saved, also as a share of all nodes of the search.

Saved nodes are an estimate: a reduced move that failed low saved what null-window searches to its full depth that failed \
low cost on average in the same searches, less what it cost; one that was searched again lost its reduced search. What a \
smaller tree does to move ordering and to the transposition table is not in it: `lmrlab bench none POLICY` measures the whole.

--out DIR gets totals.csv, moves.csv (by depth and move number, for heat maps), kinds.csv, rules.csv and facts.csv."
)]
pub struct Arguments {
    #[command(flatten)]
    watch: WatchOptions,
    /// Write CSV files into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write into a folder that is not empty
    #[arg(long, requires = "out")]
    force: bool,
}

/// Runs the command.
///
/// # Errors
/// When the input is wrong or a file cannot be written.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    refuse_folder(arguments.out.as_deref(), arguments.force)?;
    let Watched {
        variants,
        positions,
        limit,
        workers,
        title,
    } = arguments.watch.watched()?;
    let profiles = profile(&variants, &positions, limit, &workers);
    if let Some(folder) = &arguments.out {
        make_folder(folder)?;
        write_files(folder, &variants, &profiles)?;
    }
    let mut text = format!("{title}\n\n{}", totals_table(&variants, &profiles));
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
        if !variant.policy.rules().is_empty() {
            let rules = rules_table(variant, profile);
            let _ = write!(text, "{} by rule\n{rules}\n", variant.name);
        }
        let _ = write!(text, "{} by fact\n{}", variant.name, facts_table(profile));
    }
    print_out(&text);
    Ok(())
}
