//! The sum of the evaluation's terms as a function of their weights, with its gradient.

use lmrlab_engine::evaluation::coefficients::Coefficients;
use lmrlab_engine::evaluation::terms::WEIGHT_COUNT;
use lmrlab_engine::evaluation::{DANGER_DIVISOR, FULL_PHASE};

use crate::descent::{Examples, logistic, squared};

/// Index of a term, and its coefficient. The weight for the middlegame is at twice the index, that for the endgame after it.
type Entry = (u16, i16);

/// The coefficients of many positions in one list, with their targets.
#[derive(Debug)]
pub(super) struct Data {
    /// Steepness of the logistic curve, per centipawn.
    pub(super) curve: f64,
    entries: Vec<Entry>,
    positions: Vec<Row>,
    pull: Pull,
}

/// The pull to the starting weights: rare weights move less.
#[derive(Debug, Default)]
pub(super) struct Pull {
    pub(super) start: Vec<f32>,
    /// Second derivative of its loss by any weight, for each position.
    pub(super) strength: f32,
}

/// One position: its entries, up to those of the next position.
#[derive(Debug, Clone, Copy)]
struct Row {
    first: u32,
    /// The number of entries of the sum, and of White's danger. The rest are of Black's danger.
    linear: u16,
    white_danger: u16,
    end: u32,
    middlegame: f32,
    scale: [f32; 2],
    fixed: f32,
    /// The expected result for White, from 0 to 1.
    target: f32,
}

/// The evaluation of a position by some weights.
struct Prediction {
    /// From White's point of view, in centipawns.
    value: f64,
    scale: f64,
    /// Attack units of White and Black, when they are positive: middlegame and endgame.
    units: [[f64; 2]; 2],
}

impl Data {
    /// An empty set of positions.
    pub(super) fn new(curve: f64) -> Self {
        Self {
            curve,
            entries: Vec::new(),
            positions: Vec::new(),
            pull: Pull::default(),
        }
    }

    /// Adds a position with the expected result for its side to move.
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
            target: if coefficients.white_to_move {
                target
            } else {
                1.0 - target
            } as f32,
        });
    }

    /// Pulls the weights to their start, as strongly as `positions` positions would.
    pub(super) fn pull(&mut self, start: &[f32], positions: f64) {
        let curvature = self.curve * self.curve / 8.0;
        self.pull = Pull {
            start: start.to_vec(),
            strength: (positions * curvature / self.positions.len() as f64) as f32,
        };
    }

    fn parts(&self, row: &Row) -> (&[Entry], [&[Entry]; 2]) {
        let entries = &self.entries[row.first as usize..row.end as usize];
        let (linear, danger) = entries.split_at(usize::from(row.linear));
        let (white, black) = danger.split_at(usize::from(row.white_danger));
        (linear, [white, black])
    }

    fn predict(&self, row: &Row, weights: &[f32]) -> Prediction {
        let (linear, danger) = self.parts(row);
        let sum = |list: &[Entry]| {
            let mut sum = [0.0; 2];
            for &(index, count) in list {
                for phase in 0..2 {
                    sum[phase] += f64::from(weights[2 * usize::from(index) + phase]) * f64::from(count);
                }
            }
            sum
        };
        let units = danger.map(|side| sum(side).map(|units| units.max(0.0)));
        let danger = |phase: usize| (squared(units[0][phase]) - squared(units[1][phase])) / DANGER_DIVISOR as f64;
        let plain = sum(linear);
        let share = f64::from(row.middlegame);
        let unscaled = (plain[0] + danger(0)) * share + (plain[1] + danger(1)) * (1.0 - share);
        let scale = f64::from(row.scale[usize::from(unscaled < 0.0)]);
        Prediction {
            value: unscaled * scale + f64::from(row.fixed),
            scale,
            units,
        }
    }

    /// How often each weight occurs, over all positions.
    pub(super) fn occurrences(&self) -> Vec<f64> {
        let mut sums = vec![0.0; 2 * WEIGHT_COUNT];
        for row in &self.positions {
            let share = f64::from(row.middlegame);
            for &(index, count) in &self.entries[row.first as usize..row.end as usize] {
                let times = f64::from(count).abs();
                sums[2 * usize::from(index)] += times * share;
                sums[2 * usize::from(index) + 1] += times * (1.0 - share);
            }
        }
        sums
    }
}

impl Examples for Data {
    fn loss(&self, weights: &[f32], index: u32) -> f64 {
        let row = &self.positions[index as usize];
        squared(logistic(self.curve * self.predict(row, weights).value) - f64::from(row.target))
    }

    fn add_gradient(&self, weights: &[f32], chunk: &[u32], gradient: &mut [f32]) {
        for &index in chunk {
            let row = &self.positions[index as usize];
            let prediction = self.predict(row, weights);
            let chance = logistic(self.curve * prediction.value);
            let slope = 2.0 * (chance - f64::from(row.target)) * chance * (1.0 - chance) * self.curve;
            let share = f64::from(row.middlegame);
            let phases = [share, 1.0 - share].map(|share| slope * prediction.scale * share);
            let (linear, danger) = self.parts(row);
            let mut add = |list: &[Entry], slopes: [f64; 2]| {
                for &(index, count) in list {
                    for phase in 0..2 {
                        gradient[2 * usize::from(index) + phase] += (slopes[phase] * f64::from(count)) as f32;
                    }
                }
            };
            add(linear, phases);
            for (side, (list, sign)) in danger.into_iter().zip([1.0, -1.0]).enumerate() {
                let squared = |phase: usize| sign * 2.0 * prediction.units[side][phase] / DANGER_DIVISOR as f64;
                add(list, [phases[0] * squared(0), phases[1] * squared(1)]);
            }
        }
        let strength = self.pull.strength * chunk.len() as f32;
        for ((slope, weight), start) in gradient.iter_mut().zip(weights).zip(&self.pull.start) {
            *slope += strength * (weight - start);
        }
    }
}

#[cfg(test)]
mod tests {
    use lmrlab_engine::position::Position;

    use super::super::engine_weights;
    use super::*;
    use crate::descent::tests::check_gradient;

    const FENS: [&str; 4] = [
        "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
        "r2q1rk1/5ppp/p1nb4/1p1Q1N2/3P4/1P4P1/P4PBP/2R2RK1 b - - 0 1",
        "8/5k2/3p4/1p1P4/1P3B2/5K2/8/6b1 w - - 0 1",
        "4r1k1/5p1p/1P4p1/8/1b3P2/p2p2P1/R2R3K/8 b - - 0 1",
    ];

    fn data() -> (Data, [Coefficients; 4]) {
        let mut data = Data::new(0.005);
        let all = FENS.map(|fen| Coefficients::of(&Position::from_fen(fen).unwrap()));
        for (coefficients, target) in all.iter().zip([0.7, 0.2, 0.5, 0.0]) {
            data.push(coefficients, target);
        }
        (data, all)
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
        let compared = check_gradient(&data().0, 4, &engine_weights(), 0.25, 1e-5);
        assert!(compared > 50, "{compared}");
    }
}
