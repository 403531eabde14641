//! An audit broken down: by sorts of moves, and by predictor.

use lmrlab_policy::facts::Fact;

use super::findings::Audit;
use super::judged::Judged;
use super::roc::{Estimated, Point, Roc};
use super::sample::Sample;
use crate::named_fact::NamedFact;
use crate::ratio::ratio;
use lmrlab_stats::Resamples;

/// A number and how well it predicts.
#[derive(Debug, Clone, PartialEq)]
pub struct Predictor {
    /// The fact; `None` for the policy's own reduction.
    pub fact: Option<NamedFact>,
    /// Its curve.
    pub roc: Roc,
}

impl Predictor {
    /// The fact's name, or `reduction`.
    pub fn name(&self) -> &str {
        self.fact.as_ref().map_or("reduction", NamedFact::name)
    }
}

impl Audit {
    /// All sampled moves together.
    pub fn total(&self) -> Judged {
        self.judged(|_| true)
    }

    /// The sampled moves of one sort.
    pub fn judged(&self, wanted: impl Fn(&Sample) -> bool) -> Judged {
        let mut judged = Judged::default();
        for sample in self.samples.iter().filter(|sample| wanted(sample)) {
            judged.count(sample, 1);
        }
        judged
    }

    /// The missed rate of the sampled moves of one sort, with an interval from resampling positions; `None` when none of them
    /// was reduced and failed low.
    pub fn missed_rate(&self, resamples: &Resamples, wanted: impl Fn(&Sample) -> bool) -> Option<Estimated> {
        let mut by_position = vec![Judged::default(); self.positions];
        let mut total = Judged::default();
        for sample in self.samples.iter().filter(|sample| wanted(sample)) {
            total.count(sample, 1);
            if let Some(judged) = by_position.get_mut(sample.position) {
                judged.count(sample, 1);
            }
        }
        let rate = |set: &[u32]| {
            let (mut missed, mut dismissed) = (0, 0);
            for (judged, weight) in by_position.iter().zip(set) {
                missed += judged.missed * u64::from(*weight);
                dismissed += judged.dismissed() * u64::from(*weight);
            }
            ratio(missed, dismissed)
        };
        Some(Estimated {
            value: total.missed_rate()?,
            interval: resamples.interval(rate),
        })
    }

    /// Resampled sets of this audit's positions.
    pub fn resamples(&self, count: usize, seed: u64) -> Resamples {
        Resamples::new(self.positions, count, seed)
    }

    /// The curve of every predictor: the policy's own reduction first, then the others, the best first. Facts that are
    /// the same for all sampled moves are left out. Empty when all moves raise alpha, or when none does.
    pub fn predictors(&self, resamples: &Resamples) -> Vec<Predictor> {
        let points = |value: &dyn Fn(&Sample) -> f64| -> Vec<Point> {
            self.samples
                .iter()
                .filter_map(|sample| {
                    Some(Point {
                        value: value(sample),
                        raises: sample.raises?,
                        cluster: sample.position,
                    })
                })
                .collect()
        };
        let reduction = points(&|sample| f64::from(sample.reduction));
        let Some(roc) = Roc::new(&reduction, Some(true), resamples) else {
            return Vec::new();
        };
        let mut all = vec![Predictor { fact: None, roc }];
        // The same as the move number, counted from 0.
        let moves_searched = NamedFact::Known(Fact::MovesSearched);
        let facts = self.facts.facts().iter().enumerate();
        for (index, fact) in facts.filter(|(_, fact)| **fact != moves_searched) {
            let points = points(&|sample| sample.values[index]);
            let is_constant = points.windows(2).all(|pair| pair[0].value == pair[1].value);
            if !is_constant && let Some(roc) = Roc::new(&points, None, resamples) {
                all.push(Predictor {
                    fact: Some(fact.clone()),
                    roc,
                });
            }
        }
        all[1..].sort_by(|a, b| b.roc.auc.value.total_cmp(&a.roc.auc.value));
        all
    }
}
