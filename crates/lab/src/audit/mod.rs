//! Were the reductions of a policy right? A sample of the late moves is searched a second time at full depth.
//!
//! A shadow search runs before the move's own search, at the same alpha, on a copy of the tables as they are at that moment. It
//! does not change the observed search.

mod auc;
mod blame;
mod outcome;
mod passes;
mod sample;

use lmrlab_diagnostics::failure::Failure;
use lmrlab_engine::search::observer::ShadowSearch;
use lmrlab_host::Shadow;
use lmrlab_policy::facts::Fact;
use lmrlab_results::rows::audit::JudgedCounts;
use lmrlab_stats::Resamples;

use self::auc::{Auc, Ranking};
pub use self::blame::blame;
pub use self::outcome::AuditTables;
pub use self::passes::{AuditEnd, until_precise};
pub use self::sample::Sample;
use self::sample::facts_of;
pub(crate) use self::sample::is_known_before;
use crate::late_moves::{LateMove, Observed};
use crate::named_fact::NamedFact;
use crate::positions::LabPosition;
use crate::ratio::ratio;
use crate::sampler::Sampler;
use crate::search::{SearchLimit, search, search_observed};
use crate::variant::Variant;
use crate::workers::Workers;

/// The default share of the late moves that is sampled, where an audit is one of several measures.
pub const DEFAULT_RATE: f64 = 0.01;

/// How an audit samples and judges.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditOptions {
    /// The share of the late moves that is sampled, from 0 to 1.
    pub rate: f64,
    /// The seed of the random sample.
    pub seed: u64,
    /// The search that judges a sampled move at its full depth: the same search with the same policy below the move, or without
    /// any reduction there.
    pub judge: Shadow,
    /// The node limit of a shadow search.
    pub shadow_nodes: u64,
    /// How often positions are resampled for the intervals.
    pub resamples: usize,
}

impl Default for AuditOptions {
    fn default() -> Self {
        Self {
            rate: DEFAULT_RATE,
            seed: 1,
            judge: Shadow::Policy,
            shadow_nodes: 200_000,
            resamples: 1_000,
        }
    }
}

/// The result of an audit of one policy.
#[derive(Debug, Clone)]
pub struct Audit {
    /// What tables call the policy, and its rules.
    pub variant: Variant,
    /// Every sampled move, position by position in the order of the search.
    pub samples: Vec<Sample>,
    /// The facts behind the values of the samples.
    pub facts: Vec<NamedFact>,
    /// The number of all late moves that could be sampled. An estimate unless the nodes are checked.
    pub population: u64,
    /// Nodes of the observed searches; `None` when a trace does not have them.
    pub nodes: Option<u64>,
    /// Whether the same searches without the audit have the same number of nodes.
    pub nodes_checked: bool,
    /// The name and the FEN of each position that was searched. A trace has no FEN of it.
    pub positions: Vec<[String; 2]>,
}

/// Audits each variant on all positions. When the workers are asked to stop, the audits are of the positions that every
/// variant has completed.
///
/// # Errors
/// When a search has another number of nodes with the observer than without it. That would be a bug.
pub fn audit(
    variants: &[Variant],
    positions: &[LabPosition],
    limit: SearchLimit,
    options: &AuditOptions,
    workers: &Workers,
) -> Result<Vec<Audit>, Failure> {
    let found = workers.columns(variants, positions, |variant, (index, position)| {
        let shadow = ShadowSearch {
            node_limit: options.shadow_nodes,
            reduces: options.judge == Shadow::Policy,
        };
        let sampler = Sampler::new(options.rate, options.seed, index as u64);
        let samples: Vec<LateMove> = Vec::new();
        let mut observed = Observed::new(samples, facts_of(&variant.policy), sampler, Some(shadow));
        let limits = limit.limits();
        let watched = search_observed(variant, &position.position, &limits, &mut observed);
        let plain = search(variant, &position.position, &limits);
        observed.watch.sort_by_key(|late| late.number);
        (observed.watch, observed.population, watched.nodes, plain.nodes)
    });
    let searched: Vec<&LabPosition> = found.done.iter().map(|index| &positions[*index]).collect();
    let audits = variants.iter().zip(found.results).map(|(variant, searches)| {
        let (mut nodes, mut population) = (0, 0);
        let mut samples = Vec::new();
        for (position, (late_moves, of_search, watched, plain)) in searches.into_iter().enumerate() {
            if watched != plain {
                return Err(Failure::run(format!(
                    "the audit of {} changed the search of {}: {watched} nodes instead of {plain}; \
                     this is a bug in lmrlab, please report it",
                    variant.name, searched[position].name
                )));
            }
            samples.extend(late_moves.into_iter().map(|late| Sample { late, position }));
            population += of_search;
            nodes += watched;
        }
        let positions = searched.iter();
        Ok(Audit {
            variant: variant.clone(),
            samples,
            facts: facts_of(&variant.policy),
            population,
            nodes: Some(nodes),
            nodes_checked: true,
            positions: positions.map(|of| [of.name.clone(), of.position.to_string()]).collect(),
        })
    });
    audits.collect()
}

