//! What a profile found.

use std::collections::BTreeMap;

use lmrlab_policy::facts::{CATALOGUE, Fact};
use lmrlab_policy::rule::RuleSet;
use lmrlab_results::number_text::{percent, unsigned};
use lmrlab_results::outcome::picture::{Map, MapCell, Mark};
use lmrlab_results::outcome::table::Table;
use lmrlab_results::outcome::{Outcome, Section};
use lmrlab_results::rows::profile::{ProfileTotal, ProfiledFact, ProfiledKind, ProfiledMove, ProfiledRule};
use lmrlab_results::tables;

use super::bins::Bin;
use super::profiler::{Group, Profile};
use super::reduction_counts::Tally;
use crate::late_moves::{KINDS, kind_name};
use crate::named_fact::NamedFact;
use crate::ratio::ratio;
use crate::variant::Variant;

tables! {
    /// The files of a profile. The counts by rule and by fact are estimates of those of all late moves; their column `sampled`
    /// has the number of moves behind a line.
    ProfileTables {
        totals: Vec<ProfileTotal>,
        moves: Vec<ProfiledMove>,
        kinds: Vec<ProfiledKind>,
        rules: Vec<ProfiledRule>,
        facts: Vec<ProfiledFact>,
    }
}

impl ProfileTables {
    /// The tables of these profiles, one for each variant.
    pub fn of(variants: &[Variant], profiles: &[Profile]) -> Self {
        let mut tables = Self::default();
        for (variant, profile) in variants.iter().zip(profiles) {
            tables.add(variant, profile);
        }
        tables
    }

    fn add(&mut self, variant: &Variant, profile: &Profile) {
        let policy = || variant.name.clone();
        let place = |group: &Group| match group {
            Group::Place(place) => Some(*place),
            _ => None,
        };
        let all = tallies(profile, |group| place(group).map(drop)).remove(&());
        let total = all.unwrap_or_default();
        let sampled = profile
            .groups
            .iter()
            .filter(|((group, _), _)| matches!(group, Group::Rules(_)));
        let sampled = sampled.map(|(_, counts)| counts.moves).sum();
        // The late moves that a sampled one stands for.
        let weight = ratio(total.counts.moves, sampled).unwrap_or_default();
        let nodes = profile.nodes.map(|nodes| nodes as f64 * profile.traced.unwrap_or(1.0));
        let all = |tally: &Tally| tally.row(&profile.costs, nodes, 1.0);
        let estimated = |tally: &Tally| tally.row(&profile.costs, nodes, weight);
        self.totals.push(ProfileTotal {
            policy: policy(),
            counts: all(&total),
            nodes: profile.nodes,
            quiescence_nodes: profile.counts.map(|counts| counts.quiescence_nodes),
            cutoffs: profile.counts.map(|counts| counts.cutoffs),
            first_move_cutoffs: profile.counts.map(|counts| counts.first_move_cutoffs),
        });
        let moves = tallies(profile, |group| {
            place(group).map(|place| (place.depth, place.move_number))
        });
        self.moves
            .extend(moves.iter().map(|((depth, move_number), tally)| ProfiledMove {
                policy: policy(),
                depth: *depth,
                move_number: *move_number,
                counts: all(tally),
            }));
        let mut kinds = tallies(profile, |group| place(group).map(|place| place.kind));
        self.kinds.extend(KINDS.map(|kind| ProfiledKind {
            policy: policy(),
            node_kind: kind_name(kind).to_owned(),
            counts: all(&kinds.remove(&kind).unwrap_or_default()),
        }));
        let mut by_rule = tallies(profile, |group| match group {
            Group::Rules(rules) if *rules == RuleSet::default() => vec![None],
            Group::Rules(rules) => rules.iter().map(Some).collect(),
            _ => Vec::new(),
        });
        let rules = variant.policy.rules().iter().enumerate();
        let rules = rules.map(|(index, rule)| (Some(index), &*rule.name));
        self.rules.extend(rules.chain([(None, "")]).map(|(index, rule)| {
            let tally = by_rule.remove(&index).unwrap_or_default();
            ProfiledRule {
                policy: policy(),
                rule: rule.to_owned(),
                counts: estimated(&tally),
                sampled: tally.counts.moves,
            }
        }));
        let mut facts = tallies(profile, |group| match group {
            Group::Fact(fact, bin) => Some((fact.clone(), *bin)),
            _ => None,
        });
        let flags: Vec<Fact> = (CATALOGUE.iter().map(|info| info.fact).filter(|fact| fact.is_flag())).collect();
        let by_flag = tallies(profile, |group| match group {
            Group::Flags(set) => flags.iter().map(|fact| (*fact, set.has(*fact))).collect(),
            _ => Vec::new(),
        });
        facts.extend(by_flag.into_iter().map(|((fact, value), tally)| {
            let bin = Bin::of(u8::from(value).into(), true);
            ((NamedFact::Known(fact), bin), tally)
        }));
        self.facts.extend(facts.iter().map(|((fact, bin), tally)| ProfiledFact {
            policy: policy(),
            fact: fact.name().to_owned(),
            from: bin.from,
            to: bin.to,
            counts: estimated(tally),
            sampled: tally.counts.moves,
        }));
    }

