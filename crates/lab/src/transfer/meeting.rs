//! Two policies that meet in a search, and the pairs of games that they play there.

use std::ops::Range;

use lmrlab_stats::PairOutcome;

use crate::kept::Key;
use crate::measures::{Contest, play_pair};
use crate::variant::Variant;
use crate::workers::Workers;

/// Two policies, each in the same search.
#[derive(Debug, Clone)]
pub(crate) struct Meeting {
    /// The policy whose worth is asked for.
    pub(crate) idea: Variant,
    /// The policy that it is compared with.
    pub(crate) baseline: Variant,
    /// What the order of the openings comes from.
    pub(crate) seed: u64,
}

/// Pairs of a meeting at a budget.
#[derive(Debug, Clone)]
pub(crate) struct Batch<'m> {
    /// Under which number their results are kept.
    pub(crate) row: usize,
    pub(crate) meeting: &'m Meeting,
    /// Nodes a move.
    pub(crate) nodes: u64,
    /// The numbers of the pairs, from 0.
    pub(crate) pairs: Range<u64>,
}

/// Plays batches, each of which has a row of its own. The outcomes are in the order of the pairs, from the side of the idea; `None`
/// for those that were left when the workers were asked to stop.
pub(crate) fn play(batches: &[Batch<'_>], contest: &Contest, workers: &Workers) -> Vec<Vec<Option<PairOutcome>>> {
    let starts: Vec<_> = batches.iter().map(|batch| contest.starts(batch.meeting.seed)).collect();
    let keys = batches.iter().flat_map(|batch| {
        batch.pairs.clone().map(|pair| Key {
            row: batch.row,
            measure: "elo".to_owned(),
            job: pair as usize,
        })
    });
    let keys: Vec<Key> = keys.collect();
    let outcomes = workers.measure_keys(&keys, |key| {
        let (batch, starts) = batches.iter().zip(&starts).find(|(batch, _)| batch.row == key.row)?;
        let Meeting { idea, baseline, .. } = batch.meeting;
        play_pair(idea, baseline, &starts.of(key.job as u64)?, batch.nodes)
    });
    let mut outcomes = outcomes.into_iter();
    let of_batch = |batch: &Batch<'_>| {
        let pairs = batch.pairs.end.saturating_sub(batch.pairs.start) as usize;
        outcomes.by_ref().take(pairs).collect()
    };
    batches.iter().map(of_batch).collect()
}
