//! The default method: a model of the surface, fitted to all pairs so far.
//!
//! SPSA forgets every game as soon as it has made its step. Here all outcomes are kept and a polynomial is fitted to them
//! ([`fit`]), held towards the start by what is believed before. Pairs are played well away from the best point of
//! the model, where differences are large and few games show them, and between the points that tell most about where it
//! is (the module `frame`); while it is not sure that this point is better than the start, some of them tell about that. What is
//! recommended is not the best point of the model but the one with the best lower bound of
//! its gain over the start, so that nothing is changed without evidence.

pub mod fit;
mod frame;
pub mod quadratic;

use fit::{Block, Fit};
use frame::Frame;
use quadratic::Terms;

use super::chance::Chance;
use super::parameter::Parameter;
use super::{Finding, Method, Probe};
use lmrlab_stats::PairOutcome;

/// Numbers that steer the method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Elo that points may lose in all at first: many Elo show much in few games, few Elo stay where the model is right.
    pub elo: f64,
    /// Standard deviations between the expected gain and the lower bound.
    pub caution: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            elo: 200.0,
            caution: 0.5,
        }
    }
}

/// Pairs of the smallest batch.
const LEAST_BATCH: u64 = 24;
/// The share of what was played that is played before the model is fitted again.
const BATCH_SHARE: f64 = 0.125;
/// Different pairs of points in a batch, at most.
const MOST_BLOCKS: u64 = 128;
/// Elo that points may lose in one direction at first.
const MOST_PER_AXIS: f64 = 40.0;
/// After so many pairs points come nearer, and they lose fewer Elo,
const WIDE_PAIRS: f64 = 1500.0;
/// with this power of the number of pairs.
const NARROWING: f64 = 0.25;
/// A gain is believed when so many Elo are left after so many standard deviations have been taken from it: where there is
/// nothing to gain, what chance pretends is small.
const LARGE: (f64, f64) = (3.0, 2.0);
/// The more parameters, the more does chance pretend: so many Elo for each.
const LARGE_EACH: f64 = 1.2;
/// How far from the centre points are tried after the first batch, in steps.
const FIRST_REACH: f64 = 3.0;
/// The exponent with which that grows with the number of pairs.
const REACH_GROWTH: f64 = 0.25;

/// A run with the model.
#[derive(Debug, Clone)]
pub struct Surface {
    parameters: Vec<Parameter>,
    settings: Settings,
    /// Of each parameter, in steps from the start.
    bounds: Vec<(f64, f64)>,
    seed: u64,
    chance: Chance,
    played: u64,
    reach: f64,
    blocks: Vec<Block>,
    /// The blocks that the pairs of the present batch belong to.
    pending: Vec<usize>,
    /// `None` only if numbers are beyond all reason: then nothing is learned.
    state: Option<(Fit, Frame)>,
}

impl Surface {
    /// A run with the usual settings.
    pub fn new(parameters: Vec<Parameter>, seed: u64) -> Self {
        Self::with(parameters, seed, Settings::default())
    }

    /// A run with settings of its own.
    pub fn with(parameters: Vec<Parameter>, seed: u64, settings: Settings) -> Self {
        let bounds: Vec<(f64, f64)> = parameters
            .iter()
            .map(|p| ((p.min - p.start) / p.step, (p.max - p.start) / p.step))
            .collect();
        let terms = Terms::new(parameters.len());
        let mut surface = Self {
            bounds,
            settings,
            seed,
            chance: Chance::new(seed, 0x5355),
            played: 0,
            reach: FIRST_REACH,
            blocks: Vec::new(),
            pending: Vec::new(),
            state: None,
            parameters,
        };
        let centre = vec![0.0; surface.parameters.len()];
        surface.state = Fit::prior(terms).map(|fit| {
            let frame = Frame::new(&fit, centre, surface.elo_per_axis(), surface.reach, None);
            (fit, frame)
        });
        surface
    }

    /// What can be learned from pairs that were played somehow; see [`Self::new`].
    pub fn of(
        parameters: Vec<Parameter>,
        seed: u64,
        pairs: impl IntoIterator<Item = (Probe, PairOutcome)>,
    ) -> Self {
        /// After so many fits the centre is where it stays.
        const FITS: usize = 12;
        let mut surface = Self::new(parameters, seed);
        for (probe, outcome) in pairs {
            let mut block = Block::new(
                surface.in_steps(&probe.first),
                surface.in_steps(&probe.second),
            );
            block.record(outcome);
            surface.blocks.push(block);
            surface.played += 1;
        }
        for _ in 0..FITS {
            surface.learn();
        }
        surface
    }

    /// A small gain changes something only if it is so many standard deviations. That is the more the more
    /// parameters there are, because the best of many directions looks good even where all are equal: an upper quantile of
    /// the chi distribution (simultaneous intervals, Scheffé 1953).
    fn evidence(&self) -> f64 {
        let freedom = self.parameters.len() as f64;
        libm::sqrt(freedom + 2.5 * libm::sqrt(2.0 * freedom))
    }