    /// What the tables say. `conditions` are what was searched, and how.
    pub fn outcome(mut self, conditions: &str) -> Outcome {
        let tables = self.tables();
        self.order_facts();
        let policies: Vec<&str> = self.totals.iter().map(|row| row.policy.as_str()).collect();
        let mut sections = vec![Section::new("Totals").table(Table::of("totals", &self.totals))];
        let maps = policies.iter().filter_map(|policy| self.maps(policy));
        sections.extend(maps.take(MOST_POLICIES));
        sections.push(Section::new("By kind of node").table(Table::of("kinds", &self.kinds)));
        if self.rules.iter().any(|row| !row.rule.is_empty()) {
            let rules = Table::of("rules", &self.rules).when_empty("rule", "(no rule)");
            sections.push(Section::new("By rule").table(rules));
        }
        let facts = Table::of("facts", &self.facts).at_most(SHOWN_FACTS);
        let of_policy = |policy: &&str| {
            let facts = facts.only("policy", policy).without(&["policy"]);
            let heading = format!("{policy} by fact: where reduced searches failed high most unlike all others");
            (!facts.rows.is_empty()).then(|| Section::new(heading).table(facts))
        };
        sections.extend(policies.iter().filter_map(of_policy));
        if self.facts.is_empty() {
            let sentence = "The share of `--rate` sampled no move. Raise it to see rules and facts.";
            sections.push(Section::new("By fact").say(sentence));
        }
        let moves = Table::of("moves", &self.moves);
        sections.push(Section::new("By depth and move number").reference(moves));
        Outcome {
            title: format!("Profile of {}", policies.join(", ")),
            conditions: conditions.to_owned(),
            verdict: self.totals.iter().map(verdict).collect(),
            sections,
            notes: vec![
                "Saved nodes are an estimate: they leave out what a smaller tree does to move ordering and to the transposition table."
                    .to_owned(),
            ],
            tables,
        }
    }

    /// Puts those facts and values first that have the most unusual share of reduced searches that failed high, the most
    /// significant first.
    fn order_facts(&mut self) {
        let rates = self
            .totals
            .iter()
            .map(|row| (row.policy.clone(), row.counts.failed_high_rate));
        let rates: BTreeMap<String, Option<f64>> = rates.collect();
        let surprise = |row: &ProfiledFact| {
            let all = rates.get(&row.policy).copied().flatten().unwrap_or_default();
            let rate = row.counts.failed_high_rate.unwrap_or(all);
            (rate - all).abs() * (row.counts.reduced as f64).sqrt()
        };
        self.facts
            .sort_by(|one, other| surprise(other).total_cmp(&surprise(one)));
    }

