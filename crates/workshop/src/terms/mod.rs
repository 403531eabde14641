//! Fits the weights of the evaluation's terms. The evaluation, put through a logistic curve, should predict the
//! searches' scores and the results.
//!
//! Source: Peter Österlund, "How Texel's evaluation is tuned", talkchess.com, 2014; the Chess Programming Wiki's page "Texel's
//! Tuning Method".

mod file;
mod model;

use std::path::PathBuf;

use clap::Args;
use lmrlab_engine::evaluation::coefficients::{self, Coefficients};
use lmrlab_engine::evaluation::terms::{Group, TERMS, Term};
use lmrlab_results::failure::Failure;
use lmrlab_results::output_file;

use self::model::Data;
use super::descent::{self, Descent, Examples as _, Schedule, mean};
use super::{OutOption, samples};

/// The positions, and how to fit.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  lmrlab-workshop fit positions.csv --out crates/engine/src/weights/values.rs --force"
)]
pub(crate) struct Fit {
    /// Files of positions.
    #[arg(required = true, value_name = "FILE")]
    positions: Vec<PathBuf>,
    #[command(flatten)]
    schedule: Schedule,
    /// Number of passes over the positions.
    #[arg(long, default_value_t = 30)]
    epochs: u32,
    /// First step of the optimiser, in centipawns.
    #[arg(long, default_value_t = 0.3, value_name = "CENTIPAWNS")]
    step: f64,
    /// Strength of the pull to the present weights, in positions.
    #[arg(long, default_value_t = 50.0, value_name = "POSITIONS")]
    prior: f64,
    #[command(flatten)]
    out: OutOption,
}

/// The mean value of a pawn in the endgame, in centipawns.
const PAWN: f32 = 100.0;
/// The greatest absolute value of a weight, in centipawns.
const GREATEST: f32 = 10_000.0;

/// The engine's weights.
fn engine_weights() -> Vec<f32> {
    coefficients::weights()
        .iter()
        .flatten()
        .map(|&weight| weight as f32)
        .collect()
}

/// Fits the weights, starting from those of the engine, and writes them.
pub(crate) fn run(arguments: &Fit) -> Result<(), Failure> {
    arguments.out.refuse_existing()?;
    let all = samples::load(&arguments.positions)?;
    let (training, validation) = samples::split(&all)?;
    let sets: [&[u32]; 2] = [&training, &validation];
    let curve = samples::curve(&all, &training);
    let mut data = Data::new(curve);
    for sample in &all {
        let target = sample.target(curve, arguments.schedule.result_share);
        data.push(&Coefficients::of(&sample.position()), target);
    }
    let start = engine_weights();
    data.pull(&start, arguments.prior);
    let mut descent = Descent::new(start.clone(), GREATEST);
    descent.pass(&data, sets, arguments.epochs, arguments.step, &arguments.schedule);

    let loss = |data: &Data, weights: &[f32], set: &[u32]| mean(set, |index| data.loss(weights, index));
    let before = [&training, &validation].map(|set| loss(&data, &start, set));
    let mut weights = descent.weights;
    centre(&mut weights, &data.occurrences());
    let rescaled_by = rescale(&mut weights);
    for weight in &mut weights {
        *weight = libm::roundf(*weight);
    }
    data.curve = curve / f64::from(rescaled_by);
    let after = [&training, &validation].map(|set| loss(&data, &weights, set));
    let said = descent::outcome(sets, before, after)
        + &format!("Steepness of the logistic curve: {curve:.6} per centipawn. Rescaled by {rescaled_by:.4}.\n");
    output_file::write(&arguments.out.path, file::text(&weights, &said, samples::games(&all)))?;
    print!("{said}");
    println!("weights in {}", arguments.out.path.display());
    Ok(())
}

/// Moves the mean of the tables of squares and mobility into the material. This changes no evaluation: a piece has
/// exactly one entry in each table.
fn centre(weights: &mut [f32], occurrences: &[f64]) {
    const PIECES: [&str; 6] = ["PAWN", "KNIGHT", "BISHOP", "ROOK", "QUEEN", "KING"];
    let material = TERMS
        .iter()
        .find(|term| term.group == Group::Material)
        .map_or(0, |term| term.first);
    for (piece, name) in PIECES.iter().enumerate() {
        for table in ["SQUARE", "MOBILITY"] {
            let wanted = |term: &&Term| term.name == format!("{name}_{table}");
            let Some(term) = TERMS.iter().find(wanted) else {
                continue;
            };
            for phase in 0..2 {
                let range = term.first..term.first + term.count;
                let total: f64 = range.clone().map(|index| occurrences[2 * index + phase]).sum();
                if total <= 0.0 {
                    continue;
                }
                let sum: f64 = range
                    .clone()
                    .map(|index| occurrences[2 * index + phase] * f64::from(weights[2 * index + phase]))
                    .sum();
                let mean = (sum / total) as f32;
                for index in range {
                    // Pawns never stand on the outer ranks.
                    if *name != "PAWN" || (4..28).contains(&(index - term.first)) {
                        weights[2 * index + phase] -= mean;
                    }
                }
                // Each side has one king, so the means of both cancel out.
                if *name != "KING" {
                    weights[2 * (material + piece) + phase] += mean;
                }
            }
        }
    }
}

/// Makes a pawn worth [`PAWN`] in the endgame, and returns the factor. Attack units are squared later, so their factor
/// is its square root.
fn rescale(weights: &mut [f32]) -> f32 {
    let pawn = weights[1];
    if pawn <= PAWN / 4.0 {
        return 1.0;
    }
    let factor = PAWN / pawn;
    for (index, weight) in weights.iter_mut().enumerate() {
        let is_danger = Term::of(index / 2).group == Group::Danger;
        *weight *= if is_danger { factor.sqrt() } else { factor };
    }
    factor
}
