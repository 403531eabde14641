//! Effects that add up in Elo, fitted to the scores of pairs.

use std::collections::BTreeMap;

use crate::counts::PairOutcome;
use crate::elo::ELO_PER_UNIT;
use crate::linear_algebra::{Cholesky, dot};
use crate::normal::DEVIATIONS_95;
use crate::regression::{Observation, Quadratic, logistic, newton, sandwich};

/// Elo for each unit of the logistic curve's exponent.
const ELO_PER_NATURAL_UNIT: f64 = ELO_PER_UNIT / 2.0;
/// The standard deviation of the prior of an effect, in Elo. It only matters for an effect that the games do not bound,
/// as that of an idea that lost every game.
const PRIOR_ELO: f64 = 2000.0;
/// The precision of the prior of an effect, in natural units.
const PRIOR: f64 = (ELO_PER_NATURAL_UNIT / PRIOR_ELO) * (ELO_PER_NATURAL_UNIT / PRIOR_ELO);
/// A pair of games between two sides.
#[derive(Debug, Clone, PartialEq)]
pub struct EffectPair {
    /// How often each effect counts for the first side: 1 when only that side has it, -1 when only the second has it.
    pub signs: Vec<f64>,
    /// The outcome, from the first side.
    pub outcome: PairOutcome,
    /// The number of its opening. Pairs of one opening are not independent.
    pub opening: usize,
}

/// An effect in Elo.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EloEffect {
    /// What it adds to the Elo of a side.
    pub elo: f64,
    /// Half the width of the 95% interval, in Elo; 0 when no pair differs from what the effects expect, as when all are even.
    pub error_95: f64,
}

/// The effects that explain these pairs best. The expected score of the first side is `1 / (1 + 10^(-d / 400))`, where `d` is
/// the sum of the effects, each multiplied by its sign. Effects have the greatest likelihood when a draw counts as half a win and
/// half a loss.
///
/// Errors come from how much the pairs of each opening together differ from what the effects expect (sandwich estimate,
/// clustered by opening): K.-Y. Liang and S. L. Zeger, *Longitudinal data analysis using generalized linear models*, 1986.
/// The prior counts as one more observation, so an effect that the games do not bound has a wide interval.
/// Estimates of greatest likelihood are too far from 0 by a part that falls with the number of pairs. It is computed, as by
/// G. M. Cordeiro and P. McCullagh, *Bias correction in generalized linear models*, 1991, with the variance of the sandwich, and
/// taken away. With a few dozen pairs the formula exaggerates, so it takes away half of an effect at most.
///
/// `None` when there are fewer pairs than twice the number of effects.
pub fn elo_effects(pairs: &[EffectPair]) -> Option<Vec<EloEffect>> {
    let size = pairs.first()?.signs.len();
    if size == 0 || pairs.len() < 2 * size {
        return None;
    }
    let leads: Vec<Vec<(usize, f64)>> = pairs.iter().map(|pair| lead(&pair.signs)).collect();
    let observations = || {
        pairs.iter().zip(&leads).map(|(pair, lead)| Observation {
            lead,
            offset: 0.0,
            games: 1.0,
            points: score(pair),
        })
    };
    let decomposed = |curvature: Quadratic| Cholesky::new(curvature.matrix, size);
    let effects = newton(observations, size, PRIOR, decomposed, |_| ());
    let expected: Vec<f64> = pairs.iter().map(|pair| logistic(dot(&pair.signs, &effects))).collect();
    let mut curvature = Quadratic::diagonal(size, PRIOR);
    for (lead, expected) in leads.iter().zip(&expected) {
        curvature.add(lead, expected * (1.0 - expected));
    }
    let curvature = decomposed(curvature)?;
    let covariance = sandwich(&curvature, noise(pairs, &expected, size));
    // What the likelihood's third derivatives add to the expected estimate.
    let mut bias = vec![0.0; size];
    for (pair, &expected) in pairs.iter().zip(&expected) {
        let spread: f64 = (0..size)
            .map(|row| pair.signs[row] * dot(&covariance[row * size..(row + 1) * size], &pair.signs))
            .sum();
        let weight = 0.5 * expected * (1.0 - expected) * (1.0 - 2.0 * expected) * spread;
        for (bias, sign) in bias.iter_mut().zip(&pair.signs) {
            *bias -= weight * sign;
        }
    }
    curvature.solve(&mut bias);
    let corrected = |place: usize| {
        let (effect, most) = (effects[place], effects[place].abs() / 2.0);
        effect - bias[place].clamp(-most, most)
    };
    let effect = |place: usize| EloEffect {
        elo: corrected(place) * ELO_PER_NATURAL_UNIT,
        error_95: DEVIATIONS_95 * covariance[place * size + place].max(0.0).sqrt() * ELO_PER_NATURAL_UNIT,
    };
    Some((0..size).map(effect).collect())
}

