//! The default method: a model of the surface, fitted to all pairs so far.
//!
//! SPSA uses each game for one step only. This method stores all outcomes and fits a polynomial to them, with a prior
//! centred at the start (`fit`, `polynomial`). Pairs are played well away from the model's best point, because
//! differences are large there. They are played between the points that say most about the place of the best point
//! (`region`). While its gain over the start is in doubt, some pairs measure that gain. The method recommends the point
//! with the best lower bound of its gain over the start, so that nothing changes without evidence.

mod fit;
mod polynomial;
mod region;

use fit::{Block, Fit};
use polynomial::Terms;
use region::Region;

use crate::methods::finding::Finding;
use crate::methods::random::Random;
use crate::methods::{Method, PairResult, Probe};
use crate::subject::parameter::Parameter;

/// The loss of the first points, in Elo, summed over all axes. A large loss is measured in few games. With a small loss
/// the points stay where the model is right.
const FIRST_LOSS: f64 = 200.0;
/// Standard deviations between the expected gain and the lower bound.
const CAUTION: f64 = 0.5;
/// Pairs of the smallest batch.
const LEAST_BATCH: u64 = 24;
/// The size of a batch, as a share of the pairs so far; the model is fitted after each batch.
const BATCH_SHARE: f64 = 0.125;
/// The greatest number of different pairs of points in a batch.
const MOST_BLOCKS: u64 = 128;
/// The greatest loss of the first points along one axis, in Elo.
const MOST_PER_AXIS: f64 = 40.0;
/// Up to this number of pairs the loss along an axis stays the same.
const WIDE_PAIRS: f64 = 1500.0;
/// After that, the loss falls with this power of the number of pairs.
const NARROWING: f64 = 0.25;
/// A gain is significant when it is more than the first number, in Elo, even after subtracting the second number of
/// standard deviations. Noise alone gives small gains only.
const LARGE: (f64, f64) = (3.0, 2.0);
/// The least such gain for each parameter, in Elo: with more parameters, noise alone gives larger gains.
const LARGE_EACH: f64 = 1.2;
/// The greatest distance of points from the centre after the first batch, in steps from the start.
const FIRST_REACH: f64 = 3.0;
/// That distance grows with this power of the number of pairs.
const REACH_GROWTH: f64 = 0.25;

/// A run with the model.
#[derive(Debug, Clone)]
pub struct Surface {
    parameters: Vec<Parameter>,
    /// The bounds of each parameter, in steps from the start.
    bounds: Vec<(f64, f64)>,
    seed: u64,
    random: Random,
    played: u64,
    reach: f64,
    blocks: Vec<Block>,
    /// The block of each pair in the present batch.
    pending: Vec<usize>,
    /// `None` only after a number has overflowed. Then nothing more is learned.
    state: Option<(Fit, Region)>,
}

impl Surface {
    /// A run before its first pair.
    pub fn new(parameters: Vec<Parameter>, seed: u64) -> Self {
        let bounds: Vec<(f64, f64)> = parameters
            .iter()
            .map(|p| ((p.min - p.start) / p.step, (p.max - p.start) / p.step))
            .collect();
        let terms = Terms::new(parameters.len());
        let mut surface = Self {
            bounds,
            seed,
            random: Random::new(seed, 0x5355),
            played: 0,
            reach: FIRST_REACH,
            blocks: Vec::new(),
            pending: Vec::new(),
            state: None,
            parameters,
        };
        let centre = surface.start();
        surface.state = Fit::prior(terms).map(|fit| {
            let region = Region::new(&fit, centre, surface.elo_per_axis(), surface.reach, None);
            (fit, region)
        });
        surface
    }

    /// Standard deviations that make a small gain significant: an upper quantile of the chi distribution (simultaneous
    /// intervals, Scheffé 1953). It grows with the number of parameters, because the best of many directions looks good
    /// even where all are equal.
    fn evidence(&self) -> f64 {
        let freedom = self.parameters.len() as f64;
        libm::sqrt(freedom + 2.5 * libm::sqrt(2.0 * freedom))
    }

    /// The loss along one axis, in Elo. Far points show large differences, and the model fits better at near points. So
    /// the points come nearer as more pairs are played.
    fn elo_per_axis(&self) -> f64 {
        let most = (FIRST_LOSS / self.parameters.len().max(1) as f64).min(MOST_PER_AXIS);
        let beyond = (self.played as f64 / WIDE_PAIRS).max(1.0);
        most * libm::pow(beyond, -NARROWING)
    }

