//! A race for the best variant: every variant plays every other one, and hopeless variants are dropped.

use super::fate::RaceFate;
use crate::counts::PairOutcome;
use crate::elo::{Elo, NormalizedElo};
use crate::sprt::EloModel;

/// No variant is dropped before this many rounds: the estimate of the noise is too poor.
const FIRST_LOOK: u64 = 16;
/// Prior variance of a pair's score: engines that draw half of their games.
const USUAL_VARIANCE: f64 = 0.0625;
/// The weight of the prior variance, in pairs.
const PRIOR_PAIRS: f64 = 8.0;
/// The weight, in pairs, of the prior mean 1/2 of a pairing's score.
const PRIOR_SCORE_PAIRS: f64 = 2.0;

/// All remaining variants play each other.
///
/// In a round of m variants, each pairing is played once, all from one opening. The lead of a variant is its score above one
/// half, summed over its pairs. A variant that is better than another by `d` in the score of a pair gains `m d` on it in
/// each round: `2 d` in the pair that they play, and `d` against each of the others.
///
/// The pairs of a round are not independent: variants of one policy often play the same games. So a
/// round is one observation. It adds to the difference of two leads. The noise is the square of this addition beyond what the
/// pairings score on average, summed over rounds.
#[derive(Debug, Clone)]
pub(super) struct Best {
    model: EloModel,
    elo: f64,
    /// (k - 1) / 2α.
    odds: f64,
    /// The score of each variant above one half, summed over its pairs. The score of a pair is the mean of its games.
    leads: Vec<f64>,
    /// The pairs of each pairing, by first and second.
    pairings: Vec<Vec<Scores>>,
    /// What the present round added to each lead beyond what was expected.
    unexpected: Vec<f64>,
    /// The products of the unexpected leads of two variants, summed over rounds.
    products: Vec<Vec<f64>>,
    /// The sum over rounds of the number of variants in each: by `d` times this, a variant that is better by `d` is ahead.
    gains: f64,
    rounds: u64,
}

/// The scores above one half of the pairs of a pairing.
#[derive(Debug, Clone, Copy, Default)]
struct Scores {
    pairs: f64,
    sum: f64,
    /// Of the unexpected part of each score.
    squares: f64,
}

impl Scores {
    /// Counts a score, and returns the part of it that the scores before it did not let expect.
    fn record(&mut self, score: f64) -> f64 {
        let unexpected = score - self.sum / (self.pairs + PRIOR_SCORE_PAIRS);
        self.pairs += 1.0;
        self.sum += score;
        self.squares += unexpected * unexpected;
        unexpected
    }
}

impl Best {
    pub(super) fn new(variants: usize, model: EloModel, elo: f64, alpha: f64) -> Self {
        Self {
            model,
            elo,
            odds: (variants - 1) as f64 / (2.0 * alpha),
            leads: vec![0.0; variants],
            pairings: vec![vec![Scores::default(); variants]; variants],
            unexpected: vec![0.0; variants],
            products: vec![vec![0.0; variants]; variants],
            gains: 0.0,
            rounds: 0,
        }
    }

    pub(super) fn record(&mut self, first: usize, second: usize, outcome: PairOutcome) {
        let score = f64::from(outcome.half_points()) / 4.0 - 0.5;
        self.leads[first] += score;
        self.leads[second] -= score;
        let unexpected = self.pairings[first][second].record(score);
        self.unexpected[first] += unexpected;
        self.unexpected[second] -= unexpected;
    }

    /// Notes that all racing variants have played a round.
    pub(super) fn end_of_round(&mut self, fates: &[RaceFate]) {
        let racing = racing(fates);
        for &one in &racing {
            for &other in &racing {
                self.products[one][other] += self.unexpected[one] * self.unexpected[other];
            }
        }
        self.unexpected.fill(0.0);
        self.gains += racing.len() as f64;
        self.rounds += 1;
    }

