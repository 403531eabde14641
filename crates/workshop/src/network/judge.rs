//! Compares networks with the engine's, on positions that were not used for training.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use lmrlab_engine::evaluation::{endgame_scales, sum_of_structure};
use lmrlab_engine::network::Network;
use lmrlab_engine::position::Position;
use lmrlab_results::failure::Failure;
use lmrlab_runner::text_table::TextTable;
use lmrlab_stats::DEVIATIONS_95;
use rayon::prelude::*;

use super::read;
use crate::descent::{logistic, squared};
use crate::samples::{self, Sample};

/// The networks, and the positions to compare them on.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  lmrlab-workshop judge new.network --positions others.csv\n\nA network that learned from these positions looks better than it is."
)]
pub(crate) struct Judge {
    /// Files of networks, to compare with that of the engine.
    #[arg(required = true, value_name = "NETWORK")]
    networks: Vec<PathBuf>,
    /// Files of positions from which no network learned.
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    positions: Vec<PathBuf>,
}

/// The loss of one network.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Loss {
    /// The mean squared error of the expected result. The error is the difference between the evaluation and the
    /// search's score, both as expected results.
    squared: f64,
    /// How much greater it is than that of the first network; negative for a better network.
    difference: f64,
    /// Half the width of the 95% interval of the difference. Games are taken as independent, positions of a game are
    /// not. NaN for a single game.
    difference_error_95: f64,
}

/// Prints a table.
pub(crate) fn run(arguments: &Judge) -> Result<(), Failure> {
    let mut names = vec!["the engine's".to_owned()];
    let mut networks = vec![Network::standard().clone()];
    for path in &arguments.networks {
        names.push(path.display().to_string());
        networks.push(read(path)?.0);
    }
    let all = samples::load(&arguments.positions)?;
    let mut table = TextTable::new(1, ["network", "mean squared error", "against the engine's", "±95%"]);
    for (index, (name, loss)) in names.into_iter().zip(judge(&networks, &all)).enumerate() {
        let [difference, error_95] = match index {
            0 => Default::default(),
            _ => [
                format!("{:+.6}", loss.difference),
                format!("{:.6}", loss.difference_error_95),
            ],
        };
        table.push([name, format!("{:.6}", loss.squared), difference, error_95]);
    }
    print!("{} positions of {} games\n\n{table}", all.len(), samples::games(&all));
    Ok(())
}

/// The loss of each network.
fn judge(networks: &[Network], all: &[Sample]) -> Vec<Loss> {
    let count = all.len() as f64;
    let indices: Vec<u32> = (0..all.len() as u32).collect();
    let curve = samples::curve(all, &indices);
    let errors: Vec<Vec<f64>> = all.par_iter().map(|sample| errors(networks, sample, curve)).collect();
    let mean = |network: usize| errors.iter().map(|errors| errors[network]).sum::<f64>() / count;
    let losses = (0..networks.len()).map(|network| {
        let difference = mean(network) - mean(0);
        // The variance of a ratio of sums over clusters (Cochran, Sampling Techniques, 1977, chapter 6).
        let mut games: BTreeMap<u64, f64> = BTreeMap::new();
        for (sample, errors) in all.iter().zip(&errors) {
            *games.entry(sample.game).or_default() += errors[network] - errors[0] - difference;
        }
        let spread: f64 = games.values().map(|sum| squared(*sum)).sum();
        let clusters = games.len() as f64;
        Loss {
            squared: mean(network),
            difference,
            difference_error_95: DEVIATIONS_95 * libm::sqrt(spread * clusters / (clusters - 1.0)) / count,
        }
    });
    losses.collect()
}

/// The squared error of each network for one position.
fn errors(networks: &[Network], sample: &Sample, curve: f64) -> Vec<f64> {
    let position = sample.position();
    let error = |network| squared(logistic(curve * evaluation(network, &position)) - sample.expected(curve));
    networks.iter().map(error).collect()
}

/// A network's evaluation of a position, in centipawns for the side to move.
fn evaluation(network: &Network, position: &Position) -> f64 {
    let sum = sum_of_structure(position) + network.evaluate(position);
    f64::from(sum) * f64::from(endgame_scales(position)[usize::from(sum < 0)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::tests::scored;

    /// Some positions. Their scores are the evaluations by the engine's network.
    fn all() -> Vec<Sample> {
        scored(4, |_, position| {
            libm::round(evaluation(Network::standard(), position)) as i32
        })
    }

    #[test]
    fn the_network_that_gave_the_scores_is_the_best() {
        let judged = judge(&[Network::zero(), Network::standard().clone()], &all());
        let [zero, standard] = judged[..] else {
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
        let once = judge(&networks, &all())[1];
        let twice = judge(&networks, &[all(), all()].concat())[1];
        assert!((once.difference - twice.difference).abs() < 1e-12);
        assert!((once.difference_error_95 - twice.difference_error_95).abs() < 1e-12);
    }
}
