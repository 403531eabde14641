//! Judges networks by positions that none of them learned from.

use std::collections::BTreeMap;

use lmrlab_engine::evaluation::{endgame_scales, sum_of_structure};
use lmrlab_engine::network::Network;
use lmrlab_engine::position::Position;
use lmrlab_stats::DEVIATIONS_95;
use rayon::prelude::*;

use super::curve::{best_curve, logistic};
use super::samples::Sample;

/// How well some networks foretell what searches found.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// The number of games of the positions.
    pub games: usize,
    /// Steepness of the logistic curve that fits the searches' scores to the results best, per centipawn.
    pub curve: f64,
    /// One for each network, in their order.
    pub networks: Vec<Loss>,
}

/// The loss of one network.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Loss {
    /// The mean squared error of the expected result: that of the evaluation against that of the search's score.
    pub squared: f64,
    /// By how much it is more than that of the first network; negative for a better one.
    pub difference: f64,
    /// Half the width of the 95% interval of the difference. Games count as independent, positions of a game do not. NaN for
    /// a single game.
    pub difference_error_95: f64,
}

/// Judges networks by these positions.
///
/// Returns `None` when there are no positions.
pub fn judge(networks: &[Network], samples: &[(Sample, Position)]) -> Option<Judgement> {
    if samples.is_empty() {
        return None;
    }
    let count = samples.len() as f64;
    let curve = best_curve(|curve| {
        let loss = |sample: &Sample| {
            let result = f64::from(sample.white_half_points) / 2.0;
            squared(logistic(curve * f64::from(sample.white_score_cp)) - result)
        };
        samples.iter().map(|(sample, _)| loss(sample)).sum::<f64>() / count
    });
    let errors: Vec<Vec<f64>> = samples
        .par_iter()
        .map(|(sample, position)| errors(networks, sample, position, curve))
        .collect();
    let mut games: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (index, (sample, _)) in samples.iter().enumerate() {
        games.entry(sample.game).or_default().push(index);
    }
    let mean = |network: usize| errors.iter().map(|errors| errors[network]).sum::<f64>() / count;
    let networks = (0..networks.len()).map(|network| {
        let difference = mean(network) - mean(0);
        // The variance of a ratio of sums over clusters (Cochran, Sampling Techniques, 1977, chapter 6).
        let spread: f64 = games
            .values()
            .map(|positions| {
                squared(
                    positions
                        .iter()
                        .map(|&at| errors[at][network] - errors[at][0] - difference)
                        .sum(),
                )
            })
            .sum();
        let clusters = games.len() as f64;
        Loss {
            squared: mean(network),
            difference,
            difference_error_95: DEVIATIONS_95 * libm::sqrt(spread * clusters / (clusters - 1.0)) / count,
        }
    });
    Some(Judgement {
        curve,
        networks: networks.collect(),
        games: games.len(),
    })
}

/// The squared error of each network in one position.
fn errors(networks: &[Network], sample: &Sample, position: &Position, curve: f64) -> Vec<f64> {
    let structure = sum_of_structure(position);
    let scales = endgame_scales(position);
    let white = position.side_to_move() == cozy_chess::Color::White;
    let score = if white {
        sample.white_score_cp
    } else {
        -sample.white_score_cp
    };
    let target = logistic(curve * f64::from(score));
    let error = |network: &Network| {
        let sum = structure + network.evaluate(position);
        let evaluation = f64::from(sum) * f64::from(scales[usize::from(sum < 0)]);
        squared(logistic(curve * evaluation) - target)
    };
    networks.iter().map(error).collect()
}

fn squared(x: f64) -> f64 {
    x * x
}

#[cfg(test)]
mod tests {
    use super::*;

    const FENS: [&str; 4] = [
        "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ -",
        "r2q1rk1/5ppp/p1nb4/1p1Q1N2/3P4/1P4P1/P4PBP/2R2RK1 b - -",
        "8/5k2/3p4/1p1P4/1P3B2/5K2/8/6b1 w - -",
        "4r1k1/5p1p/1P4p1/8/1b3P2/p2p2P1/R2R3K/8 b - -",
    ];

    /// Positions whose scores are the evaluation by a network.
    fn scored(network: &Network, game: impl Fn(usize) -> u64) -> Vec<(Sample, Position)> {
        let sample = |(index, fen): (usize, &&str)| {
            let position = Position::from_fen(fen).unwrap();
            let sum = sum_of_structure(&position) + network.evaluate(&position);
            let scaled = f64::from(sum) * f64::from(endgame_scales(&position)[usize::from(sum < 0)]);
            let white = position.side_to_move() == cozy_chess::Color::White;
            let score = if white { scaled } else { -scaled };
            let sample = Sample {
                game: game(index),
                epd: (*fen).to_owned(),
                white_half_points: if score > 0.0 { 2 } else { 0 },
                white_score_cp: libm::round(score) as i32,
            };
            (sample, position)
        };
        FENS.iter().enumerate().map(sample).collect()
    }

    #[test]
    fn the_network_that_gave_the_scores_is_the_best() {
        let networks = [Network::zero(), Network::standard().clone()];
        let samples = scored(Network::standard(), |index| index as u64);
        let judged = judge(&networks, &samples).unwrap();
        assert_eq!(judged.games, 4);
        let [zero, standard] = judged.networks[..] else {
            panic!("{judged:?}")
        };
        assert!(standard.squared < 1e-4 && standard.squared < zero.squared, "{judged:?}");
        assert!((standard.difference - (standard.squared - zero.squared)).abs() < 1e-12);
        assert_eq!((zero.difference, zero.difference_error_95), (0.0, 0.0));
        assert!(standard.difference_error_95 > 0.0);
    }

    #[test]
    fn copies_of_a_game_do_not_make_the_interval_narrower() {
        let networks = [Network::zero(), Network::standard().clone()];
        let once = judge(&networks, &scored(Network::standard(), |index| index as u64)).unwrap();
        let mut twice = scored(Network::standard(), |index| index as u64);
        twice.extend(scored(Network::standard(), |index| index as u64));
        let twice = judge(&networks, &twice).unwrap();
        let [once, twice] = [&once, &twice].map(|judged| judged.networks[1]);
        assert!((once.difference - twice.difference).abs() < 1e-12);
        assert!((once.difference_error_95 - twice.difference_error_95).abs() < 1e-12);
    }

    #[test]
    fn without_positions_there_is_no_judgement() {
        assert_eq!(judge(&[Network::zero()], &[]), None);
    }
}
