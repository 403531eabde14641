//! Surfaces of strength whose best point is known.

use super::pair_model::PairModel;
use crate::method::{PairResult, Probe};
use crate::parameter::Parameter;
use crate::random::Random;

/// The shape of a surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A quadratic bowl along the parameters.
    Quadratic,
    /// Steeper on one side of the best point than on the other, along each parameter.
    Skewed,
    /// A ridge at an angle to the parameters: the surface is thirty times flatter in half of its directions, so parameters
    /// have to move together.
    Ridge,
    /// Little to gain: the start is one Elo below the best.
    Flat,
    /// Quadratic, and a third of the parameters (at least one) have no effect at all.
    Irrelevant,
    /// Quadratic, and the start is the best point: any change loses.
    Tuned,
}

impl Shape {
    /// The shapes with their names.
    pub const NAMES: [(&'static str, Self); 6] = [
        ("quadratic", Self::Quadratic),
        ("skewed", Self::Skewed),
        ("ridge", Self::Ridge),
        ("flat", Self::Flat),
        ("irrelevant", Self::Irrelevant),
        ("tuned", Self::Tuned),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        let named = Self::NAMES.iter().find(|(_, shape)| *shape == self);
        named.map_or("", |(name, _)| name)
    }
}

/// The range of each parameter, in steps.
const RANGE: f64 = 20.0;

/// A random surface.
///
/// Parameters go from 0 to 100 with a step of 5, a twentieth of their range, as users of fishtest choose it. The start is
/// in the middle half of the range. The best point lies 2 to 6 steps away from it along each parameter; on a ridge, 3 to 7
/// along each flat axis and 0.7 to 1.5 along each steep one. Curvatures differ between parameters by a factor of up to 9.
/// They are scaled so that the start is 15 Elo below the best point with one parameter, 20 with two, 32 with five and 45
/// with ten.
#[derive(Debug, Clone)]
pub struct Landscape {
    shape: Shape,
    parameters: Vec<Parameter>,
    /// The best point, in the parameters' units.
    best: Vec<f64>,
    /// Elo lost at one step from the best point along each axis.
    curvature: Vec<f64>,
    /// The axes, in steps; orthogonal.
    axes: Vec<Vec<f64>>,
    /// The asymmetry of each axis.
    skew: Vec<f64>,
}

impl Landscape {
    /// A surface with this many parameters, drawn by `seed`.
    pub fn new(shape: Shape, dimensions: usize, seed: u64) -> Self {
        let mut random = Random::new(seed, 0x5u64 << 32 | dimensions as u64);
        let parameters: Vec<Parameter> = (0..dimensions)
            .map(|index| Parameter {
                name: format!("parameter_{}", index + 1),
                integer: false,
                start: 25.0 + 50.0 * random.uniform(),
                min: 0.0,
                max: 100.0,
                step: 100.0 / RANGE,
                r_end: None,
            })
            .collect();
        let axes = axes(shape, dimensions, &mut random);
        let best = best(shape, &parameters, &axes, &mut random);
        let mut landscape = Self {
            shape,
            best,
            curvature: (0..dimensions).map(|_| libm::pow(9.0, random.uniform())).collect(),
            axes,
            skew: (0..dimensions)
                .map(|_| match shape {
                    Shape::Skewed => 0.12 * random.sign(),
                    _ => 0.0,
                })
                .collect(),
            parameters,
        };
        if shape == Shape::Irrelevant {
            let without = dimensions.div_ceil(3).min(dimensions.saturating_sub(1));
            landscape.curvature[dimensions - without..].fill(0.0);
        }
        if shape == Shape::Ridge {
            for (index, curvature) in landscape.curvature.iter_mut().enumerate() {
                *curvature = if is_flat(index) { 1.0 } else { 30.0 };
            }
        }
        landscape.scale();
        landscape
    }

    /// Scales the curvatures so that the start has the intended loss.
    fn scale(&mut self) {
        let wanted = match self.shape {
            Shape::Flat => 1.0,
            _ => 5.0 + 10.0 * libm::pow(self.parameters.len() as f64, 0.6),
        };
        let start = match self.shape {
            // The same curvatures as elsewhere, seen from four steps away.
            Shape::Tuned => self.parameters.iter().map(|p| p.start + 4.0 * p.step).collect(),
            _ => self.start(),
        };
        let factor = wanted / self.lost(&start);
        for curvature in &mut self.curvature {
            *curvature *= factor;
        }
    }

    /// Its parameters; their start is where tuning starts.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The values where tuning starts.
    pub fn start(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.start).collect()
    }

