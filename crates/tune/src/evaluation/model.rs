//! The evaluation as a function of its weights, with its gradient.

use lmrlab_engine::evaluation::coefficients::Coefficients;
use lmrlab_engine::evaluation::terms::{Group, Term, WEIGHT_COUNT};
use lmrlab_engine::evaluation::{DANGER_DIVISOR, FULL_PHASE};

use super::curve::logistic;

/// A weight for the middlegame and one for the endgame, in centipawns, for every index.
pub(super) type Weights = Vec<[f64; 2]>;

/// Index of a weight, and its coefficient.
type Entry = (u16, i16);

/// The coefficients of many positions in one list, with the targets of the evaluation.
#[derive(Debug, Default)]
pub(super) struct Data {
    entries: Vec<Entry>,
    positions: Vec<Row>,
}

/// One position: its entries, up to the next one's.
#[derive(Debug, Clone, Copy)]
struct Row {
    first: u32,
    /// Entries of the sum, and of White's danger; what is left is Black's.
    linear: u16,
    white_danger: u16,
    end: u32,
    middlegame: f32,
    scale: [f32; 2],
    fixed: f32,
    /// The target of the logistic curve, from 0 to 1.
    target: f64,
}

/// The evaluation of a position by some weights.
struct Prediction {
    /// From White's point of view, in centipawns.
    value: f64,
    scale: f64,
    /// Attack units of White and Black, as far as they are positive: middlegame and endgame.
    units: [[f64; 2]; 2],
}

impl Data {
    /// Adds a position with its target.
    pub(super) fn push(&mut self, coefficients: &Coefficients, target: f64) {
        let first = self.entries.len() as u32;
        self.entries.extend(&coefficients.linear);
        for side in &coefficients.danger {
            self.entries.extend(side);
        }
        let [white, black] = coefficients.scale;
        self.positions.push(Row {
            first,
            linear: coefficients.linear.len() as u16,
            white_danger: coefficients.danger[0].len() as u16,
            end: self.entries.len() as u32,
            middlegame: coefficients.phase as f32 / FULL_PHASE as f32,
            scale: [white as f32 / 64.0, black as f32 / 64.0],
            fixed: coefficients.fixed as f32,
            target,
        });
    }

    pub(super) fn len(&self) -> usize {
        self.positions.len()
    }

    fn parts(&self, row: &Row) -> (&[Entry], [&[Entry]; 2]) {
        let entries = &self.entries[row.first as usize..row.end as usize];
        let (linear, danger) = entries.split_at(usize::from(row.linear));
        let (white, black) = danger.split_at(usize::from(row.white_danger));
        (linear, [white, black])
    }

    fn predict(&self, row: &Row, weights: &Weights) -> Prediction {
        let (linear, danger) = self.parts(row);
        let sum = |list: &[Entry]| {
            let mut sum = [0.0; 2];
            for &(index, count) in list {
                let weight = weights[usize::from(index)];
                sum[0] += weight[0] * f64::from(count);
                sum[1] += weight[1] * f64::from(count);
            }
            sum
        };
        let units = danger.map(|side| sum(side).map(|units| units.max(0.0)));
        let divisor = DANGER_DIVISOR as f64;
        let squared = |phase: usize| (units[0][phase] * units[0][phase] - units[1][phase] * units[1][phase]) / divisor;
        let plain = sum(linear);
        let (middlegame, endgame) = (plain[0] + squared(0), plain[1] + squared(1));
        let share = f64::from(row.middlegame);
        let unscaled = middlegame * share + endgame * (1.0 - share);
        let scale = f64::from(row.scale[usize::from(unscaled < 0.0)]);
        Prediction {
            value: unscaled * scale + f64::from(row.fixed),
            scale,
            units,
        }
    }

    /// Loss of one position, and its derivative by the evaluation; `curve` is the steepness of the logistic curve.
    fn loss_at(&self, row: &Row, value: f64, curve: f64) -> (f64, f64) {
        let chance = logistic(curve * value);
        // Cross-entropy, less the entropy that no prediction can avoid.
        let entropy = |p: f64, q: f64| {
            if p > 0.0 {
                -p * libm::log(q.max(1e-300) / p)
            } else {
                0.0
            }
        };
        let loss = entropy(row.target, chance) + entropy(1.0 - row.target, 1.0 - chance);
        (loss, (chance - row.target) * curve)
    }

    /// Sum of the losses of the positions in `range`.
    pub(super) fn loss(&self, range: &[u32], weights: &Weights, curve: f64) -> f64 {
        range
            .iter()
            .map(|&index| {
                let row = &self.positions[index as usize];
                self.loss_at(row, self.predict(row, weights).value, curve).0
            })
            .sum()
    }

