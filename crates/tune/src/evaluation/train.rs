//! Trains the neural network by mini-batch gradient descent with a validation set.
//!
//! There are never enough games for a network that begins with nothing. So it first imitates the sum of the terms (Hinton,
//! Vinyals and Dean, "Distilling the Knowledge in a Neural Network", 2015). The positions are a few random moves away from
//! those of the games: there are as many as one likes. Then it learns from the searches and results of the games.

use cozy_chess::{Board, Color};
use lmrlab_engine::evaluation::sum_of_terms;
use lmrlab_engine::network::Network;
use lmrlab_engine::position::Position;
use lmrlab_runner::opening_maker::random_move;
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_pcg::Pcg64;
use rayon::prelude::*;

use super::curve::{best_curve, logistic};
use super::network_model::{Inputs, Model, WEIGHTS};
use super::samples::Sample;

/// How a network is trained.
#[derive(Debug, Clone)]
pub struct Options {
    /// The network to begin with; `None` for random weights. What its outputs do not read begins with random weights, too.
    pub start: Option<Network>,
    /// Share of the game's result in the target of the network; the rest is the search's score. From 0 to 1.
    pub result_share: f64,
    /// Positions in which the network imitates the sum of the terms before it learns from the games.
    pub imitated: u64,
    /// The number of passes over the positions of the games.
    pub epochs: u32,
    /// Positions of a mini-batch; at least 1.
    pub batch: usize,
    /// First step of the optimiser, in weights of the network. It falls to a hundredth along a cosine (Loshchilov and Hutter
    /// 2017), once during the imitation and once, from [`LATER_STEP`] of it, during the passes after that.
    pub step: f64,
    /// Seed of the first weights, of the order of positions and of the random moves.
    pub seed: u64,
}

/// The first step of the passes after an imitation or from a network, as a share of [`Options::step`].
pub const LATER_STEP: f64 = 0.3;

/// How far the training is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// So many positions have been imitated.
    Imitated(u64),
    /// So many passes over the positions of the games are done.
    Pass(u32),
}

/// Losses of a set of positions: mean squared errors of the expected results.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Losses {
    /// Positions.
    pub positions: usize,
    /// Of the sum of the terms.
    pub terms: f64,
    /// Of the new network, with the integers that are written.
    pub network: f64,
}

/// A trained network.
#[derive(Debug, Clone, PartialEq)]
pub struct Trained {
    /// The network.
    pub network: Network,
    /// Steepness of the logistic curve that fits the search's scores to the results best, per centipawn.
    pub curve: f64,
    /// Nineteen games of twenty.
    pub training: Losses,
    /// Every twentieth game.
    pub validation: Losses,
}

/// Positions whose gradients are summed by one thread: the order of additions must not depend on the number of threads.
const CHUNK: usize = 256;
/// Games whose number is a multiple of this are for validation.
const VALIDATION: u64 = 20;
/// Reports during the imitation.
const REPORTS: u64 = 10;

/// Positions to train with.
#[derive(Debug, Default)]
pub struct TrainingSet {
    positions: Vec<Kept>,
    games: u64,
}

/// What is kept of a position. The score and the result are for the side to move.
#[derive(Debug, Clone)]
struct Kept {
    game: u64,
    board: Board,
    score_cp: f32,
    result: f32,
}

impl TrainingSet {
    /// Adds a position.
    pub fn push(&mut self, sample: &Sample, position: &Position) {
        let (score_cp, result) = (sample.white_score_cp as f32, f32::from(sample.white_half_points) / 2.0);
        let white = position.side_to_move() == Color::White;
        self.positions.push(Kept {
            game: self.games.saturating_add(sample.game),
            board: position.board().clone(),
            score_cp: if white { score_cp } else { -score_cp },
            result: if white { result } else { 1.0 - result },
        });
    }

    /// Ends a file: games of the next one have other numbers.
    pub fn end_file(&mut self) {
        self.games = self
            .positions
            .iter()
            .map(|kept| kept.game.saturating_add(1))
            .max()
            .unwrap_or(0);
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        let mut games: Vec<u64> = self.positions.iter().map(|kept| kept.game).collect();
        games.dedup();
        games.len()
    }
}

