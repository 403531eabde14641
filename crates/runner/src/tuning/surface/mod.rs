//! The default method: a model of the surface, fitted to all pairs so far.
//!
//! SPSA forgets every game as soon as it has made its step. Here all outcomes are kept and a polynomial is fitted to them
//! ([`fit`]), held towards the start by what is believed before. Pairs are played well away from the best point of
//! the model, where differences are large and few games show them, and between the points that tell most about where it is
//! ([`frame`]). What is recommended is not the best point of the model but the one with the best lower bound of its gain over
//! the start, so that nothing is changed without evidence.

pub mod fit;
mod frame;
pub mod linear;
pub mod quadratic;

use fit::{Block, Fit};
use frame::Frame;
use quadratic::{Belief, Terms};

use super::chance::Chance;
use super::parameter::Parameter;
use super::{Method, Probe};
use crate::stats::PairOutcome;

/// Numbers that steer the method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Before any game.
    pub belief: Belief,
    /// Elo that points may lose in all, a hundred pairs into the run.
    pub elo: f64,
    /// The exponent with which that falls as pairs are played.
    pub narrowing: f64,
    /// Standard deviations between the expected gain and the lower bound.
    pub caution: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            belief: Belief::default(),
            elo: 120.0,
            narrowing: 0.0,
            caution: 0.5,
        }
    }
}

/// Pairs of the smallest batch.
const LEAST_BATCH: u64 = 24;
/// The share of what was played that is played before the model is fitted again.
const BATCH_SHARE: f64 = 0.125;
/// Different pairs of points in a batch, at most.
const MOST_BLOCKS: u64 = 256;
/// How far from the centre points are tried at first, in steps, and how much farther after each fit.
const FIRST_REACH: f64 = 3.0;
const REACH_GROWTH: f64 = 1.4;

/// A run with the model.
#[derive(Debug, Clone)]
pub struct Surface {
    parameters: Vec<Parameter>,
    settings: Settings,
    /// Of each parameter, in steps from the start.
    bounds: Vec<(f64, f64)>,
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
            chance: Chance::new(seed, 0x5355),
            played: 0,
            reach: FIRST_REACH,
            blocks: Vec::new(),
            pending: Vec::new(),
            state: None,
            parameters,
        };
        let centre = vec![0.0; terms.dimensions];
        surface.state = Fit::prior(terms, &settings.belief).map(|fit| {
            let frame = Frame::new(&fit, centre, surface.elo_per_axis(), surface.reach);
            (fit, frame)
        });
        surface
    }

    fn elo_per_axis(&self) -> f64 {
        let hundreds = (self.played as f64 / 100.0).max(1.0);
        self.settings.elo
            / libm::pow(hundreds, self.settings.narrowing)
            / self.parameters.len().max(1) as f64
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
        let weights: Vec<f64> = self
            .blocks
            .iter()
            .map(|block| frame.weight(block))
            .collect();
        let Some(fit) = fit.update(&self.settings.belief, &self.blocks, &weights) else {
            return;
        };
        // The centre goes no farther than to the edge of what was looked at.
        let near: Vec<(f64, f64)> = (0..self.parameters.len())
            .map(|index| {
                let (low, high) = self.bounds[index];
                let (centre, extent) = (frame.centre[index], 1.2 * frame.extent(index));
                ((centre - extent).max(low), (centre + extent).min(high))
            })
            .collect();
        let centre = fit.terms.best(&fit.coefficients, &frame.centre, &near);
        let widest = self
            .bounds
            .iter()
            .map(|(low, high)| high - low)
            .fold(0.0, f64::max);
        self.reach = (self.reach * REACH_GROWTH).min(0.5 * widest);
        let frame = Frame::new(&fit, centre, self.elo_per_axis(), self.reach);
        self.state = Some((fit, frame));
    }

    /// The point with the best lower bound of its gain over the start, in steps from it.
    fn best_bound(&self, fit: &Fit, frame: &Frame) -> Vec<f64> {
        let start = vec![0.0; self.parameters.len()];
        let bound = |point: &[f64]| {
            let (gain, deviation) = fit.gain(point, &start);
            gain - self.settings.caution * deviation
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
        match &self.state {
            Some((fit, frame)) => self.values(&self.best_bound(fit, frame)),
            None => self
                .parameters
                .iter()
                .map(|parameter| parameter.start)
                .collect(),
        }
    }
}