    fn in_steps(&self, values: &[f64]) -> Vec<f64> {
        (values.iter().zip(&self.parameters))
            .map(|(value, p)| (value - p.start) / p.step)
            .collect()
    }

    fn values(&self, point: &[f64]) -> Vec<f64> {
        (point.iter().zip(&self.parameters))
            .map(|(steps, p)| p.clip(p.start + steps * p.step))
            .collect()
    }

    fn start(&self) -> Vec<f64> {
        vec![0.0; self.parameters.len()]
    }

    fn weights(&self, region: &Region) -> Vec<f64> {
        let blocks = self.blocks.iter();
        blocks.map(|block| region.weight(block)).collect()
    }

    /// The box around a point, within the bounds. To each side it has this many extents of the region.
    fn around(&self, point: &[f64], region: &Region, extents: f64) -> Vec<(f64, f64)> {
        let sides = point.iter().zip(&self.bounds).enumerate();
        sides
            .map(|(index, (value, (low, high)))| {
                let reach = extents * region.extent(index);
                ((value - reach).max(*low), (value + reach).min(*high))
            })
            .collect()
    }

    fn learn(&mut self) {
        let Some((fit, region)) = &self.state else {
            return;
        };
        let scale = (0..self.parameters.len()).map(|index| region.extent(index));
        let terms = Terms::around(region.centre.clone(), scale.collect());
        let Some(fit) = fit.update(terms, &self.blocks, &self.weights(region), 1.0) else {
            return;
        };
        // The centre stays within the region that was played.
        let near = self.around(&region.centre, region, 1.0);
        let centre = fit.terms.best(&fit.coefficients, &region.centre, &near);
        let widest = self.bounds.iter().map(|(low, high)| high - low).fold(0.0, f64::max);
        let batches = self.played as f64 / LEAST_BATCH as f64;
        self.reach = (FIRST_REACH * libm::pow(batches, REACH_GROWTH)).min(0.5 * widest);
        let mut region = Region::new(&fit, centre, self.elo_per_axis(), self.reach, Some(region));
        if self.chosen(&fit, &region).is_none() {
            region.ask_for_gain(&fit);
        }
        self.state = Some((fit, region));
    }

    /// The point with the best lower bound of its gain over the start, in steps from it.
    fn best_bound(&self, fit: &Fit, region: &Region, caution: f64) -> Vec<f64> {
        let start = self.start();
        let bound = |point: &[f64]| {
            let (gain, deviation) = fit.gain(point, &start);
            gain - caution * deviation
        };
        let mut best = (0.0, start.clone());
        for share in 1..=20 {
            let share = f64::from(share) / 20.0;
            let point: Vec<f64> = region.centre.iter().map(|x| share * x).collect();
            let value = bound(&point);
            if value > best.0 {
                best = (value, point);
            }
        }
        for _ in 0..3 {
            for index in 0..start.len() {
                let centre = best.1[index];
                for tenth in 0..12 {
                    let mut point = best.1.clone();
                    point[index] = f64::from(tenth) / 10.0 * centre;
                    point[index] = point[index].clamp(self.bounds[index].0, self.bounds[index].1);
                    let value = bound(&point);
                    if value > best.0 {
                        best = (value, point);
                    }
                }
            }
        }
        best.1
    }

    /// Of the points with a significant gain over the start, the one with the best lower bound of its gain, in steps
    /// from the start. `None` when there is none. The least cautious bound is tried first. A more cautious one is tried
    /// only while the gain is not significant. It leaves uncertain parameters at the start.
    fn chosen(&self, fit: &Fit, region: &Region) -> Option<Vec<f64>> {
        let start = self.start();
        let least = LARGE.0.max(LARGE_EACH * start.len() as f64);
        let evidence = self.evidence();
        [CAUTION, 1.0, LARGE.1, evidence]
            .into_iter()
            .map(|caution| self.best_bound(fit, region, caution))
            .find(|point| {
                let (gain, deviation) = fit.gain(point, &start);
                gain - LARGE.1 * deviation > least || gain > evidence * deviation
            })
    }
}

