//! An audit broken down: by sorts of moves, and by predictor.

use lmrlab_policy::facts::Fact;
use lmrlab_results::rows::audit::JudgedCounts;
use lmrlab_stats::Resamples;

use super::roc::{Ranking, Roc};
use super::sample::Sample;
use crate::named_fact::NamedFact;
use crate::ratio::ratio;

/// The result of an audit of one policy.
#[derive(Debug, Clone)]
pub struct Audit {
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
    /// How many positions were searched.
    pub positions: usize,
}

/// The predictor that is the policy itself: its own reduction.
pub(super) const POLICY: &str = "reduction";

impl Audit {
    /// The sampled moves of one sort. The interval of their missed rate comes from resampling positions.
    pub fn judged(&self, resamples: &Resamples, wanted: impl Fn(&Sample) -> bool) -> JudgedCounts {
        let mut counts = JudgedCounts::default();
        // Of each position: the missed moves, and those that were reduced and failed low.
        let mut by_position = vec![(0, 0); self.positions];
        for sample in self.samples.iter().filter(|sample| wanted(sample)) {
            let row = &sample.row;
            counts.sampled += 1;
            let Some(raises) = row.shadow_raises else {
                counts.undecided += 1;
                continue;
            };
            counts.reduced += u64::from(row.reduction > 0);
            let count = match (row.reduction > 0, row.failed_high > 0, raises > 0) {
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
            if row.reduction > 0
                && row.failed_high == 0
                && let Some((missed, dismissed)) = by_position.get_mut(sample.position)
            {
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
        Resamples::new(self.positions, count, seed)
    }

    /// The curve of every predictor by its name: the policy's own reduction first, then the facts, the best first. Facts that are
    /// the same for all sampled moves are left out. Empty when all moves raise alpha, or when none does.
    pub(super) fn predictors(&self, resamples: &Resamples) -> Vec<(&str, Roc)> {
        let rankings = |value: &dyn Fn(&Sample) -> f64| -> Vec<Ranking> {
            let ranking = |sample: &Sample| {
                Some(Ranking {
                    value: value(sample),
                    raises: sample.row.shadow_raises? > 0,
                    cluster: sample.position,
                })
            };
            self.samples.iter().filter_map(ranking).collect()
        };
        let reduction = rankings(&|sample| f64::from(sample.row.reduction));
        let Some(roc) = Roc::new(&reduction, Some(true), resamples) else {
            return Vec::new();
        };
        let mut all = vec![(POLICY, roc)];
        // The same as the move number, counted from 0.
        let moves_searched = NamedFact::Known(Fact::MovesSearched);
        for (index, fact) in self
            .facts
            .iter()
            .enumerate()
            .filter(|(_, fact)| **fact != moves_searched)
        {
            let rankings = rankings(&|sample| sample.values[index]);
            let is_constant = rankings.windows(2).all(|pair| pair[0].value == pair[1].value);
            if !is_constant && let Some(roc) = Roc::new(&rankings, None, resamples) {
                all.push((fact.name(), roc));
            }
        }
        all[1..].sort_by(|(_, one), (_, other)| other.auc.value.total_cmp(&one.auc.value));
        all
    }
}
