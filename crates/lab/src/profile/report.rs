//! Profiles as tables on the terminal and as CSV files.

use std::collections::BTreeMap;
use std::path::Path;

use super::profiler::Profile;
use super::tally::{COLUMNS, Costs, Tally, weighted};
use super::views::kind_name;
use crate::table::{TextTable, decimal, percent, write_cells};
use crate::variant::Variant;
use lmrlab_runner::failure::Failure;

/// The columns that every table on the terminal has.
const HEADINGS: [&str; 10] = [
    "moves",
    "reduced",
    "by plies",
    "failed high",
    "again",
    "confirmed",
    "reduced nodes",
    "again nodes",
    "saved nodes",
    "saved",
];

fn table(words: &[&str]) -> TextTable {
    TextTable::new(words.len(), words.iter().chain(&HEADINGS).copied())
}

/// Adds a line about moves each of which stands for `weight` moves.
fn push(table: &mut TextTable, words: Vec<String>, tally: &Tally, profile: &Profile, weight: f64) {
    let saved = weight * tally.saved_nodes(&profile.costs);
    let count = |count: u64| weighted(count, weight).to_string();
    let share = saved / profile.counts.nodes() as f64;
    let numbers = [
        count(tally.moves),
        percent(tally.reduced_rate()),
        decimal(tally.mean_reduction(), 2),
        percent(tally.failed_high_rate()),
        count(tally.researched),
        percent(tally.confirmed_rate()),
        count(tally.reduced_nodes),
        count(tally.research_nodes),
        (saved.round() as i64).to_string(),
        percent(Some(share).filter(|share| share.is_finite())),
    ];
    table.push(words.into_iter().chain(numbers));
}

/// One line a policy.
pub fn totals_table(variants: &[Variant], profiles: &[Profile]) -> TextTable {
    let mut text = table(&["policy"]);
    for (variant, profile) in variants.iter().zip(profiles) {
        push(
            &mut text,
            vec![variant.name.clone()],
            &profile.total(),
            profile,
            1.0,
        );
    }
    text
}

/// One line a node kind.
pub fn kinds_table(profile: &Profile) -> TextTable {
    let mut text = table(&["node"]);
    for (kind, tally) in profile.by_kind() {
        let words = vec![kind_name(kind).to_owned()];
        push(&mut text, words, &tally, profile, 1.0);
    }
    text
}

/// One line a rule. Each sampled move counts as often as it stands for others.
pub fn rules_table(variant: &Variant, profile: &Profile) -> TextTable {
    let mut text = table(&["rule"]);
    let weight = profile.weight().unwrap_or_default();
    for (rule, tally) in profile.by_rule(&variant.policy) {
        let name = rule.unwrap_or("(no rule)").to_owned();
        push(&mut text, vec![name], &tally, profile, weight);
    }
    text
}

/// One line a fact and value that occurred. Each sampled move counts as often as it stands for others.
pub fn facts_table(profile: &Profile) -> TextTable {
    let mut text = table(&["fact", "value"]);
    let weight = profile.weight().unwrap_or_default();
    for ((fact, bin), tally) in profile.by_fact() {
        let words = vec![fact.info().name.to_owned(), bin.label(fact)];
        push(&mut text, words, &tally, profile, weight);
    }
    text
}

/// Move numbers that stand in one column of a map.
const NUMBERS: [(u32, u32); 8] = [
    (1, 1),
    (2, 2),
    (3, 4),
    (5, 8),
    (9, 16),
    (17, 32),
    (33, 64),
    (65, u32::MAX),
];

/// What a map on the terminal shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// Plies that a move lost on average, unreduced moves included.
    Plies,
    /// The share of the reduced searches that came back above alpha.
    FailedHigh,
}

/// A map by depth (down) and move number (across).
pub fn heat_map(profile: &Profile, shown: Shown) -> TextTable {
    let mut cells: BTreeMap<u32, Vec<Tally>> = BTreeMap::new();
    for ((depth, number), tally) in profile.by_depth_and_number() {
        let row = cells
            .entry(depth)
            .or_insert_with(|| vec![Tally::default(); NUMBERS.len()]);
        let column = NUMBERS
            .iter()
            .position(|(from, to)| (*from..=*to).contains(&number));
        if let Some(sum) = column.and_then(|column| row.get_mut(column)) {
            *sum += &tally;
        }
    }
    let heads = NUMBERS.iter().map(|(from, to)| match (from, to) {
        (from, to) if from == to => from.to_string(),
        (from, &u32::MAX) => format!("{from}.."),
        (from, to) => format!("{from}-{to}"),
    });
    let mut text = TextTable::new(1, std::iter::once("depth".to_owned()).chain(heads));
    for (depth, row) in cells {
        let shown = row.iter().map(|tally| match shown {
            Shown::Plies => decimal(
                (tally.moves > 0).then(|| tally.plies as f64 / tally.moves as f64),
                2,
            ),
            Shown::FailedHigh => percent(tally.failed_high_rate()),
        });
        text.push(std::iter::once(depth.to_string()).chain(shown));
    }
    text
}

/// Writes the profiles into a folder: totals.csv, moves.csv, kinds.csv, rules.csv and facts.csv, each with a column for the
/// policy. The counts in rules.csv and facts.csv are estimates of those of all late moves; their column `sampled` says how
/// many moves a line is estimated from.
///
/// # Errors
/// When a file cannot be written.
pub fn write_files(
    folder: &Path,
    variants: &[Variant],
    profiles: &[Profile],
) -> Result<(), Failure> {
    let write = |name: &str, words: &[&str], more: &[&str], rows: Vec<Vec<String>>| {
        let header: Vec<&str> = words.iter().chain(&COLUMNS).chain(more).copied().collect();
        write_cells(&folder.join(name), &header, rows)
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
            kinds.push(row(
                vec![policy(), kind_name(kind).to_owned()],
                &tally,
                costs,
                1.0,
            ));
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