/// Trains a network. `progress` gets how far the training is, and the validation loss. The result does not
/// depend on the number of threads.
///
/// Returns `None` when there are no positions for training, or none for validation.
pub fn train(set: &TrainingSet, options: &Options, mut progress: impl FnMut(Stage, f64)) -> Option<Trained> {
    let positions = &set.positions;
    let (mut training, validation): (Vec<u32>, Vec<u32>) =
        (0..positions.len() as u32).partition(|&index| !positions[index as usize].game.is_multiple_of(VALIDATION));
    if training.is_empty() || validation.is_empty() {
        return None;
    }
    let curve = best_curve(|curve| {
        mean(&training, |kept| {
            let kept = &positions[kept as usize];
            squared(logistic(curve * f64::from(kept.score_cp)) - f64::from(kept.result))
        })
    });
    let share = options.result_share;
    let target =
        |kept: &Kept| share * f64::from(kept.result) + (1.0 - share) * logistic(curve * f64::from(kept.score_cp));
    let mut inputs = Inputs::new(curve);
    for kept in positions {
        inputs.push(&Position::from_board(kept.board.clone()), target(kept) as f32);
    }
    let loss = |model: &Model, set: &[u32]| mean(set, |index| model.loss(&inputs, index));

    let mut trainer = Trainer::new(options, curve);
    trainer.imitate(positions, &training, curve, options, |trainer, done| {
        progress(Stage::Imitated(done), loss(&trainer.model, &validation));
    });
    let knows_something = options.imitated > 0 || options.start.is_some();
    let first_step = if knows_something { LATER_STEP } else { 1.0 } * options.step;
    let batches = training.len().div_ceil(options.batch) * options.epochs as usize;
    let mut done = 0;
    for epoch in 1..=options.epochs {
        training.shuffle(&mut trainer.generator);
        for batch in training.chunks(options.batch) {
            let chunks: Vec<&[u32]> = batch.chunks(CHUNK).collect();
            trainer.learn(&chunks, first_step * fallen(done, batches), |model, chunk, gradient| {
                model.add_gradient(&inputs, chunk.iter().copied(), gradient);
            });
            done += 1;
        }
        progress(Stage::Pass(epoch), loss(&trainer.model, &validation));
    }
    let network = trainer.model.network(curve);
    let rounded = Model::of(&network, curve);
    let losses = |set: &[u32]| Losses {
        positions: set.len(),
        terms: mean(set, |index| {
            let kept = &positions[index as usize];
            let terms = sum_of_terms(&Position::from_board(kept.board.clone()));
            squared(logistic(curve * f64::from(terms)) - target(kept))
        }),
        network: loss(&rounded, set),
    };
    Some(Trained {
        curve,
        training: losses(&training),
        validation: losses(&validation),
        network,
    })
}

fn squared(x: f64) -> f64 {
    x * x
}

/// The mean of a loss over positions.
fn mean(set: &[u32], loss: impl Fn(u32) -> f64 + Sync) -> f64 {
    let parts: Vec<f64> = set
        .par_chunks(CHUNK)
        .map(|chunk| chunk.iter().map(|&index| loss(index)).sum())
        .collect();
    parts.iter().sum::<f64>() / set.len() as f64
}

/// The share of the first step after so many of all batches: from 1 to a hundredth along a cosine.
fn fallen(done: usize, batches: usize) -> f64 {
    let turn = std::f64::consts::PI * done as f64 / batches as f64;
    0.01 + 0.99 * (1.0 + libm::cos(turn)) / 2.0
}

/// A network in training.
struct Trainer {
    model: Model,
    optimiser: Optimiser,
    generator: Pcg64,
}

impl Trainer {
    fn new(options: &Options, curve: f64) -> Self {
        let mut generator = Pcg64::new(u128::from(options.seed), 0);
        let model = match &options.start {
            None => Model::random(&mut generator),
            Some(start) => {
                let mut model = Model::of(start, curve);
                model.wake(&mut generator);
                model
            }
        };
        Self {
            model,
            optimiser: Optimiser::new(),
            generator,
        }
    }

    /// Learns the sum of the terms in positions after a few random moves from those of the games.
    fn imitate(
        &mut self,
        positions: &[Kept],
        training: &[u32],
        curve: f64,
        options: &Options,
        mut report: impl FnMut(&Self, u64),
    ) {
        let size = CHUNK.min(options.batch);
        let chunks = options.batch.div_ceil(size);
        let batches = options.imitated.div_ceil((chunks * size) as u64);
        let every = batches.div_ceil(REPORTS).max(1);
        for batch in 0..batches {
            let streams: Vec<u64> = (0..chunks as u64).map(|chunk| batch * chunks as u64 + chunk).collect();
            let step = options.step * fallen(batch as usize, batches as usize);
            self.learn(&streams, step, |model, stream, gradient| {
                let mut generator = Pcg64::new(u128::from(options.seed), 1 + u128::from(*stream));
                let mut inputs = Inputs::new(curve);
                for _ in 0..size {
                    let Some(start) = training.choose(&mut generator) else {
                        return;
                    };
                    let position = disturbed(&positions[*start as usize].board, &mut generator);
                    let target = logistic(curve * f64::from(sum_of_terms(&position)));
                    inputs.push(&position, target as f32);
                }
                model.add_gradient(&inputs, 0..size as u32, gradient);
            });
            if (batch + 1) % every == 0 || batch + 1 == batches {
                report(self, (batch + 1) * (chunks * size) as u64);
            }
        }
    }