    /// The maps of a policy by depth and move number; `None` when it reduced nothing.
    fn maps(&self, policy: &str) -> Option<Section> {
        let mut places: BTreeMap<(u32, usize), [u64; 4]> = BTreeMap::new();
        for row in self.moves.iter().filter(|row| row.policy == policy) {
            let Some(column) = NUMBERS
                .iter()
                .position(|(from, to)| (*from..=*to).contains(&row.move_number))
            else {
                continue;
            };
            let counts = [
                row.counts.moves,
                row.counts.reduced,
                row.counts.plies,
                row.counts.failed_high,
            ];
            let sums = places.entry((row.depth, column)).or_default();
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        places.values().any(|counts| counts[0] > 0).then(|| {
            let maps = MAPS.map(|shown| map(shown, policy, &places));
            Section::new(format!("Where {policy} reduces")).draw(maps)
        })
    }
}

/// The moves by the keys of their groups.
fn tallies<K: Ord, I: IntoIterator<Item = K>>(profile: &Profile, keys: impl Fn(&Group) -> I) -> BTreeMap<K, Tally> {
    let mut tallies: BTreeMap<K, Tally> = BTreeMap::new();
    for ((group, full_depth), counts) in &profile.groups {
        for key in keys(group) {
            tallies.entry(key).or_default().add(*full_depth, counts);
        }
    }
    tallies
}

/// The lines of the table by fact in the text of the command.
const SHOWN_FACTS: usize = 12;
/// The number of policies that get maps; the tables have all.
const MOST_POLICIES: usize = 4;
/// A share of fewer moves than this is not coloured.
const FEW: u64 = 30;

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

/// A quotient that a map shows: its title, the places of part and whole in the counts of moves, reduced moves, plies and failed high,
/// what it is a share of, and its text.
type Shown = (&'static str, [usize; 2], &'static str, fn(f64) -> String);

const MAPS: [Shown; 3] = [
    (
        "share of the late moves that were reduced",
        [1, 0],
        "late moves",
        |value| format!("{:.0}%", value * 100.0),
    ),
    (
        "plies that a late move lost on average, unreduced moves included",
        [2, 0],
        "late moves",
        |value| format!("{value:.2}"),
    ),
    (
        "share of the reduced searches that failed high",
        [3, 1],
        "reduced moves",
        |value| format!("{:.1}%", value * 100.0),
    ),
];

fn map((title, [part, whole], of, text): Shown, policy: &str, places: &BTreeMap<(u32, usize), [u64; 4]>) -> Map {
    let mut depths: Vec<u32> = places.keys().map(|(depth, _)| *depth).collect();
    depths.dedup();
    let known = |counts: &[u64; 4]| ratio(counts[part], counts[whole]);
    let enough = places.values().filter(|counts| counts[whole] >= FEW);
    let most = enough.filter_map(known).fold(1e-9, f64::max);
    let used = places.iter().filter(|(_, counts)| known(counts).is_some());
    let used = used.map(|((_, column), _)| *column);
    let (first, last) = (used.clone().min().unwrap_or(0), used.max().unwrap_or(0));
    let cells = places.iter().filter_map(|((depth, column), counts)| {
        let value = known(counts)?;
        Some(MapCell {
            row: depths.iter().position(|known| known == depth)?,
            column: column - first,
            level: value / most,
            text: text(value),
            detail: format!("of {} {of}", counts[whole]),
            mark: if counts[whole] < FEW { Mark::Few } else { Mark::None },
        })
    });
    Map {
        title: format!("{policy}: {title}"),
        down: "depth".to_owned(),
        right: "move number".to_owned(),
        cells: cells.collect(),
        rows: depths.iter().map(u32::to_string).collect(),
        columns: NUMBERS[first..=last].iter().map(heading).collect(),
        note: format!("Without colour: fewer than {FEW} {of}."),
    }
}

fn heading((from, to): &(u32, u32)) -> String {
    match (from, to) {
        (from, to) if from == to => from.to_string(),
        (from, &u32::MAX) => format!("{from}.."),
        (from, to) => format!("{from}-{to}"),
    }
}

fn verdict(row: &ProfileTotal) -> String {
    let counts = &row.counts;
    if counts.reduced == 0 {
        return format!("{} reduces nothing.", row.policy);
    }
    format!(
        "{}: {} of {} late moves reduced, by {} plies on average; {} of the reduced searches failed high. The reductions saved about {} \
         of the nodes.",
        row.policy,
        percent(counts.reduced_rate),
        counts.moves,
        unsigned(counts.mean_reduction, 2),
        percent(counts.failed_high_rate),
        percent(counts.saved_rate),
    )
}
