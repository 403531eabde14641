//! A race for the best variant: every variant plays every other one, and hopeless variants are dropped.

use super::fate::Fate;
use crate::elo::{Elo, NormalizedElo};
use crate::moments::Moments;
use crate::pentanomial::{PairOutcome, Pentanomial};
use crate::sprt::EloModel;

/// No variant is dropped before this many rounds: the estimate of the noise is too poor.
const FIRST_LOOK: u64 = 16;
/// Prior variance of a pair's score, and its weight in pairs: engines that draw half of their games.
const USUAL_VARIANCE: (f64, f64) = (0.0625, 4.0);

/// All remaining variants play each other.
///
/// In a round of m variants, each pairing is played once. This measures the difference of two variants as well as m / 2
/// pairs between the two would. Rounds are counted in such pairs.
#[derive(Debug, Clone)]
pub(super) struct Best {
    model: EloModel,
    elo: f64,
    /// ln((k - 1) / 2α).
    caution: f64,
    /// The score of each variant above one half, summed over its pairs. The score of a pair is the mean of its games.
    leads: Vec<f64>,
    /// Counts of each pairing, by first and second.
    pairings: Vec<Vec<Pentanomial>>,
    /// The number of direct pairs between two variants that would measure their difference as well.
    information: f64,
    rounds: u64,
}

impl Best {
    pub(super) fn new(variants: usize, model: EloModel, elo: f64, alpha: f64) -> Self {
        Self {
            model,
            elo,
            caution: libm::log((variants - 1) as f64 / (2.0 * alpha)),
            leads: vec![0.0; variants],
            pairings: vec![vec![Pentanomial::default(); variants]; variants],
            information: 0.0,
            rounds: 0,
        }
    }

    pub(super) fn record(&mut self, first: usize, second: usize, outcome: PairOutcome) {
        let lead = f64::from(outcome.half_points()) / 4.0 - 0.5;
        self.leads[first] += lead;
        self.leads[second] -= lead;
        self.pairings[first][second].record(outcome);
    }

    /// Notes that all racing variants have played this number of rounds.
    pub(super) fn end_of_rounds(&mut self, rounds: u64, fates: &[Fate]) {
        let racing = fates.iter().filter(|&&fate| fate == Fate::Racing).count();
        self.information += rounds as f64 * racing as f64 / 2.0;
        self.rounds += rounds;
    }

    /// Drops the variants that are too far behind the leader. When only the leader is left, it is accepted.
    pub(super) fn drop_hopeless(&self, fates: &mut [Fate], rounds: u64) {
        if self.rounds < FIRST_LOOK {
            return;
        }
        let variance = self.variance();
        let difference = match self.model {
            EloModel::Logistic => Elo(self.elo).expected_score() - 0.5,
            // Two games a pair.
            EloModel::Normalized => NormalizedElo(self.elo).t_value(2) * variance.sqrt(),
        };
        let bound = variance / difference * self.caution - difference / 2.0 * self.information;
        let racing = |fates: &[Fate]| -> Vec<usize> {
            (0..fates.len())
                .filter(|&variant| fates[variant] == Fate::Racing)
                .collect()
        };
        let mut leader = None;
        for variant in racing(fates) {
            if leader.is_none_or(|best: usize| self.leads[variant] > self.leads[best]) {
                leader = Some(variant);
            }
        }
        let Some(leader) = leader else {
            return;
        };
        for variant in racing(fates) {
            // The bound ends at zero. Then variants with the leader's score are dropped, too: the first one is as good
            // as the others.
            let behind = (self.leads[leader] - self.leads[variant]) / 2.0;
            if variant != leader && behind >= bound.max(0.0) {
                fates[variant] = Fate::Dropped { rounds };
            }
        }
        if racing(fates).len() == 1 {
            fates[leader] = Fate::Accepted { rounds };
        }
    }

    /// Variance of a pair's score, around what its pairing scored on average.
    fn variance(&self) -> f64 {
        let (usual, weight) = USUAL_VARIANCE;
        let (mut squares, mut freedom) = (usual * weight, weight);
        for pairing in self.pairings.iter().flatten() {
            if let Some(moments) = Moments::of(pairing) {
                squares += moments.variance * moments.outcomes;
                freedom += moments.outcomes - 1.0;
            }
        }
        squares / freedom
    }
}
