//! Effects that add up in Elo, fitted to the scores of pairs.

use std::collections::BTreeMap;

use crate::elo::ELO_PER_UNIT;
use crate::linear_algebra::{Cholesky, dot};
use crate::normal::DEVIATIONS_95;
use crate::pentanomial::PairOutcome;

/// Elo for each unit of the logistic curve's exponent.
const ELO_PER_NATURAL_UNIT: f64 = ELO_PER_UNIT / 2.0;
/// The standard deviation of the prior of an effect, in Elo. It only matters for an effect that the games do not bound,
/// as that of an idea that lost every game.
const PRIOR_ELO: f64 = 2000.0;
/// The precision of the prior of an effect, in natural units.
const PRIOR: f64 = (ELO_PER_NATURAL_UNIT / PRIOR_ELO) * (ELO_PER_NATURAL_UNIT / PRIOR_ELO);
/// Newton steps at most; about ten are usual.
const MAX_STEPS: u32 = 100;
/// A fit has converged when no effect changes by more than this, in natural units.
const CONVERGED: f64 = 1e-10;

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
    let mut effects = vec![0.0; size];
    let mut point = Likelihood::at(pairs, &effects);
    for _ in 0..MAX_STEPS {
        let mut step = point.gradient.clone();
        point.curvature(size)?.solve(&mut step);
        let mut length = 1.0;
        let next = loop {
            let next: Vec<f64> = effects
                .iter()
                .zip(&step)
                .map(|(old, step)| old + length * step)
                .collect();
            let there = Likelihood::at(pairs, &next);
            let slack = 1e-12 * point.log_likelihood.abs();
            if there.log_likelihood >= point.log_likelihood - slack || length < 1e-6 {
                point = there;
                break next;
            }
            length /= 2.0;
        };
        let change = effects
            .iter()
            .zip(&next)
            .map(|(old, new)| (old - new).abs())
            .fold(0.0, f64::max);
        effects = next;
        if change < CONVERGED {
            break;
        }
    }
    let curvature = point.curvature(size)?;
    let covariance = covariance(pairs, &point, &curvature, size);
    // What the likelihood's third derivatives add to the expected estimate.
    let mut bias = vec![0.0; size];
    for (pair, &expected) in pairs.iter().zip(&point.expected) {
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

/// The likelihood at some effects.
struct Likelihood {
    /// The expected score of the first side of each pair.
    expected: Vec<f64>,
    gradient: Vec<f64>,
    /// The second derivatives, negated, row by row.
    second: Vec<f64>,
    log_likelihood: f64,
}

fn score(pair: &EffectPair) -> f64 {
    f64::from(pair.outcome.half_points()) / 4.0
}

impl Likelihood {
    fn at(pairs: &[EffectPair], effects: &[f64]) -> Self {
        let size = effects.len();
        let mut gradient: Vec<f64> = effects.iter().map(|effect| -PRIOR * effect).collect();
        let mut second = vec![0.0; size * size];
        let mut log_likelihood = -PRIOR * dot(effects, effects) / 2.0;
        let mut all = Vec::with_capacity(pairs.len());
        for pair in pairs {
            let exponent = dot(&pair.signs, effects);
            let expected = 0.5 + 0.5 * libm::tanh(exponent / 2.0);
            // ln of the logistic function, from the side that does not cancel.
            let log = |x: f64| x.min(0.0) - libm::log1p(libm::exp(-x.abs()));
            log_likelihood += score(pair) * log(exponent) + (1.0 - score(pair)) * log(-exponent);
            let (rest, weight) = (score(pair) - expected, expected * (1.0 - expected));
            for (row, sign) in pair.signs.iter().enumerate().filter(|(_, sign)| **sign != 0.0) {
                gradient[row] += rest * sign;
                let columns = &mut second[row * size..=row * size + row];
                for (cell, other) in columns.iter_mut().zip(&pair.signs) {
                    *cell += weight * sign * other;
                }
            }
            all.push(expected);
        }
        for row in 0..size {
            second[row * size + row] += PRIOR;
        }
        Self {
            expected: all,
            gradient,
            second,
            log_likelihood,
        }
    }

    fn curvature(&self, size: usize) -> Option<Cholesky> {
        Cholesky::new(self.second.clone(), size)
    }
}

/// The covariance of the effects, row by row, in natural units.
fn covariance(pairs: &[EffectPair], point: &Likelihood, curvature: &Cholesky, size: usize) -> Vec<f64> {
    let mut openings: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for (pair, expected) in pairs.iter().zip(&point.expected) {
        let of_opening = openings.entry(pair.opening).or_insert_with(|| vec![0.0; size]);
        let rest = score(pair) - expected;
        for (sum, sign) in of_opening.iter_mut().zip(&pair.signs) {
            *sum += rest * sign;
        }
    }
    let mut noise = vec![0.0; size * size];
    for sums in openings.values() {
        for (row, sum) in sums.iter().enumerate() {
            for (cell, other) in noise[row * size..(row + 1) * size].iter_mut().zip(sums) {
                *cell += sum * other;
            }
        }
    }
    // The fit has taken its part of the noise.
    let clusters = openings.len() as f64;
    let freedom = (clusters - size as f64).max(1.0);
    noise.iter_mut().for_each(|cell| *cell *= clusters / freedom);
    for row in 0..size {
        let cell = &mut noise[row * size + row];
        *cell += if *cell > 0.0 { PRIOR } else { 0.0 };
    }
    // Both matrices are symmetric, so the rows of the first result are the columns of the second problem.
    curvature.solve_rows(&mut noise);
    for row in 0..size {
        for column in 0..row {
            noise.swap(row * size + column, column * size + row);
        }
    }
    curvature.solve_rows(&mut noise);
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
