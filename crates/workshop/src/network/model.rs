//! The network as a function of its weights, with its gradient.

use lmrlab_engine::evaluation::{endgame_scales, sum_of_structure};
use lmrlab_engine::network::{
    HIDDEN, HIDDEN_UNIT, INPUTS, MAX_OUTPUT_WEIGHT, Network, OUTPUT_UNIT, OUTPUTS, active_inputs, output_layer,
};
use lmrlab_engine::position::Position;
use rand::RngExt;
use rand_pcg::Pcg64;

use crate::descent::{Examples, logistic, squared};

/// The places of the weights in one list: inputs, hidden biases, output weights, output biases.
const HIDDEN_BIASES: usize = INPUTS * HIDDEN;
const OUTPUT_WEIGHTS: usize = HIDDEN_BIASES + HIDDEN;
const OUTPUT_BIASES: usize = OUTPUT_WEIGHTS + OUTPUTS * 2 * HIDDEN;
/// The number of weights.
const WEIGHTS: usize = OUTPUT_BIASES + OUTPUTS;
/// The greatest absolute value of a weight that the engine's integers can hold.
pub(super) const MAX_WEIGHT: f32 = MAX_OUTPUT_WEIGHT as f32 / OUTPUT_UNIT as f32;

type Layer = [f32; HIDDEN];

/// The inputs of many positions in one list, with the targets.
#[derive(Debug)]
pub(super) struct Inputs {
    /// Steepness of the logistic curve, per centipawn.
    curve: f64,
    /// For each piece, its input for the side to move and for the other side.
    pieces: Vec<[u16; 2]>,
    positions: Vec<Row>,
}

/// One position, by the index of its first piece. Its pieces end at the first piece of the next position.
#[derive(Debug, Clone, Copy)]
struct Row {
    first: usize,
    pieces: u8,
    /// The logit of the terms to which the network adds.
    structure: f32,
    /// The factors of an evaluation for the side to move, and of one for the other side.
    scales: [f32; 2],
    /// The expected result for the side to move, from 0 to 1.
    target: f32,
}

impl Row {
    /// The logit of the evaluation with this output of the network, and the derivative of the logit by the output.
    fn logit(&self, output: f32) -> (f32, f32) {
        let sum = self.structure + output;
        let scale = self.scales[usize::from(sum < 0.0)];
        (sum * scale, scale)
    }
}

impl Inputs {
    /// An empty set of positions. `curve` is the steepness of the logistic curve, per centipawn.
    pub(super) fn new(curve: f64) -> Self {
        Self {
            curve,
            pieces: Vec::new(),
            positions: Vec::new(),
        }
    }

    /// Adds a position with the expected result for its side to move.
    pub(super) fn push(&mut self, position: &Position, target: f32) {
        let first = self.pieces.len();
        let us = position.side_to_move();
        let [own, enemy] = [us, !us].map(|side| active_inputs(position, side).map(|input| input as u16));
        self.pieces.extend(own.zip(enemy).map(|(own, enemy)| [own, enemy]));
        self.positions.push(Row {
            first,
            pieces: (self.pieces.len() - first) as u8,
            structure: (self.curve * f64::from(sum_of_structure(position))) as f32,
            scales: endgame_scales(position),
            target,
        });
    }

    fn pieces_of(&self, row: Row) -> &[[u16; 2]] {
        &self.pieces[row.first..row.first + usize::from(row.pieces)]
    }
}

/// The network's computation for one position.
struct Forward {
    /// The hidden layers of the side to move and of the other side, before they are clipped.
    hidden: [Layer; 2],
    output: f32,
}

/// The weights, as real numbers. The output is added to the logit of the structure.
#[derive(Debug, Clone)]
pub(super) struct Model(pub(super) Vec<f32>);

