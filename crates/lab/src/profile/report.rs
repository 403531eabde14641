//! Profiles as tables of text.

use std::collections::BTreeMap;

use super::profiler::Profile;
use super::reduction_counts::{Tally, weighted};
use crate::node_kinds::kind_name;
use crate::variant::Variant;
use lmrlab_results::number_text::{percent, unsigned};
use lmrlab_runner::text_table::TextTable;

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

/// Adds a line. Each counted move represents `weight` moves.
fn push(table: &mut TextTable, words: Vec<String>, tally: &Tally, profile: &Profile, weight: f64) {
    let saved = weight * tally.saved_nodes(&profile.costs);
    let nodes = profile.nodes.map(|nodes| nodes as f64 * profile.share);
    let count = |count: u64| weighted(count, weight).to_string();
    // A share of the nodes without reductions, so it stays below 100%.
    let share = nodes.map(|nodes| saved / (nodes + saved));
    let numbers = [
        count(tally.moves),
        percent(tally.reduced_rate()),
        unsigned(tally.mean_reduction(), 2),
        percent(tally.failed_high_rate()),
        count(tally.researched),
        percent(tally.confirmed_rate()),
        count(tally.reduced_nodes),
        count(tally.research_nodes),
        (saved.round() as i64).to_string(),
        percent(share.filter(|share| share.is_finite())),
    ];
    table.push(words.into_iter().chain(numbers));
}

/// One line a policy.
pub fn totals_table(variants: &[Variant], profiles: &[Profile]) -> TextTable {
    let mut text = table(&["policy"]);
    for (variant, profile) in variants.iter().zip(profiles) {
        push(&mut text, vec![variant.name.clone()], &profile.total(), profile, 1.0);
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

/// One line a rule. Each sampled move represents several moves.
pub fn rules_table(variant: &Variant, profile: &Profile) -> TextTable {
    let mut text = table(&["rule"]);
    let weight = profile.weight().unwrap_or_default();
    for (rule, tally) in profile.by_rule(&variant.policy) {
        let name = rule.unwrap_or("(no rule)").to_owned();
        push(&mut text, vec![name], &tally, profile, weight);
    }
    text
}

/// The `most` facts and values with the most unusual share of reduced searches that failed high, the most significant first;
/// and how many were left out. Each sampled move represents several moves.
pub fn facts_table(profile: &Profile, most: usize) -> (TextTable, usize) {
    let facts = profile.by_fact();
    let all = profile.total().failed_high_rate().unwrap_or_default();
    let surprise = |tally: &Tally| {
        let rate = tally.failed_high_rate().unwrap_or(all);
        (rate - all).abs() * (tally.reduced as f64).sqrt()
    };
    let mut ordered: Vec<_> = facts.iter().collect();
    ordered.sort_by(|(_, a), (_, b)| surprise(b).total_cmp(&surprise(a)));
    let mut text = table(&["fact", "value"]);
    let weight = profile.weight().unwrap_or_default();
    for ((fact, bin), tally) in ordered.iter().take(most) {
        let words = vec![fact.name().to_owned(), bin.label(fact)];
        push(&mut text, words, tally, profile, weight);
    }
    (text, ordered.len().saturating_sub(most))
}

/// The move numbers of each column of a map.
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
        let column = NUMBERS.iter().position(|(from, to)| (*from..=*to).contains(&number));
        if let Some(sum) = column.and_then(|column| row.get_mut(column)) {
            *sum += &tally;
        }
    }
    let headings = NUMBERS.iter().map(|(from, to)| match (from, to) {
        (from, to) if from == to => from.to_string(),
        (from, &u32::MAX) => format!("{from}.."),
        (from, to) => format!("{from}-{to}"),
    });
    let mut text = TextTable::new(1, std::iter::once("depth".to_owned()).chain(headings));
    for (depth, row) in cells {
        let shown = row.iter().map(|tally| match shown {
            Shown::Plies => unsigned((tally.moves > 0).then(|| tally.plies as f64 / tally.moves as f64), 2),
            Shown::FailedHigh => percent(tally.failed_high_rate()),
        });
        text.push(std::iter::once(depth.to_string()).chain(shown));
    }
    text
}