    /// Makes one step against the gradient of a batch. `add_gradient` adds the gradient of one of its chunks.
    fn learn<T: Sync>(&mut self, chunks: &[T], step: f64, add_gradient: impl Fn(&Model, &T, &mut [f32]) + Sync) {
        let model = &self.model;
        let parts: Vec<Vec<f32>> = chunks
            .par_iter()
            .map(|chunk| {
                let mut gradient = vec![0.0; WEIGHTS];
                add_gradient(model, chunk, &mut gradient);
                gradient
            })
            .collect();
        let mut parts = parts.into_iter();
        let Some(mut sum) = parts.next() else { return };
        for part in parts {
            for (place, value) in sum.iter_mut().zip(&part) {
                *place += value;
            }
        }
        self.optimiser.step(&mut self.model, &sum, step);
        self.model.clip();
    }
}

/// A position up to three random moves later. It is not in check, and both sides have more than a king.
fn disturbed(start: &Board, generator: &mut Pcg64) -> Position {
    let mut position = Position::from_board(start.clone());
    let mut quiet = position.clone();
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

/// Adam (Kingma and Ba 2015). Its steps do not depend on the length of the gradients.
struct Optimiser {
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: u64,
}

impl Optimiser {
    const MEAN_DECAY: f32 = 0.9;
    const SQUARE_DECAY: f32 = 0.999;

    fn new() -> Self {
        Self {
            mean: vec![0.0; WEIGHTS],
            square: vec![0.0; WEIGHTS],
            steps: 0,
        }
    }

    fn step(&mut self, model: &mut Model, gradient: &[f32], step: f64) {
        self.steps += 1;
        let correct = |decay: f32| 1.0 - libm::pow(f64::from(decay), self.steps as f64);
        let rate = (step / correct(Self::MEAN_DECAY)) as f32;
        let square_correction = (1.0 / libm::sqrt(correct(Self::SQUARE_DECAY))) as f32;
        let moments = self.mean.iter_mut().zip(&mut self.square);
        for ((weight, slope), (mean, square)) in model.0.iter_mut().zip(gradient).zip(moments) {
            *mean = Self::MEAN_DECAY * *mean + (1.0 - Self::MEAN_DECAY) * slope;
            *square = Self::SQUARE_DECAY * *square + (1.0 - Self::SQUARE_DECAY) * slope * slope;
            *weight -= rate * *mean / (square.sqrt() * square_correction + 1e-8);
        }
    }
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

    /// Forty games of two positions each, with scores for White.
    fn set(white_score_cp: impl Fn(usize, &Position) -> i32) -> TrainingSet {
        let mut set = TrainingSet::default();
        for game in 0..40 {
            for turn in 0..2 {
                let number = (game as usize + turn) % FENS.len();
                let epd = FENS[number].to_owned();
                let position = Position::from_fen(&epd).unwrap();
                let sample = Sample {
                    game,
                    epd,
                    white_half_points: 1,
                    white_score_cp: white_score_cp(number, &position),
                };
                set.push(&sample, &position);
            }
        }
        set.end_file();
        set
    }

    fn numbered() -> TrainingSet {
        set(|number, _| 300 * number as i32 - 450)
    }

    fn options(imitated: u64, epochs: u32) -> Options {
        Options {
            start: None,
            result_share: 0.0,
            imitated,
            epochs,
            batch: 32,
            step: 0.005,
            seed: 7,
        }
    }

    #[test]
    fn training_learns_from_the_games_and_does_not_depend_on_threads() {
        let trained = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| train(&numbered(), &options(512, 40), |_, _| ()))
                .unwrap()
        };
        let one = trained(1);
        assert_eq!(one, trained(3));
        assert!(one.training.network < one.training.terms / 4.0, "{one:?}");
        assert_eq!((one.training.positions, one.validation.positions), (76, 4));
    }

    #[test]
    fn imitation_comes_near_the_terms() {
        let mut losses = Vec::new();
        let scored = set(|_, position| match position.side_to_move() {
            Color::White => sum_of_terms(position),
            Color::Black => -sum_of_terms(position),
        });
        let trained = train(&scored, &options(8192, 1), |stage, loss| losses.push((stage, loss))).unwrap();
        assert!(trained.validation.terms < 1e-12, "{trained:?}");
        assert!(losses[9].1 < losses[0].1 / 2.0, "{losses:?}");
        assert_eq!(losses.len(), 11, "{losses:?}");
        assert_eq!(losses[9].0, Stage::Imitated(8192));
        assert_eq!(losses[10].0, Stage::Pass(1));
    }

    #[test]
    fn training_goes_on_from_a_network() {
        let first = train(&numbered(), &options(512, 40), |_, _| ()).unwrap();
        let start = Options {
            start: Some(first.network.clone()),
            step: 1e-9,
            ..options(0, 1)
        };
        let second = train(&numbered(), &start, |_, _| ()).unwrap();
        assert_eq!(second.network, first.network);
    }

    #[test]
    fn too_few_games_are_refused() {
        assert!(train(&TrainingSet::default(), &options(0, 1), |_, _| ()).is_none());
    }
}