impl Model {
    /// Random weights.
    pub(super) fn random(generator: &mut Pcg64) -> Self {
        let mut uniform = |count: usize, width: f32| -> Vec<f32> {
            (0..count).map(|_| generator.random_range(-width..width)).collect()
        };
        // About 32 of the inputs are 1.
        let mut weights = uniform(HIDDEN_BIASES, 0.08);
        weights.extend(uniform(HIDDEN, 0.08));
        weights.extend(uniform(OUTPUT_BIASES - OUTPUT_WEIGHTS, 0.06));
        weights.resize(WEIGHTS, 0.0);
        Self(weights)
    }

    /// The weights of a network. Its outputs are logits by the steepness `curve` per centipawn.
    pub(super) fn of(network: &Network, curve: f64) -> Self {
        let hidden = |value: i16| f32::from(value) / f32::from(HIDDEN_UNIT);
        let scale = (f64::from(network.centipawns) * curve) as f32;
        let output = |value: f32| value * scale / f32::from(OUTPUT_UNIT);
        let rows = network.inputs.iter().chain([&network.hidden_biases]);
        let mut weights: Vec<f32> = rows.flat_map(|row| row.0.map(hidden)).collect();
        let rows = network.outputs.as_flattened().iter();
        weights.extend(rows.flat_map(|row| row.0.map(|value| output(f32::from(value)))));
        let unit = f32::from(HIDDEN_UNIT);
        weights.extend(network.output_biases.map(|bias| output(bias as f32 / unit)));
        Self(weights)
    }

    /// The weights as the engine's integers; an output of 1 is 1 / `curve` centipawns.
    pub(super) fn network(&self, curve: f64) -> Network {
        let mut network = Network::zero();
        let integer = |value: f32, unit: i16| libm::roundf(value * f32::from(unit)) as i16;
        let layers = self.0[..OUTPUT_WEIGHTS].as_chunks::<HIDDEN>().0;
        for (row, layer) in network.inputs.iter_mut().zip(layers) {
            row.0 = layer.map(|value| integer(value, HIDDEN_UNIT));
        }
        if let Some(biases) = layers.last() {
            network.hidden_biases.0 = biases.map(|value| integer(value, HIDDEN_UNIT));
        }
        let layers = self.0[OUTPUT_WEIGHTS..OUTPUT_BIASES].as_chunks::<HIDDEN>().0;
        for (row, layer) in network.outputs.as_flattened_mut().iter_mut().zip(layers) {
            row.0 = layer.map(|value| integer(value, OUTPUT_UNIT));
        }
        let unit = f32::from(HIDDEN_UNIT) * f32::from(OUTPUT_UNIT);
        for (place, bias) in network.output_biases.iter_mut().zip(&self.0[OUTPUT_BIASES..]) {
            *place = libm::roundf(bias * unit) as i32;
        }
        network.centipawns = libm::round(1.0 / curve) as i32;
        network
    }
}

/// The evaluation by these weights.
fn forward(all: &[f32], pieces: &[[u16; 2]]) -> Forward {
    let mut hidden = [*layer(all, HIDDEN_BIASES); 2];
    for inputs in pieces {
        for (values, input) in hidden.iter_mut().zip(inputs) {
            let weights = layer(all, usize::from(*input) * HIDDEN);
            for (value, weight) in values.iter_mut().zip(weights) {
                *value += weight;
            }
        }
    }
    let number = output_layer(pieces.len() as u32);
    let mut output = all[OUTPUT_BIASES + number];
    for (side, values) in hidden.iter().enumerate() {
        let weights = layer(all, output_weights(number, side));
        // Eight separate sums, so that the compiler can use vector instructions.
        let mut lanes = [0.0; 8];
        for (values, weights) in values.as_chunks::<8>().0.iter().zip(weights.as_chunks::<8>().0) {
            for lane in 0..8 {
                let value = values[lane].clamp(0.0, 1.0);
                lanes[lane] += value * value * weights[lane];
            }
        }
        output += lanes.iter().sum::<f32>();
    }
    Forward { hidden, output }
}

