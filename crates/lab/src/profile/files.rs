//! Profiles as CSV files.

use std::path::Path;

use super::profiler::Profile;
use crate::node_kinds::kind_name;
use crate::variant::Variant;
use lmrlab_results::csv_file::write;
use lmrlab_results::failure::Failure;
use lmrlab_results::lab_rows::{ProfileTotal, ProfiledFact, ProfiledKind, ProfiledMove, ProfiledRule};

/// Writes the profiles into a folder: totals.csv, moves.csv, kinds.csv, rules.csv and facts.csv, each with a column for the
/// policy. The counts in rules.csv and facts.csv are estimates of those of all late moves; their column `sampled` says how
/// many moves a line is estimated from.
///
/// # Errors
/// When a file cannot be written.
pub fn write_files(folder: &Path, variants: &[Variant], profiles: &[Profile]) -> Result<(), Failure> {
    let (mut totals, mut moves, mut kinds, mut rules, mut facts) = (vec![], vec![], vec![], vec![], vec![]);
    for (variant, profile) in variants.iter().zip(profiles) {
        let policy = || variant.name.clone();
        let weight = profile.weight().unwrap_or_default();
        let costs = &profile.costs;
        totals.push(ProfileTotal {
            policy: policy(),
            counts: profile.total().row(costs, 1.0),
            nodes: profile.nodes,
            quiescence_nodes: profile.counts.map(|counts| counts.quiescence_nodes),
            cutoffs: profile.counts.map(|counts| counts.cutoffs),
            first_move_cutoffs: profile.counts.map(|counts| counts.first_move_cutoffs),
        });
        let by_place = profile.by_depth_and_number().into_iter();
        moves.extend(by_place.map(|((depth, move_number), tally)| ProfiledMove {
            policy: policy(),
            depth,
            move_number,
            counts: tally.row(costs, 1.0),
        }));
        let by_kind = profile.by_kind().into_iter();
        kinds.extend(by_kind.map(|(kind, tally)| ProfiledKind {
            policy: policy(),
            node_kind: kind_name(kind).to_owned(),
            counts: tally.row(costs, 1.0),
        }));
        let by_rule = profile.by_rule(&variant.policy).into_iter();
        rules.extend(by_rule.map(|(rule, tally)| ProfiledRule {
            policy: policy(),
            rule: rule.unwrap_or_default().to_owned(),
            counts: tally.row(costs, weight),
            sampled: tally.moves,
        }));
        let by_fact = profile.by_fact().into_iter();
        facts.extend(by_fact.map(|((fact, bin), tally)| ProfiledFact {
            policy: policy(),
            fact: fact.name().to_owned(),
            from: bin.from,
            to: bin.to,
            counts: tally.row(costs, weight),
            sampled: tally.moves,
        }));
    }
    write(&folder.join("totals.csv"), totals)?;
    write(&folder.join("moves.csv"), moves)?;
    write(&folder.join("kinds.csv"), kinds)?;
    write(&folder.join("rules.csv"), rules)?;
    write(&folder.join("facts.csv"), facts)
}