    /// Adds the gradient of the losses of some positions to `gradient`.
    pub(super) fn add_gradient(&self, range: &[u32], weights: &Weights, curve: f64, gradient: &mut Weights) {
        for &index in range {
            let row = &self.positions[index as usize];
            let prediction = self.predict(row, weights);
            let (_, slope) = self.loss_at(row, prediction.value, curve);
            let share = f64::from(row.middlegame);
            let phases = [share, 1.0 - share].map(|share| slope * prediction.scale * share);
            let (linear, danger) = self.parts(row);
            for &(index, count) in linear {
                let place = &mut gradient[usize::from(index)];
                for phase in 0..2 {
                    place[phase] += phases[phase] * f64::from(count);
                }
            }
            for (side, (list, sign)) in danger.into_iter().zip([1.0, -1.0]).enumerate() {
                for &(index, count) in list {
                    let place = &mut gradient[usize::from(index)];
                    for phase in 0..2 {
                        let squared = 2.0 * prediction.units[side][phase] / DANGER_DIVISOR as f64;
                        place[phase] += sign * phases[phase] * squared * f64::from(count);
                    }
                }
            }
        }
    }

    /// How often each weight counts, over all positions, in each phase.
    pub(super) fn occurrences(&self) -> Weights {
        let mut sums = vec![[0.0; 2]; WEIGHT_COUNT];
        for row in &self.positions {
            let share = f64::from(row.middlegame);
            for &(index, count) in &self.entries[row.first as usize..row.end as usize] {
                let times = f64::from(count).abs();
                sums[usize::from(index)][0] += times * share;
                sums[usize::from(index)][1] += times * (1.0 - share);
            }
        }
        sums
    }
}

/// Whether a weight is an attack unit.
pub(super) fn is_danger(weight: usize) -> bool {
    Term::of(weight).group == Group::Danger
}

#[cfg(test)]
mod tests {
    use super::*;
    use lmrlab_engine::evaluation::coefficients;
    use lmrlab_engine::position::Position;

    const FENS: [&str; 4] = [
        "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
        "r2q1rk1/5ppp/p1nb4/1p1Q1N2/3P4/1P4P1/P4PBP/2R2RK1 b - - 0 1",
        "8/5k2/3p4/1p1P4/1P3B2/5K2/8/6b1 w - - 0 1",
        "4r1k1/5p1p/1P4p1/8/1b3P2/p2p2P1/R2R3K/8 b - - 0 1",
    ];

    fn data() -> (Data, Vec<Coefficients>) {
        let mut data = Data::default();
        let all: Vec<_> = FENS
            .map(|fen| Coefficients::of(&Position::from_fen(fen).unwrap()))
            .into();
        for (coefficients, target) in all.iter().zip([0.7, 0.2, 0.5, 0.0]) {
            data.push(coefficients, target);
        }
        (data, all)
    }

    fn engine_weights() -> Weights {
        coefficients::weights().iter().map(|pair| pair.map(f64::from)).collect()
    }

    #[test]
    fn the_engine_s_weights_give_the_engine_s_evaluation() {
        let (data, all) = data();
        for (row, coefficients) in data.positions.iter().zip(all) {
            let white = if coefficients.white_to_move { 1.0 } else { -1.0 };
            let value = data.predict(row, &engine_weights()).value;
            let exact = white * f64::from(coefficients.evaluate());
            assert!((value - exact).abs() < 4.0, "{value} {exact}");
        }
    }

    #[test]
    fn the_gradient_is_that_of_the_loss() {
        let (data, _) = data();
        let weights = engine_weights();
        let all = [0, 1, 2, 3];
        let curve = 0.005;
        let mut gradient = vec![[0.0; 2]; WEIGHT_COUNT];
        data.add_gradient(&all, &weights, curve, &mut gradient);
        let mut counted = 0;
        for index in 0..WEIGHT_COUNT {
            for phase in 0..2 {
                let step = 1e-3;
                let at = |change: f64| {
                    let mut weights = weights.clone();
                    weights[index][phase] += change;
                    data.loss(&all, &weights, curve)
                };
                let numeric = (at(step) - at(-step)) / (2.0 * step);
                let analytic = gradient[index][phase];
                assert!(
                    (numeric - analytic).abs() < 1e-7,
                    "{index} {phase}: {numeric} {analytic}"
                );
                counted += usize::from(analytic != 0.0);
            }
        }
        assert!(counted > 100, "{counted}");
    }
}