impl Examples for Inputs {
    fn loss(&self, weights: &[f32], index: u32) -> f64 {
        let row = self.positions[index as usize];
        let (logit, _) = row.logit(forward(weights, self.pieces_of(row)).output);
        squared(logistic(f64::from(logit)) - f64::from(row.target))
    }

    fn add_gradient(&self, all: &[f32], chunk: &[u32], gradient: &mut [f32]) {
        for &index in chunk {
            let row = self.positions[index as usize];
            let pieces = self.pieces_of(row);
            let Forward { hidden, output } = forward(all, pieces);
            let (logit, scale) = row.logit(output);
            let chance = logistic(f64::from(logit)) as f32;
            let slope = 2.0 * (chance - row.target) * chance * (1.0 - chance) * scale;
            let number = output_layer(pieces.len() as u32);
            gradient[OUTPUT_BIASES + number] += slope;
            for (side, values) in hidden.iter().enumerate() {
                let place = output_weights(number, side);
                let weights = layer(all, place);
                let slopes = layer_mut(gradient, place);
                let mut down = [0.0; HIDDEN];
                for unit in 0..HIDDEN {
                    let value = values[unit].clamp(0.0, 1.0);
                    slopes[unit] += slope * value * value;
                    let inside = if value == values[unit] { value } else { 0.0 };
                    down[unit] = slope * weights[unit] * 2.0 * inside;
                }
                let places = pieces.iter().map(|inputs| usize::from(inputs[side]) * HIDDEN);
                for place in places.chain([HIDDEN_BIASES]) {
                    for (slope, down) in layer_mut(gradient, place).iter_mut().zip(&down) {
                        *slope += down;
                    }
                }
            }
        }
    }
}

/// The place of an output layer's weights for the side to move (0) or the other side (1).
fn output_weights(number: usize, side: usize) -> usize {
    OUTPUT_WEIGHTS + (2 * number + side) * HIDDEN
}

fn layer(weights: &[f32], first: usize) -> &Layer {
    const NONE: Layer = [0.0; HIDDEN];
    weights[first..].first_chunk().unwrap_or(&NONE)
}

fn layer_mut(weights: &mut [f32], first: usize) -> &mut [f32] {
    &mut weights[first..first + HIDDEN]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::descent::tests::check_gradient;

    const FENS: [&str; 3] = [
        "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
        "8/5k2/3p4/1p1P4/1P3B2/5K2/8/6b1 w - - 0 1",
        "4r1k1/5p1p/1P4p1/8/1b3P2/p2p2P1/R2R3K/8 b - - 0 1",
    ];

    fn inputs() -> Inputs {
        let mut inputs = Inputs::new(0.009);
        for (fen, target) in FENS.into_iter().zip([0.7, 0.1, 0.6]) {
            inputs.push(&Position::from_fen(fen).unwrap(), target);
        }
        inputs
    }

    #[test]
    fn the_gradient_is_that_of_the_loss() {
        let model = Model::random(&mut Pcg64::new(1, 0));
        assert_eq!(check_gradient(&inputs(), 3, &model.0, 1e-3, 1e-4), 300);
    }

    #[test]
    fn the_integers_give_the_engine_s_evaluation() {
        let curve = 0.009;
        let model = Model::random(&mut Pcg64::new(3, 0));
        let network = model.network(curve);
        let rounded = Model::of(&network, curve);
        let inputs = inputs();
        for (row, fen) in inputs.positions.iter().zip(FENS) {
            let [exact, real] = [&rounded, &model].map(|model| {
                let output = forward(&model.0, inputs.pieces_of(*row)).output;
                f64::from(output) / curve
            });
            let integer = f64::from(network.evaluate(&Position::from_fen(fen).unwrap()));
            assert!((exact - integer).abs() < 2.0, "{exact} {integer}");
            assert!((real - integer).abs() < 12.0, "{real} {integer}");
        }
    }
}