    /// Far away differences are large, and near by the model is right: the more was played, the nearer points are.
    fn elo_per_axis(&self) -> f64 {
        let most = (self.settings.elo / self.parameters.len().max(1) as f64).min(MOST_PER_AXIS);
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

    fn learn(&mut self) {
        let Some((fit, frame)) = &self.state else {
            return;
        };
        let scale = (0..self.parameters.len()).map(|index| frame.extent(index));
        let terms = Terms::around(frame.centre.clone(), scale.collect());
        let weights: Vec<f64> = self
            .blocks
            .iter()
            .map(|block| frame.weight(block))
            .collect();
        let Some(fit) = fit.update(terms, &self.blocks, &weights, 1.0) else {
            return;
        };
        // The centre goes no farther than to the edge of what was looked at.
        let near: Vec<(f64, f64)> = (0..self.parameters.len())
            .map(|index| {
                let (low, high) = self.bounds[index];
                let (centre, extent) = (frame.centre[index], frame.extent(index));
                ((centre - extent).max(low), (centre + extent).min(high))
            })
            .collect();
        let centre = fit.terms.best(&fit.coefficients, &frame.centre, &near);
        let widest = self
            .bounds
            .iter()
            .map(|(low, high)| high - low)
            .fold(0.0, f64::max);
        let batches = self.played as f64 / LEAST_BATCH as f64;
        self.reach = (FIRST_REACH * libm::pow(batches, REACH_GROWTH)).min(0.5 * widest);
        let mut frame = Frame::new(&fit, centre, self.elo_per_axis(), self.reach, Some(frame));
        if self.chosen(&fit, &frame).is_none() {
            frame.ask_for_gain(&fit);
        }
        self.state = Some((fit, frame));
    }

    /// The point with the best lower bound of its gain over the start, in steps from it.
    fn best_bound(&self, fit: &Fit, frame: &Frame, caution: f64) -> Vec<f64> {
        let start = vec![0.0; self.parameters.len()];
        let bound = |point: &[f64]| {
            let (gain, deviation) = fit.gain(point, &start);
            gain - caution * deviation
        };
        let mut best = (0.0, start.clone());
        for share in 1..=20 {
            let share = f64::from(share) / 20.0;
            let point: Vec<f64> = frame.centre.iter().map(|x| share * x).collect();
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

    /// The point with the best lower bound of its gain that is better than the start for sure, in steps from the start; `None`
    /// when there is none. The bound that decides is the bolder the better: only when its point may be worse than the start are
    /// more cautious ones asked, which leave what is uncertain where it was.
    fn chosen(&self, fit: &Fit, frame: &Frame) -> Option<Vec<f64>> {
        let start = vec![0.0; self.parameters.len()];
        let least = LARGE.0.max(LARGE_EACH * start.len() as f64);
        let evidence = self.evidence();
        [self.settings.caution, 1.0, LARGE.1, evidence]
            .into_iter()
            .map(|caution| self.best_bound(fit, frame, caution))
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
            let centre = vec![0.0; self.parameters.len()];
            let (first, second) = match &self.state {
                Some((fit, frame)) => frame.points(fit, &self.bounds, &mut self.chance),
                None => (centre.clone(), centre),
            };
            let [first, second] = [first, second].map(|point| {
                let values = self.values(&point);
                (values.iter().zip(&self.parameters))
                    .map(|(value, parameter)| parameter.playable(*value, &mut self.chance))
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

    fn record(&mut self, outcomes: &[PairOutcome]) {
        let pending = std::mem::take(&mut self.pending);
        for (&block, outcome) in pending.iter().zip(outcomes) {
            self.blocks[block].record(*outcome);
            self.played += 1;
        }
        self.blocks.retain(|block| block.pairs > 0.0);
        self.learn();
    }

    fn recommendation(&mut self) -> Vec<f64> {
        let chosen = (self.state.as_ref()).and_then(|(fit, frame)| self.chosen(fit, frame));
        self.values(&chosen.unwrap_or_else(|| vec![0.0; self.parameters.len()]))
    }

    fn gain(&self, values: &[f64]) -> Option<(f64, f64)> {
        let (fit, _) = self.state.as_ref()?;
        let start = vec![0.0; self.parameters.len()];
        Some(fit.gain(&self.in_steps(values), &start))
    }

    fn findings(&self, values: &[f64]) -> Vec<Finding> {
        let Some((fit, frame)) = &self.state else {
            return Vec::new();
        };
        // Whether a parameter matters is asked without believing that it does.
        let weights: Vec<f64> = self
            .blocks
            .iter()
            .map(|block| frame.weight(block))
            .collect();
        let Some(fit) = fit.update(fit.terms.clone(), &self.blocks, &weights, 0.0) else {
            return Vec::new();
        };
        let point = self.in_steps(values);
        let extents: Vec<f64> = (0..point.len()).map(|index| frame.extent(index)).collect();
        let near: Vec<(f64, f64)> = (0..point.len())
            .map(|index| {
                let (low, high) = self.bounds[index];
                let reach = 2.0 * extents[index];
                (
                    (point[index] - reach).max(low),
                    (point[index] + reach).min(high),
                )
            })
            .collect();
        // The best points of surfaces that are as likely as the games say.
        let mut chance = Chance::new(self.seed, 0x4669);
        let mut best: Vec<Vec<f64>> = vec![Vec::new(); point.len()];
        for _ in 0..DRAWS {
            let coefficients = fit.draw(&mut chance);
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
                // Where it loses most for sure, of its two sides.
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
                    }
                };
                let (down, up) = (side(-1.0), side(1.0));
                let sure = |side: &Finding| side.effect - 2.0 * side.deviation;
                // At a bound there is but one side.
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

/// Surfaces that are drawn to find the interval of the best point.
const DRAWS: usize = 200;

#[cfg(test)]
mod tests;