/// The effects that count for a pair, with their signs.
fn lead(signs: &[f64]) -> Vec<(usize, f64)> {
    signs
        .iter()
        .copied()
        .enumerate()
        .filter(|(_, sign)| *sign != 0.0)
        .collect()
}

fn score(pair: &EffectPair) -> f64 {
    f64::from(pair.outcome.half_points()) / 4.0
}

/// The variance of the likelihood's first derivatives.
fn noise(pairs: &[EffectPair], expected: &[f64], size: usize) -> Quadratic {
    let mut openings: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for (pair, expected) in pairs.iter().zip(expected) {
        let of_opening = openings.entry(pair.opening).or_insert_with(|| vec![0.0; size]);
        for (sum, sign) in of_opening.iter_mut().zip(&pair.signs) {
            *sum += (score(pair) - expected) * sign;
        }
    }
    // The fit has taken its part of the noise.
    let clusters = openings.len() as f64;
    let freedom = (clusters - size as f64).max(1.0);
    let mut noise = Quadratic::diagonal(size, 0.0);
    for sums in openings.values() {
        noise.add(&lead(sums), clusters / freedom);
    }
    for cell in noise.matrix.iter_mut().step_by(size + 1) {
        *cell += if *cell > 0.0 { PRIOR } else { 0.0 };
    }
    noise
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(sign: f64, outcome: PairOutcome, opening: usize) -> EffectPair {
        EffectPair {
            signs: vec![sign],
            outcome,
            opening,
        }
    }

    #[test]
    fn one_effect_is_the_elo_of_a_match() {
        let counts = [
            (PairOutcome::WinWin, 300),
            (PairOutcome::Even, 500),
            (PairOutcome::LossLoss, 200),
        ];
        let outcomes = counts
            .into_iter()
            .flat_map(|(outcome, count)| std::iter::repeat_n(outcome, count));
        let pairs: Vec<EffectPair> = outcomes
            .enumerate()
            .map(|(index, outcome)| pair(1.0, outcome, index))
            .collect();
        let effect = elo_effects(&pairs).unwrap()[0];
        let [losses, evens, wins] = [200, 500, 300];
        let estimate = crate::Estimate::of(&crate::Pentanomial::new([losses, 0, evens, 0, wins])).unwrap();
        assert!((effect.elo - estimate.elo.0).abs() < 0.1, "{effect:?} {estimate:?}");
        // Opposite sides of the same pairs say the same.
        let turned: Vec<EffectPair> = (pairs.iter())
            .map(|pair| EffectPair {
                signs: vec![-1.0],
                outcome: PairOutcome::ALL[4 - pair.outcome as usize],
                ..pair.clone()
            })
            .collect();
        assert!((elo_effects(&turned).unwrap()[0].elo - effect.elo).abs() < 1e-6);
        // The same pairs on half as many openings, each twice alike, have an error larger by the root of 2.
        let alike: Vec<EffectPair> = (0..2).flat_map(|_| pairs.iter().step_by(2).cloned()).collect();
        let ratio = elo_effects(&alike).unwrap()[0].error_95 / effect.error_95;
        assert!((ratio - 2_f64.sqrt()).abs() < 0.01, "{ratio}");
    }

    #[test]
    fn an_effect_that_wins_every_game_is_finite() {
        let pairs: Vec<EffectPair> = (0..50).map(|index| pair(1.0, PairOutcome::WinWin, index)).collect();
        let effect = elo_effects(&pairs).unwrap()[0];
        assert!(effect.elo.is_finite() && effect.elo > 500.0, "{effect:?}");
        // An effect of 700 Elo wins all of 100 games with a probability of 17%.
        assert!(
            effect.error_95.is_finite() && effect.elo - effect.error_95 < 700.0,
            "{effect:?}"
        );
    }

    #[test]
    fn too_few_pairs_say_nothing() {
        assert_eq!(elo_effects(&[]), None);
        assert_eq!(elo_effects(&[pair(1.0, PairOutcome::Even, 0)]), None);
        let drawn = vec![pair(1.0, PairOutcome::Even, 0); 4];
        let effect = elo_effects(&drawn).unwrap()[0];
        assert_eq!((effect.elo, effect.error_95), (0.0, 0.0));
    }

    #[test]
    fn effects_that_always_come_together_have_wide_intervals() {
        let outcomes = [
            PairOutcome::WinWin,
            PairOutcome::Even,
            PairOutcome::WinWin,
            PairOutcome::LossLoss,
        ];
        let pairs: Vec<EffectPair> = (0..200)
            .map(|index| EffectPair {
                signs: vec![1.0, 1.0],
                ..pair(1.0, outcomes[index % 4], index)
            })
            .collect();
        let effects = elo_effects(&pairs).unwrap();
        assert!((effects[0].elo - effects[1].elo).abs() < 1e-6, "{effects:?}");
        assert!(effects.iter().all(|effect| effect.error_95 > 1000.0), "{effects:?}");
    }
}
