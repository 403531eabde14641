//! Trains the neural network.
//!
//! There are never enough games for a network that begins with random weights. So it first imitates the sum of the
//! terms (Hinton, Vinyals and Dean, "Distilling the Knowledge in a Neural Network", 2015). The positions for this are a
//! few random moves away from those of the games, so their number is not limited. Then it learns from the searches and
//! results of the games.

pub(crate) mod judge;
mod model;

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use cozy_chess::Color;
use lmrlab_engine::evaluation::sum_of_terms;
use lmrlab_engine::network::{Network, NetworkFileError};
use lmrlab_engine::position::Position;
use lmrlab_results::failure::Failure;
use lmrlab_results::output_file;
use lmrlab_results::text_file::open_file;
use lmrlab_runner::opening_maker::random_move;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64;

use self::model::{Inputs, MAX_WEIGHT, Model};
use super::descent::{self, CHUNK, Descent, Examples as _, Schedule, fallen, logistic, mean, squared};
use super::samples::{self, Sample};
use super::{OutOption, command_line};

/// The positions, and how to train.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  lmrlab-workshop train positions.csv --start crates/engine/src/network/standard.network --out new.network"
)]
pub(crate) struct Train {
    /// Files of positions.
    #[arg(required = true, value_name = "FILE")]
    positions: Vec<PathBuf>,
    /// Network to begin with [default: random weights].
    #[arg(long, value_name = "NETWORK")]
    start: Option<PathBuf>,
    /// Number of positions from which the network first learns the sum of the terms [default: 100000000, or 0 with --start].
    #[arg(long, value_name = "N")]
    imitate: Option<u64>,
    #[command(flatten)]
    training: Training,
    #[command(flatten)]
    out: OutOption,
}

/// How to train.
#[derive(Debug, Clone, Args)]
struct Training {
    #[command(flatten)]
    schedule: Schedule,
    /// Number of passes over the positions.
    #[arg(long, default_value_t = 4)]
    epochs: u32,
    /// First step of the optimiser. After an imitation, or from a network, the passes begin with 0.3 of it.
    #[arg(long, default_value_t = 0.001)]
    step: f64,
}

/// A trained network.
#[derive(Debug, Clone, PartialEq)]
struct Trained {
    network: Network,
    /// The losses of the terms and of the network, as text.
    said: String,
    /// The losses of the network: training and validation.
    losses: [f64; 2],
}

/// Trains a network and writes its file.
pub(crate) fn run(arguments: &Train) -> Result<(), Failure> {
    arguments.out.refuse_existing()?;
    let (start, start_head) = arguments.start.as_deref().map(read).transpose()?.unzip();
    let all = samples::load(&arguments.positions)?;
    let imitated = arguments
        .imitate
        .unwrap_or(if start.is_some() { 0 } else { 100_000_000 });
    let Trained { network, said, .. } = train(&all, start.as_ref(), imitated, &arguments.training)?;
    let (command, games) = (command_line(), samples::games(&all));
    let before = start_head.map_or_else(String::new, |header| format!("\nIt began as this network:\n\n{header}"));
    let header = format!(
        "The network of lmrlab's engine, written by\n\n{command}\n\nfrom {games} games that the engine played against itself.\n\n\
         From the sum of the terms to the network:\n{said}{before}"
    );
    output_file::write(&arguments.out.path, network.write(&header))?;
    print!("{said}");
    println!("network in {}", arguments.out.path.display());
    Ok(())
}

/// Trains a network that begins as `start`, or with random weights. Hidden values of `start` that its output does not
/// read begin with random weights, too.
fn train(all: &[Sample], start: Option<&Network>, imitated: u64, training: &Training) -> Result<Trained, Failure> {
    let schedule = &training.schedule;
    let (for_training, validation) = samples::split(all)?;
    let sets: [&[u32]; 2] = [&for_training, &validation];
    let curve = samples::curve(all, &for_training);
    let target = |sample: &Sample| sample.target(curve, schedule.result_share);
    let mut inputs = Inputs::new(curve);
    for sample in all {
        inputs.push(&sample.position(), target(sample) as f32);
    }
    let mut generator = Pcg64::new(u128::from(schedule.seed), 1);
    let first = match start {
        None => Model::random(&mut generator),
        Some(start) => Model::of(start, curve),
    };
    let mut descent = Descent::new(first.0, MAX_WEIGHT);
    let imitation = Imitation {
        all,
        set: &for_training,
        curve,
        seed: schedule.seed,
    };
    imitation.learn(&mut descent, imitated, training, |weights| {
        mean(&validation, |index| inputs.loss(weights, index))
    });
    let knows_something = imitated > 0 || start.is_some();
    let step = if knows_something { 0.3 } else { 1.0 } * training.step;
    descent.pass(&inputs, sets, training.epochs, step, schedule);

    let network = Model(descent.weights).network(curve);
    let rounded = Model::of(&network, curve);
    let terms = sets.map(|set| {
        mean(set, |index| {
            let sample = &all[index as usize];
            squared(logistic(curve * f64::from(sum_of_terms(&sample.position()))) - target(sample))
        })
    });
    let losses = sets.map(|set| mean(set, |index| inputs.loss(&rounded.0, index)));
    let said = descent::outcome(sets, terms, losses);
    Ok(Trained { network, said, losses })
}

