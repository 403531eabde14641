//! Where the next pairs are played: around a centre, in each direction as far as it costs a given number of Elo.

use super::fit::{Block, Fit};
use crate::chance::Chance;
use lmrlab_stats::linear_algebra::{dot, eigen};

/// The part of the surface that is looked at.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    /// In steps from the start.
    pub(super) centre: Vec<f64>,
    /// Orthogonal directions of length 1, each with the distance at which points are tried and with the curvature there.
    axes: Vec<Axis>,
    /// For each parameter, how the slope at the centre depends on the outcome of a pair: the matrix that takes the terms of
    /// a pair to what it tells about the slope.
    sight: Vec<Vec<f64>>,
    /// How what the centre gains over the start depends on the outcome of a pair, while that gain is in doubt.
    gain: Option<Vec<f64>>,
    /// No point is tried that is expected to lose more Elo.
    limit: f64,
}

#[derive(Debug, Clone)]
struct Axis {
    direction: Vec<f64>,
    radius: f64,
    curvature: f64,
}

/// How many pairs of points are looked at before one is played.
const CANDIDATES: usize = 12;
/// Of four candidates, so many are mirror images, which tell most about slopes; the others tell about curvatures.
const MIRRORED: f64 = 0.7;
/// The share of pairs that tell about the gain, while it is in doubt.
const ASKING: f64 = 0.3;

/// Standard deviations by which a direction is taken to be more curved than it seems.
const DOUBT: f64 = 0.1;
/// A pair counts half when one of its points is so many times farther away than points are tried.
const LOCAL: f64 = 4.0;

/// From one fit to the next, distances become at most so much smaller or larger.
const SHRINKING: f64 = 0.75;
const GROWING: f64 = 1.5;
/// No point is expected to lose more than so many times what points lose on average.
const FARTHEST: f64 = 1.5;

impl Frame {
    /// Around a centre; along each axis it reaches to where `elo` are lost, but not farther than `reach`.
    pub(super) fn new(
        fit: &Fit,
        centre: Vec<f64>,
        elo: f64,
        reach: f64,
        before: Option<&Self>,
    ) -> Self {
        let terms = &fit.terms;
        let axes: Vec<Axis> = eigen(terms.loss_matrix(&fit.coefficients, &centre))
            .into_iter()
            .map(|(curvature, direction)| {
                let deviation = libm::sqrt(
                    fit.information
                        .inverse_form(&terms.curvature(&centre, &direction)),
                );
                // A direction may be more curved than it seems.
                let curvature = (curvature + DOUBT * deviation).max(1e-9);
                let mut radius = libm::sqrt(elo / curvature).min(reach);
                if let Some(before) = before {
                    // A few unlucky games must not make it blind for all but a spot.
                    let radius_before = before.radius(&direction);
                    radius = radius.clamp(SHRINKING * radius_before, GROWING * radius_before);
                }
                let curvature = elo / (radius * radius);
                Axis {
                    direction,
                    radius,
                    curvature,
                }
            })
            .collect();
        let sight = (0..terms.dimensions)
            .map(|along| {
                let mut row = vec![0.0; terms.count()];
                terms.derivative(&centre, along, &mut row);
                fit.information.solve(&mut row);
                row
            })
            .collect();
        Self {
            centre,
            axes,
            sight,
            gain: None,
            limit: FARTHEST * elo * terms.dimensions as f64,
        }
    }

    /// Lets some of the pairs tell how much better the centre is than the start. Mirror images around the best point do not: what
    /// is lost on its two sides they show to be the same, and not how much it is.
    pub(super) fn ask_for_gain(&mut self, fit: &Fit) {
        let start = vec![0.0; self.centre.len()];
        let mut row = fit.terms.difference(&self.centre, &start);
        fit.information.solve(&mut row);
        self.gain = Some(row);
    }

