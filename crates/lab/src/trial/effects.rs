//! The effect of each idea, by least squares over the pairs.

use lmrlab_stats::linear_algebra::{Cholesky, dot};
use lmrlab_stats::{DEVIATIONS_95, PairOutcome};

use crate::measures::Paired;

/// Elo for each unit of score between equals: the slope of -400 log10(1/s - 1) at one half.
const ELO_PER_SCORE: f64 = 1600.0 / std::f64::consts::LN_10;

/// The Elo of each idea: what a side with it gains against the same side without it, averaged over what else the sides have.
/// `on[pair]` are the ideas of the first side of each pair, and the second side has the others. The score counts as linear in
/// Elo, as it is near one half; errors come from the residuals.
///
/// `None` when there are too few pairs to tell the ideas from each other.
pub fn effects(on: &[Vec<bool>], outcomes: &[Option<PairOutcome>]) -> Option<Vec<Paired>> {
    let pairs: Vec<(Vec<f64>, f64)> = on
        .iter()
        .zip(outcomes)
        .filter_map(|(on, outcome)| {
            let signs = on.iter().map(|on| if *on { 1.0 } else { -1.0 }).collect();
            let score = f64::from((*outcome)?.half_points()) / 4.0;
            Some((signs, score - 0.5))
        })
        .collect();
    let ideas = pairs.first()?.0.len();
    if ideas == 0 || pairs.len() < 2 * ideas {
        return None;
    }
    let column = |idea: usize| pairs.iter().map(|(signs, _)| signs[idea]).collect::<Vec<f64>>();
    let columns: Vec<Vec<f64>> = (0..ideas).map(column).collect();
    let scores: Vec<f64> = pairs.iter().map(|(_, score)| *score).collect();
    let products: Vec<f64> = (0..ideas * ideas)
        .map(|place| dot(&columns[place / ideas], &columns[place % ideas]))
        .collect();
    let products = Cholesky::new(products, ideas)?;
    let mut effects: Vec<f64> = columns.iter().map(|column| dot(column, &scores)).collect();
    products.solve(&mut effects);
    let residuals: f64 = pairs
        .iter()
        .map(|(signs, score)| {
            let left = score - dot(signs, &effects);
            left * left
        })
        .sum();
    let variance = residuals / (pairs.len() - ideas) as f64;
    let with_error = |(idea, effect): (usize, f64)| {
        let unit: Vec<f64> = (0..ideas).map(|other| f64::from(u8::from(other == idea))).collect();
        let deviation = libm::sqrt(variance * products.inverse_form(&unit));
        Paired {
            mean: ELO_PER_SCORE * effect,
            error_95: Some(ELO_PER_SCORE * DEVIATIONS_95 * deviation),
        }
    };
    Some(effects.into_iter().enumerate().map(with_error).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;
    use rand_pcg::Pcg64;

    /// Pairs in which the first side wins a game with the chance that the ideas' Elo gives.
    fn simulated(elo: &[f64], pairs: usize, seed: u128) -> (Vec<Vec<bool>>, Vec<Option<PairOutcome>>) {
        let mut generator = Pcg64::new(seed, 1);
        let on: Vec<Vec<bool>> = (0..pairs)
            .map(|_| elo.iter().map(|_| generator.random_bool(0.5)).collect())
            .collect();
        let outcomes = on
            .iter()
            .map(|on| {
                let sum: f64 = on.iter().zip(elo).map(|(on, elo)| if *on { *elo } else { -elo }).sum();
                let chance = 1.0 / (1.0 + 10f64.powf(-sum / 400.0));
                let points = [(); 2].map(|()| 2 * i32::from(generator.random_bool(chance)));
                Some(match points[0] + points[1] {
                    4 => PairOutcome::WinWin,
                    2 => PairOutcome::Even,
                    _ => PairOutcome::LossLoss,
                })
            })
            .collect();
        (on, outcomes)
    }

    #[test]
    fn known_effects_lie_in_their_intervals() {
        let elo = [30.0, -20.0, 0.0, 8.0, 0.0, -5.0, 12.0, 0.0];
        let (mut covered, mut all) = (0, 0);
        for seed in 0..60 {
            let (on, outcomes) = simulated(&elo, 1500, seed);
            for (effect, truth) in effects(&on, &outcomes).unwrap().into_iter().zip(elo) {
                covered += u32::from((effect.mean - truth).abs() <= effect.error_95.unwrap());
                all += 1;
            }
        }
        let share = f64::from(covered) / f64::from(all);
        assert!((0.92..0.98).contains(&share), "{share}");
    }

    #[test]
    fn pairs_that_were_not_played_do_not_count() {
        let (on, outcomes) = simulated(&[20.0, -20.0], 400, 7);
        let mut longer = outcomes.clone();
        longer.extend([None, None]);
        let mut combinations = on.clone();
        combinations.extend([vec![true, true], vec![true, false]]);
        assert_eq!(effects(&combinations, &longer), effects(&on, &outcomes));
        assert!(effects(&on[..3], &outcomes[..3]).is_none());
        assert!(effects(&[], &[]).is_none());
    }
}
