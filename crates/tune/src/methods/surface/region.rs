//! The region in which the next pairs are played. From a centre it extends in each direction up to a given loss in Elo.

use super::fit::{Block, Fit};
use crate::methods::random::Random;
use lmrlab_stats::linear_algebra::{dot, eigen};

/// The part of the surface on which pairs are played.
#[derive(Debug, Clone)]
pub(super) struct Region {
    /// The centre, in steps from the start.
    pub(super) centre: Vec<f64>,
    /// Orthogonal directions of length 1, each with a radius and a curvature.
    axes: Vec<Axis>,
    /// For each parameter, how much the outcome of a pair changes the slope at the centre. The row is multiplied by the
    /// pair's terms.
    slope_rows: Vec<Vec<f64>>,
    /// The same for the gain of the centre over the start, while that gain is in doubt.
    gain_row: Option<Vec<f64>>,
    /// The greatest expected loss of a point, in Elo.
    limit: f64,
}

#[derive(Debug, Clone)]
struct Axis {
    direction: Vec<f64>,
    radius: f64,
    curvature: f64,
}

/// The number of random pairs of points, of which one is played.
const CANDIDATES: usize = 12;
/// The share of candidates that are mirror images. These measure slopes best; the others measure curvatures.
const MIRRORED: f64 = 0.7;
/// The share of pairs that measure the gain, while it is in doubt.
const ASKING: f64 = 0.3;

/// This many standard deviations are added to the estimated curvature of a direction.
const DOUBT: f64 = 0.1;
/// The distance from the centre, in radii of the region, at which a pair has half its weight.
const LOCAL: f64 = 4.0;

/// The least and the greatest change of a radius from one fit to the next, as factors.
const SHRINKING: f64 = 0.75;
const GROWING: f64 = 1.5;
/// The greatest expected loss of a point, as a multiple of the average loss.
const FARTHEST: f64 = 1.5;

impl Region {
    /// A region around a centre. Along each axis it ends where the loss is `elo`, or at the distance `reach`.
    pub(super) fn new(fit: &Fit, centre: Vec<f64>, elo: f64, reach: f64, before: Option<&Self>) -> Self {
        let terms = &fit.terms;
        let axes: Vec<Axis> = eigen(terms.loss_matrix(&fit.coefficients, &centre))
            .into_iter()
            .map(|(curvature, direction)| {
                let deviation = libm::sqrt(fit.information.inverse_form(&terms.curvature(&centre, &direction)));
                let curvature = (curvature + DOUBT * deviation).max(1e-9);
                let mut radius = libm::sqrt(elo / curvature).min(reach);
                if let Some(before) = before {
                    // Without this, a few unlucky games could make the region very small.
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
        let slope_rows = (0..terms.dimensions)
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
            slope_rows,
            gain_row: None,
            limit: FARTHEST * elo * terms.dimensions as f64,
        }
    }

    /// Makes some of the next pairs measure the gain of the centre over the start. Mirror images around the best point
    /// do not measure it: they show that both sides lose the same, but not how much.
    pub(super) fn ask_for_gain(&mut self, fit: &Fit) {
        let start = vec![0.0; self.centre.len()];
        let mut row = fit.terms.difference(&self.centre, &start);
        fit.information.solve(&mut row);
        self.gain_row = Some(row);
    }

    /// Its radius in a direction of length 1.
    fn radius(&self, direction: &[f64]) -> f64 {
        let squares = self.axes.iter().map(|axis| {
            let part = dot(direction, &axis.direction) / axis.radius;
            part * part
        });
        1.0 / libm::sqrt(squares.sum())
    }

    /// Its extent along a parameter.
    pub(super) fn extent(&self, parameter: usize) -> f64 {
        let squares = self.axes.iter().map(|axis| {
            let part = axis.radius * axis.direction[parameter];
            part * part
        });
        libm::sqrt(squares.sum())
    }

    /// The distance of a point from the centre, in radii: at most about 1 inside.
    fn distance(&self, point: &[f64]) -> f64 {
        let away: Vec<f64> = point.iter().zip(&self.centre).map(|(a, b)| a - b).collect();
        let squares = self.axes.iter().map(|axis| {
            let along = dot(&away, &axis.direction) / axis.radius;
            along * along
        });
        libm::sqrt(squares.sum::<f64>() / self.axes.len().max(1) as f64)
    }

    /// The weight of a block. It is less for points far outside, where the local model may be wrong.
    pub(super) fn weight(&self, block: &Block) -> f64 {
        let distance = self.distance(&block.first).max(self.distance(&block.second));
        let beyond = distance / LOCAL;
        let square = beyond * beyond;
        1.0 / (1.0 + square * square)
    }

    /// Two points to play next. Among some random candidates they say most about the place of the best point.
    /// Sometimes, while its gain is in doubt, they say most about the gain.
    pub(super) fn points(&self, fit: &Fit, bounds: &[(f64, f64)], random: &mut Random) -> (Vec<f64>, Vec<f64>) {
        let mut best = (self.centre.clone(), self.centre.clone());
        let mut most = f64::NEG_INFINITY;
        let gain = (self.gain_row.as_ref()).filter(|_| random.uniform() < ASKING);
        for _ in 0..CANDIDATES {
            let points = self.draw(fit, bounds, random);
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

    /// Two random points.
    fn draw(&self, fit: &Fit, bounds: &[(f64, f64)], random: &mut Random) -> (Vec<f64>, Vec<f64>) {
        let mirrored = random.uniform() < MIRRORED;
        let scale = 0.6 + 0.6 * random.uniform();
        let mut first = self.centre.clone();
        let mut second = self.centre.clone();
        for axis in &self.axes {
            let sign = random.sign();
            let (one, other) = match (mirrored, random.sign() > 0.0) {
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

    /// The reduction of the expected loss by a pair with these terms, up to a constant factor.
    fn worth(&self, terms: &[f64]) -> f64 {
        let slopes: Vec<f64> = self.slope_rows.iter().map(|row| dot(row, terms)).collect();
        self.axes
            .iter()
            .map(|axis| {
                let along = dot(&slopes, &axis.direction);
                along * along / axis.curvature
            })
            .sum()
    }
}