impl Method for Surface {
    fn next(&mut self) -> Vec<Probe> {
        let pairs = LEAST_BATCH.max((self.played as f64 * BATCH_SHARE) as u64);
        let repeats = pairs.div_ceil(MOST_BLOCKS);
        self.pending.clear();
        let mut probes = Vec::new();
        for _ in 0..pairs / repeats {
            let (first, second) = match &self.state {
                Some((fit, region)) => region.points(fit, &self.bounds, &mut self.random),
                None => (self.start(), self.start()),
            };
            let [first, second] = [first, second].map(|point| {
                let values = self.values(&point);
                (values.iter().zip(&self.parameters))
                    .map(|(value, parameter)| parameter.playable(*value, &mut self.random))
                    .collect::<Vec<f64>>()
            });
            let block = Block::new(self.in_steps(&first), self.in_steps(&second));
            self.blocks.push(block);
            for _ in 0..repeats {
                self.pending.push(self.blocks.len() - 1);
                probes.push(Probe {
                    first: first.clone(),
                    second: second.clone(),
                });
            }
        }
        probes
    }

    fn record(&mut self, results: &[PairResult]) {
        let pending = std::mem::take(&mut self.pending);
        for (&block, result) in pending.iter().zip(results) {
            self.blocks[block].record(result.outcome);
            self.played += 1;
        }
        self.blocks.retain(|block| block.pairs > 0.0);
        self.learn();
    }

    fn recommendation(&mut self) -> Vec<f64> {
        let chosen = (self.state.as_ref()).and_then(|(fit, region)| self.chosen(fit, region));
        self.values(&chosen.unwrap_or_else(|| self.start()))
    }

    fn gain(&self, values: &[f64]) -> Option<(f64, f64)> {
        let (fit, _) = self.state.as_ref()?;
        let start = self.start();
        Some(fit.gain(&self.in_steps(values), &start))
    }

    fn findings(&self, values: &[f64]) -> Vec<Finding> {
        let Some((fit, region)) = &self.state else {
            return Vec::new();
        };
        // Refitted without the prior's curvature: only the games may show that a parameter matters.
        let Some(fit) = fit.update(fit.terms.clone(), &self.blocks, &self.weights(region), 0.0) else {
            return Vec::new();
        };
        let point = self.in_steps(values);
        let extents: Vec<f64> = (0..point.len()).map(|index| region.extent(index)).collect();
        let near = self.around(&point, region, 2.0);
        // The best points of surfaces drawn from the posterior distribution.
        let mut random = Random::new(self.seed, 0x4669);
        let mut best: Vec<Vec<f64>> = vec![Vec::new(); point.len()];
        for _ in 0..DRAWS {
            let coefficients = fit.draw(&mut random);
            let found = fit.terms.best(&coefficients, &point, &near);
            for (values, value) in best.iter_mut().zip(found) {
                values.push(value);
            }
        }
        let findings = best.into_iter().zip(&self.parameters).enumerate();
        findings
            .map(|(index, (mut values, parameter))| {
                values.sort_by(f64::total_cmp);
                let value = |steps: f64| parameter.clip(parameter.start + steps * parameter.step);
                let tail = DRAWS / 40;
                // The side with the greater lower bound of the loss.
                let side = |sign: f64| {
                    let mut moved = point.clone();
                    let (low, high) = self.bounds[index];
                    moved[index] = (point[index] + sign * extents[index]).clamp(low, high);
                    let (effect, deviation) = fit.gain(&point, &moved);
                    Finding {
                        interval: (value(values[tail]), value(values[DRAWS - 1 - tail])),
                        moved: (moved[index] - point[index]) * parameter.step,
                        effect,
                        deviation,
                        share_of_games: fit.share_of_games(&point, &moved),
                    }
                };
                let (down, up) = (side(-1.0), side(1.0));
                let sure = |side: &Finding| side.effect - 2.0 * side.deviation;
                // At a bound there is only one side.
                let no_side = |side: &Finding| side.moved == 0.0;
                if no_side(&up) || (!no_side(&down) && sure(&down) > sure(&up)) {
                    down
                } else {
                    up
                }
            })
            .collect()
    }
}

/// The number of surfaces that are drawn for the interval of the best point.
const DRAWS: usize = 200;

#[cfg(test)]
mod tests;