    /// Elo that a point loses against the best; at least 0.
    pub fn lost(&self, point: &[f64]) -> f64 {
        let away = |index: usize| (point[index] - self.best[index]) / self.parameters[index].step;
        let mut lost = 0.0;
        for ((axis, curvature), skew) in self.axes.iter().zip(&self.curvature).zip(&self.skew) {
            let along: f64 = (axis.iter().enumerate())
                .filter(|(_, part)| **part != 0.0)
                .map(|(index, part)| part * away(index))
                .sum();
            let bent = if *skew == 0.0 {
                along
            } else {
                libm::expm1(skew * along) / skew
            };
            lost += curvature * bent * bent;
        }
        lost
    }

    /// Plays these pairs by the differences in strength on this surface.
    pub fn play(&self, probes: &[Probe], model: &PairModel, random: &mut Random) -> Vec<PairResult> {
        let lead = |probe: &Probe| self.lost(&probe.second) - self.lost(&probe.first);
        probes
            .iter()
            .map(|probe| model.play(lead(probe), random).into())
            .collect()
    }
}

/// Whether a ridge is flat along this axis.
fn is_flat(axis: usize) -> bool {
    axis % 2 == 1
}

/// The best point of a surface.
fn best(shape: Shape, parameters: &[Parameter], axes: &[Vec<f64>], random: &mut Random) -> Vec<f64> {
    let mut best: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
    if shape == Shape::Tuned {
        return best;
    }
    loop {
        for (value, parameter) in best.iter_mut().zip(parameters) {
            *value = parameter.start;
        }
        for (index, axis) in axes.iter().enumerate() {
            let (least, most) = match (shape, is_flat(index)) {
                // Most of the way is along the ridge.
                (Shape::Ridge, true) => (3.0, 7.0),
                (Shape::Ridge, false) => (0.7, 1.5),
                _ => (2.0, 6.0),
            };
            let away = (least + (most - least) * random.uniform()) * random.sign();
            for ((value, parameter), part) in best.iter_mut().zip(parameters).zip(axis) {
                *value += away * part * parameter.step;
            }
        }
        let within = |(value, parameter): (&f64, &Parameter)| *value == parameter.clip(*value);
        if best.iter().zip(parameters).all(within) {
            return best;
        }
    }
}

/// Orthogonal directions of length 1: the parameters' own, or for a ridge random ones.
fn axes(shape: Shape, dimensions: usize, random: &mut Random) -> Vec<Vec<f64>> {
    let mut axes: Vec<Vec<f64>> = Vec::with_capacity(dimensions);
    while axes.len() < dimensions {
        let mut axis = vec![0.0; dimensions];
        if shape == Shape::Ridge {
            axis.fill_with(|| random.normal());
            // Gram and Schmidt.
            for earlier in &axes {
                let along: f64 = earlier.iter().zip(&axis).map(|(a, b)| a * b).sum();
                for (part, other) in axis.iter_mut().zip(earlier) {
                    *part -= along * other;
                }
            }
            let length = libm::sqrt(axis.iter().map(|part| part * part).sum());
            if length < 1e-3 {
                continue;
            }
            for part in &mut axis {
                *part /= length;
            }
        } else {
            axis[axes.len()] = 1.0;
        }
        axes.push(axis);
    }
    axes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_loses_what_it_is_to_lose() {
        for (shape, lost) in [
            (Shape::Quadratic, 20.16),
            (Shape::Skewed, 20.16),
            (Shape::Ridge, 20.16),
            (Shape::Irrelevant, 20.16),
            (Shape::Flat, 1.0),
            (Shape::Tuned, 0.0),
        ] {
            let landscape = Landscape::new(shape, 2, 9);
            let start = landscape.lost(&landscape.start());
            assert!((start - lost).abs() < 0.01, "{shape:?}: {start}");
            assert_eq!(landscape.lost(&landscape.best), 0.0);
        }
    }

    #[test]
    fn a_parameter_without_effect_has_none() {
        let landscape = Landscape::new(Shape::Irrelevant, 2, 3);
        let mut point = landscape.start();
        let before = landscape.lost(&point);
        point[1] += 20.0;
        assert_eq!(landscape.lost(&point), before);
        point[0] += 1.0;
        assert_ne!(landscape.lost(&point), before);
    }

    #[test]
    fn the_best_point_is_within_bounds() {
        for seed in 0..50 {
            let landscape = Landscape::new(Shape::Ridge, 5, seed);
            assert!(landscape.best.iter().all(|best| (0.0..=100.0).contains(best)));
        }
    }
}