    /// How far it reaches in a direction of length 1.
    fn radius(&self, direction: &[f64]) -> f64 {
        let squares = self.axes.iter().map(|axis| {
            let part = dot(direction, &axis.direction) / axis.radius;
            part * part
        });
        1.0 / libm::sqrt(squares.sum())
    }

    /// How far it reaches along a parameter.
    pub(super) fn extent(&self, parameter: usize) -> f64 {
        let squares = self.axes.iter().map(|axis| {
            let part = axis.radius * axis.direction[parameter];
            part * part
        });
        libm::sqrt(squares.sum())
    }

    /// How far outside a point is: at most about 1 within.
    fn distance(&self, point: &[f64]) -> f64 {
        let away: Vec<f64> = point.iter().zip(&self.centre).map(|(a, b)| a - b).collect();
        let squares = self.axes.iter().map(|axis| {
            let along = dot(&away, &axis.direction) / axis.radius;
            along * along
        });
        libm::sqrt(squares.sum::<f64>() / self.axes.len().max(1) as f64)
    }

    /// How much a block counts: the farther outside it was played, the less does a local model have to agree with it.
    pub(super) fn weight(&self, block: &Block) -> f64 {
        let distance = self
            .distance(&block.first)
            .max(self.distance(&block.second));
        let beyond = distance / LOCAL;
        let square = beyond * beyond;
        1.0 / (1.0 + square * square)
    }

    /// Two points that are to meet; of some that are drawn by chance, those that tell most about where the best point is, or now
    /// and then about how much it gains, when that is in doubt.
    pub(super) fn points(
        &self,
        fit: &Fit,
        bounds: &[(f64, f64)],
        chance: &mut Chance,
    ) -> (Vec<f64>, Vec<f64>) {
        let mut best = (self.centre.clone(), self.centre.clone());
        let mut most = f64::NEG_INFINITY;
        let gain = (self.gain.as_ref()).filter(|_| chance.uniform() < ASKING);
        for _ in 0..CANDIDATES {
            let points = self.draw(fit, bounds, chance);
            let terms = fit.terms.difference(&points.0, &points.1);
            let worth = match gain {
                Some(row) => dot(row, &terms).abs(),
                None => self.worth(&terms),
            };
            if worth > most {
                (most, best) = (worth, points);
            }
        }
        best
    }

    /// Two points, by chance.
    fn draw(&self, fit: &Fit, bounds: &[(f64, f64)], chance: &mut Chance) -> (Vec<f64>, Vec<f64>) {
        let mirrored = chance.uniform() < MIRRORED;
        let scale = 0.6 + 0.6 * chance.uniform();
        let mut first = self.centre.clone();
        let mut second = self.centre.clone();
        for axis in &self.axes {
            let sign = chance.sign();
            let (one, other) = match (mirrored, chance.sign() > 0.0) {
                (true, _) => (sign, -sign),
                (false, true) => (sign, 0.0),
                (false, false) => (0.0, sign),
            };
            for (index, part) in axis.direction.iter().enumerate() {
                first[index] += scale * one * axis.radius * part;
                second[index] += scale * other * axis.radius * part;
            }
        }
        for (index, (low, high)) in bounds.iter().enumerate() {
            first[index] = first[index].clamp(*low, *high);
            second[index] = second[index].clamp(*low, *high);
        }
        for point in [&mut first, &mut second] {
            // One side of the best point may be steeper than the other.
            for _ in 0..8 {
                if fit.loss(point, &self.centre) <= self.limit {
                    break;
                }
                for (value, centre) in point.iter_mut().zip(&self.centre) {
                    *value = centre + 0.75 * (*value - centre);
                }
            }
        }
        (first, second)
    }

    /// By how much a pair with these terms lowers the Elo that are expected to be lost, but for a factor.
    fn worth(&self, terms: &[f64]) -> f64 {
        let slopes: Vec<f64> = self.sight.iter().map(|row| dot(row, terms)).collect();
        self.axes
            .iter()
            .map(|axis| {
                let along = dot(&slopes, &axis.direction);
                along * along / axis.curvature
            })
            .sum()
    }
}