    /// Drops the variants that are too far behind another one. When only one is left, it is accepted.
    pub(super) fn drop_hopeless(&self, fates: &mut [RaceFate], rounds: u64) {
        if self.rounds < FIRST_LOOK {
            return;
        }
        let mut racing = racing(fates);
        // The best first. The sort is stable, so the first of several with one lead is the best of them.
        racing.sort_by(|&a, &b| self.leads[b].total_cmp(&self.leads[a]));
        // The last first: what is dropped drops no other variant, and one variant is left in any case.
        let mut place = racing.len();
        while place > 1 {
            place -= 1;
            let variant = racing[place];
            if racing[..place].iter().any(|&better| self.is_behind(variant, better)) {
                fates[variant] = RaceFate::Dropped { rounds };
                racing.remove(place);
            }
        }
        if let [winner] = racing[..] {
            fates[winner] = RaceFate::Accepted { rounds };
        }
    }

    /// Whether a variant is hopelessly behind another one. The bound ends at zero. Then variants with the same lead are
    /// dropped, too: one is as good as the other.
    fn is_behind(&self, variant: usize, better: usize) -> bool {
        let noise = self.noise(variant, better);
        let difference = match self.model {
            EloModel::Logistic => Elo(self.elo).expected_score() - 0.5,
            // Two games a pair.
            EloModel::Normalized => NormalizedElo(self.elo).t_value(2) * self.variance(variant, better).sqrt(),
        };
        let bound = 2.0 * noise / difference * self.caution() - difference / 2.0 * self.gains;
        self.leads[better] - self.leads[variant] >= bound.max(0.0)
    }

    /// The constant of the procedure. With the noise known, it is the logarithm of the odds. The noise of some rounds is an
    /// estimate, and asks for more.
    fn caution(&self) -> f64 {
        let freedom = self.rounds as f64 - 1.0;
        freedom / 2.0 * libm::expm1(libm::log(self.odds) * 2.0 / freedom)
    }

    /// The variance of the difference of two leads for each `2 d` of [`Self::gains`]. It is the variance of a pair's score
    /// when all pairs are independent and vary alike.
    fn noise(&self, one: usize, other: usize) -> f64 {
        let variance = self.products[one][one] + self.products[other][other] - 2.0 * self.products[one][other];
        (variance / 2.0 + PRIOR_PAIRS * USUAL_VARIANCE) / (self.gains + PRIOR_PAIRS)
    }

    /// Variance of the score of a pair that two variants play against each other.
    fn variance(&self, one: usize, other: usize) -> f64 {
        let scores = self.pairings[one.min(other)][one.max(other)];
        (scores.squares + PRIOR_PAIRS * USUAL_VARIANCE) / (scores.pairs + PRIOR_PAIRS)
    }
}

fn racing(fates: &[RaceFate]) -> Vec<usize> {
    let variants = 0..fates.len();
    variants.filter(|&variant| fates[variant] == RaceFate::Racing).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_pcg::Pcg64;
    use rand_pcg::rand_core::Rng;

    /// The noise between the first variant and a rival after many rounds in which every pair is won or lost.
    fn noise(wins: &mut dyn FnMut(usize, usize, bool) -> bool) -> f64 {
        let mut random = Pcg64::new(1, 1);
        let mut best = Best::new(5, EloModel::Normalized, 20.0, 0.05);
        for _ in 0..4000 {
            let of_round = random.next_u32().is_multiple_of(2);
            for first in 0..5 {
                for second in first + 1..5 {
                    let outcome = match wins(first, second, of_round) {
                        true => PairOutcome::WinWin,
                        false => PairOutcome::LossLoss,
                    };
                    best.record(first, second, outcome);
                }
            }
            best.end_of_round(&[RaceFate::Racing; 5]);
        }
        best.noise(0, 1)
    }

    #[test]
    fn rivals_that_play_the_same_games_count_once() {
        let mut random = Pcg64::new(2, 2);
        let independent = noise(&mut |_, _, _| random.next_u32().is_multiple_of(2));
        assert!((independent - 0.25).abs() < 0.02, "{independent}");
        // The first variant wins or loses the same pair against each of them. So it gains or loses 5 d in a round, with a
        // variance of 25 * 0.25, where independent pairs have 10 * 0.25.
        let same = noise(&mut |first, second, of_round| if first == 0 { of_round } else { second.is_multiple_of(2) });
        assert!((same - 2.5 * 0.25).abs() < 0.02, "{same}");
    }
}
