//! A model of pairs of games: random outcomes, given the difference in strength.

use crate::random::Random;
use lmrlab_stats::{Elo, PairOutcome};

/// Half the width, in Elo, of the differences at which a game is drawn (Coulom's model).
const DRAW_ELO: f64 = 100.0;
/// The advantage of an opening for one side, in Elo.
const OPENING_ELO: f64 = 100.0;
/// The greatest difference in strength, in Elo; greater ones count as this.
const GREATEST: i32 = 700;

/// Draws random outcomes of pairs.
///
/// Each game follows the model of Bayeselo (Coulom, 2005), with a draw margin and an opening that favours the same side in
/// both games, so the games of a pair are correlated. Between equal players 26% of the games are drawn and the pairs
/// fall into the five outcomes as 12 : 19 : 38 : 19 : 12; those of `micromax-4` against `none` in results/published as
/// 12 : 15 : 38 : 17 : 17.
#[derive(Debug, Clone)]
pub struct PairModel {
    /// For each whole difference from -`GREATEST`: the cumulative probabilities of the first four outcomes.
    chances: Vec<[f64; 4]>,
}

impl Default for PairModel {
    fn default() -> Self {
        Self::new()
    }
}

impl PairModel {
    /// The model, with its table of probabilities.
    pub fn new() -> Self {
        let chances = (-GREATEST..=GREATEST)
            .map(|elo| {
                let outcomes = outcomes(inner_difference(f64::from(elo)));
                let mut sum = 0.0;
                std::array::from_fn(|index| {
                    sum += outcomes[index];
                    sum
                })
            })
            .collect();
        Self { chances }
    }

    /// The outcome of a pair whose first player is stronger by `elo` (logistic).
    pub fn play(&self, elo: f64, random: &mut Random) -> PairOutcome {
        let greatest = f64::from(GREATEST);
        let place = elo.clamp(-greatest, greatest - 1e-9) + greatest;
        let below = place as usize;
        let fraction = place - below as f64;
        let draw = random.uniform();
        let (low, high) = (&self.chances[below], &self.chances[below + 1]);
        let outcome = (0..4)
            .take_while(|&index| draw >= low[index] + fraction * (high[index] - low[index]))
            .count();
        PairOutcome::ALL[outcome]
    }
}

/// Probabilities of the five outcomes when the first player is stronger by `elo` on the model's own scale.
fn outcomes(elo: f64) -> [f64; 5] {
    let [first, second] = [OPENING_ELO, -OPENING_ELO].map(|opening| {
        let win = Elo(elo + opening - DRAW_ELO).expected_score();
        let loss = Elo(-elo - opening - DRAW_ELO).expected_score();
        [loss, 1.0 - win - loss, win]
    });
    let mut chances = [0.0; 5];
    for (points, chance) in first.iter().enumerate() {
        for (more, other) in second.iter().enumerate() {
            chances[points + more] += chance * other;
        }
    }
    chances
}

fn score(elo: f64) -> f64 {
    let chances = outcomes(elo);
    (0..5).map(|points| points as f64 * chances[points]).sum::<f64>() / 4.0
}

/// The difference on the model's own scale that has the expected score of a difference in logistic Elo.
fn inner_difference(elo: f64) -> f64 {
    let wanted = Elo(elo).expected_score();
    let (mut low, mut high) = (-3000.0, 3000.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if score(middle) < wanted {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lmrlab_stats::Pentanomial;

    fn played(elo: f64) -> Pentanomial {
        let model = PairModel::new();
        let mut random = Random::new(5, 5);
        let mut counts = Pentanomial::default();
        for _ in 0..40_000 {
            counts.record(model.play(elo, &mut random));
        }
        counts
    }

    #[test]
    fn scores_as_the_difference_says() {
        for elo in [-300.0, -42.5, 0.0, 10.0, 699.0] {
            let score = played(elo).score().expect("pairs");
            assert!((score - Elo(elo).expected_score()).abs() < 0.006, "{elo}: {score}");
        }
    }

    #[test]
    fn pairs_are_like_real_ones() {
        let shares = played(0.0).counts().map(|count| count as f64 / 40_000.0);
        for (share, expected) in shares.iter().zip([0.12, 0.19, 0.38, 0.19, 0.12]) {
            assert!((share - expected).abs() < 0.01, "{shares:?}");
        }
    }
}