/// The first task of a network: the sum of the terms, in positions near those of the games.
struct Imitation<'a> {
    all: &'a [Sample],
    /// The positions for training.
    set: &'a [u32],
    curve: f64,
    seed: u64,
}

impl Imitation<'_> {
    /// Learns from `count` positions, and prints the validation loss ten times.
    fn learn(&self, descent: &mut Descent, count: u64, training: &Training, loss: impl Fn(&[f32]) -> f64) {
        let size = CHUNK.min(training.schedule.batch as usize);
        let chunks = (training.schedule.batch as usize).div_ceil(size);
        let batches = count.div_ceil((chunks * size) as u64);
        let all: Vec<u32> = (0..size as u32).collect();
        for batch in 0..batches {
            let streams: Vec<u64> = (0..chunks as u64).map(|chunk| batch * chunks as u64 + chunk).collect();
            let step = training.step * fallen(batch as usize, batches as usize);
            descent.step(&streams, step, |weights, stream, gradient| {
                self.inputs(*stream, size).add_gradient(weights, &all, gradient);
            });
            let done = batch + 1;
            if done % batches.div_ceil(10) == 0 || done == batches {
                eprintln!(
                    "{done} of {batches} batches imitated: validation loss {:.6}",
                    loss(&descent.weights)
                );
            }
        }
    }

    fn inputs(&self, stream: u64, size: usize) -> Inputs {
        let mut generator = Pcg64::new(u128::from(self.seed), 2 + u128::from(stream));
        let mut inputs = Inputs::new(self.curve);
        let start = |generator: &mut Pcg64| self.set.choose(generator).map_or(0, |index| *index as usize);
        for _ in 0..size {
            let position = disturbed(self.all[start(&mut generator)].position(), &mut generator);
            let target = logistic(self.curve * f64::from(sum_of_terms(&position)));
            inputs.push(&position, target as f32);
        }
        inputs
    }
}

/// A position up to three random moves later. It is not in check, and both sides have more than a king.
fn disturbed(start: Position, generator: &mut Pcg64) -> Position {
    let mut position = start.clone();
    let mut quiet = start;
    for _ in 0..generator.random_range(0..=3) {
        let Some(mv) = random_move(&position, generator) else {
            break;
        };
        position.play(mv);
        if !position.in_check() && Color::ALL.iter().all(|side| position.board().colors(*side).len() > 1) {
            quiet.clone_from(&position);
        }
    }
    quiet
}

/// Reads the file of a network, and its header text.
fn read(path: &Path) -> Result<(Network, String), Failure> {
    let mut bytes = Vec::new();
    let parsed = |bytes: &[u8]| Ok((Network::read(bytes)?, Network::header(bytes)?));
    let read = open_file(path).and_then(|mut file| file.read_to_end(&mut bytes));
    read.map_err(|error| error.to_string())
        .and_then(|_| parsed(&bytes).map_err(|error: NetworkFileError| error.to_string()))
        .map_err(|error| {
            Failure::input(
                format!("cannot read the network `{}`: {error}", path.display()),
                "name a file that `lmrlab-workshop train` wrote",
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::tests::scored;

    fn training(epochs: u32, step: f64) -> Training {
        let schedule = Schedule {
            result_share: 0.0,
            batch: 32,
            seed: 7,
        };
        Training { schedule, epochs, step }
    }

    fn numbered() -> Vec<Sample> {
        scored(40, |number, _| 300 * number as i32 - 450)
    }

    #[test]
    fn training_learns_from_the_games_and_does_not_depend_on_threads() {
        let trained = |threads, epochs| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| train(&numbered(), None, 512, &training(epochs, 0.005)))
                .unwrap()
        };
        let short = trained(1, 2);
        assert_eq!(short, trained(3, 2));
        let long = trained(1, 40);
        assert!(long.losses[0] < short.losses[0] / 4.0, "{}", long.said);
        assert!(long.said.contains(" 76 positions"), "{}", long.said);
    }

    #[test]
    fn imitation_comes_near_the_terms() {
        let all = scored(40, |_, position| sum_of_terms(position));
        let [little, much] = [512, 8192].map(|count| train(&all, None, count, &training(0, 0.005)).unwrap());
        assert!(much.losses[1] < little.losses[1] / 2.0, "{} {}", little.said, much.said);
    }

    #[test]
    fn training_goes_on_from_a_network() {
        let first = train(&numbered(), None, 512, &training(40, 0.005)).unwrap();
        let second = train(&numbered(), Some(&first.network), 0, &training(1, 1e-9)).unwrap();
        assert!(second.network == first.network);
    }
}