/// The predictor that is the policy itself: its own reduction.
const POLICY: &str = "reduction";

impl Audit {
    /// The sampled moves of one sort. The interval of their missed rate comes from resampling positions.
    pub fn judged(&self, resamples: &Resamples, wanted: impl Fn(&Sample) -> bool) -> JudgedCounts {
        let mut counts = JudgedCounts::default();
        // Of each position: the missed moves, and those that were reduced and failed low.
        let mut by_position = vec![(0, 0); self.positions.len()];
        for Sample { late, position } in self.samples.iter().filter(|sample| wanted(sample)) {
            counts.sampled += 1;
            let Some(raises) = late.shadow.0 else {
                counts.undecided += 1;
                continue;
            };
            let is_reduced = late.searches.reduction > 0;
            counts.reduced += u64::from(is_reduced);
            let count = match (is_reduced, late.searches.failed_high, raises) {
                (true, false, false) => &mut counts.reduced_low_low,
                (true, false, true) => &mut counts.reduced_low_high,
                (true, true, false) => &mut counts.reduced_high_low,
                (true, true, true) => &mut counts.reduced_high_high,
                (false, false, false) => &mut counts.unreduced_low_low,
                (false, false, true) => &mut counts.unreduced_low_high,
                (false, true, false) => &mut counts.unreduced_high_low,
                (false, true, true) => &mut counts.unreduced_high_high,
            };
            *count += 1;
            if is_reduced && !late.searches.failed_high {
                let (missed, dismissed) = &mut by_position[*position];
                *missed += u64::from(raises);
                *dismissed += 1;
            }
        }
        let rate = |set: &[u32]| {
            let (mut missed, mut dismissed) = (0, 0);
            for (of, weight) in by_position.iter().zip(set) {
                missed += of.0 * u64::from(*weight);
                dismissed += of.1 * u64::from(*weight);
            }
            ratio(missed, dismissed)
        };
        let (right, missed) = (counts.reduced_low_low, counts.reduced_low_high);
        counts.missed_rate = ratio(missed, right + missed);
        let interval = counts.missed_rate.and_then(|_| resamples.interval(rate));
        (counts.missed_lower_95, counts.missed_upper_95) = interval.unzip();
        counts
    }

    /// Resampled sets of this audit's positions.
    pub fn resamples(&self, count: usize, seed: u64) -> Resamples {
        Resamples::new(self.positions.len(), count, seed)
    }

    /// How well every predictor does, by its name: the policy's own reduction first, then the facts, the best first. Facts that are
    /// the same for all sampled moves are left out. Empty when all moves raise alpha, or when none does.
    fn predictors(&self, resamples: &Resamples) -> Vec<(&str, Auc)> {
        let rankings = |value: &dyn Fn(&Sample) -> f64| -> Vec<Ranking> {
            let ranking = |sample: &Sample| {
                Some(Ranking {
                    value: value(sample),
                    raises: sample.late.shadow.0?,
                    cluster: sample.position,
                })
            };
            self.samples.iter().filter_map(ranking).collect()
        };
        let reduction = rankings(&|sample| f64::from(sample.late.searches.reduction));
        let Some(auc) = Auc::new(&reduction, Some(true), resamples) else {
            return Vec::new();
        };
        let mut all = vec![(POLICY, auc)];
        // The same as the move number, counted from 0.
        let moves_searched = NamedFact::Known(Fact::MovesSearched);
        for (index, fact) in self
            .facts
            .iter()
            .enumerate()
            .filter(|(_, fact)| **fact != moves_searched)
        {
            let rankings = rankings(&|sample| sample.late.values[index]);
            let is_constant = rankings.windows(2).all(|pair| pair[0].value == pair[1].value);
            if !is_constant && let Some(auc) = Auc::new(&rankings, None, resamples) {
                all.push((fact.name(), auc));
            }
        }
        all[1..].sort_by(|(_, one), (_, other)| other.area.value.total_cmp(&one.area.value));
        all
    }
}
