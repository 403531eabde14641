//! Profiles as CSV files.

use std::path::Path;

use super::profiler::Profile;
use super::reduction_counts::{COLUMNS, Costs, Tally};
use crate::node_kinds::kind_name;
use crate::sheet::Sheet;
use crate::variant::Variant;
use lmrlab_runner::failure::Failure;

/// Writes the profiles into a folder: totals.csv, moves.csv, kinds.csv, rules.csv and facts.csv, each with a column for the
/// policy. The counts in rules.csv and facts.csv are estimates of those of all late moves; their column `sampled` says how
/// many moves a line is estimated from.
///
/// # Errors
/// When a file cannot be written.
pub fn write_files(folder: &Path, variants: &[Variant], profiles: &[Profile]) -> Result<(), Failure> {
    let write = |name: &str, words: &[&str], more: &[&str], rows: Vec<Vec<String>>| {
        let header: Vec<&str> = words.iter().chain(&COLUMNS).chain(more).copied().collect();
        Sheet::of(&header, rows).write(&folder.join(name))
    };
    let (mut moves, mut kinds, mut rules, mut facts) = (vec![], vec![], vec![], vec![]);
    let mut totals = Vec::new();
    for (variant, profile) in variants.iter().zip(profiles) {
        let costs = &profile.costs;
        let policy = || variant.name.clone();
        let counts = profile.counts;
        let weight = profile.weight().unwrap_or_default();
        let mut total = row(vec![policy()], &profile.total(), costs, 1.0);
        total.extend([
            counts.nodes().to_string(),
            counts.quiescence_nodes.to_string(),
            counts.cutoffs.to_string(),
            counts.first_move_cutoffs.to_string(),
        ]);
        totals.push(total);
        for ((depth, number), tally) in profile.by_depth_and_number() {
            let words = vec![policy(), depth.to_string(), number.to_string()];
            moves.push(row(words, &tally, costs, 1.0));
        }
        for (kind, tally) in profile.by_kind() {
            kinds.push(row(vec![policy(), kind_name(kind).to_owned()], &tally, costs, 1.0));
        }
        for (rule, tally) in profile.by_rule(&variant.policy) {
            let words = vec![policy(), rule.unwrap_or_default().to_owned()];
            let mut row = row(words, &tally, costs, weight);
            row.push(tally.moves.to_string());
            rules.push(row);
        }
        for ((fact, bin), tally) in profile.by_fact() {
            let to = bin.to.to_string();
            let name = fact.info().name.to_owned();
            let words = vec![policy(), name, bin.from.to_string(), to];
            let mut row = row(words, &tally, costs, weight);
            row.push(tally.moves.to_string());
            facts.push(row);
        }
    }
    let counts = ["nodes", "quiescence_nodes", "cutoffs", "first_move_cutoffs"];
    write("totals.csv", &["policy"], &counts, totals)?;
    write("moves.csv", &["policy", "depth", "move_number"], &[], moves)?;
    write("kinds.csv", &["policy", "node_kind"], &[], kinds)?;
    let sampled = ["sampled"];
    write("rules.csv", &["policy", "rule"], &sampled, rules)?;
    let words = ["policy", "fact", "from", "to"];
    write("facts.csv", &words, &sampled, facts)
}

fn row(mut words: Vec<String>, tally: &Tally, costs: &Costs, weight: f64) -> Vec<String> {
    words.extend(tally.cells(costs, weight));
    words
}
