//! The symmetric matrices of the rating fit: sums, over pairings, of squares of a player's lead.

use std::collections::BTreeMap;

use super::encounters::{Pairing, sign};
use crate::linear_algebra::Cholesky;

/// A symmetric matrix of the parameters: the ratings, and the advantage of the first move as the last.
pub(super) struct Quadratic {
    pub(super) size: usize,
    /// Row by row.
    pub(super) matrix: Vec<f64>,
    with_white: bool,
}

impl Quadratic {
    /// Zero.
    pub(super) fn new(players: usize, with_white: bool) -> Self {
        let size = players + 1;
        Self {
            size,
            matrix: vec![0.0; size * size],
            with_white,
        }
    }

    /// Adds the squares of the leads of a pairing's first player with White and with Black, each times its `by_color`.
    pub(super) fn add(&mut self, pairing: &Pairing, by_color: [f64; 2]) {
        for (color, value) in by_color.into_iter().enumerate() {
            let lead = self.lead(pairing, color);
            for (i, a) in lead {
                for (j, b) in lead {
                    self.matrix[i * self.size + j] += a * b * value;
                }
            }
        }
    }

    /// Adds the square of a sum: the sum of these parameters, each times its value.
    pub(super) fn add_square(&mut self, sum: &BTreeMap<usize, f64>) {
        for (i, a) in sum {
            for (j, b) in sum {
                self.matrix[i * self.size + j] += a * b;
            }
        }
    }

    /// How the parameters enter the lead of a pairing's first player, with White (0) or Black (1).
    pub(super) fn lead(&self, pairing: &Pairing, color: usize) -> [(usize, f64); 3] {
        let advantage = if self.with_white { sign(color) } else { 0.0 };
        [(pairing.first, 1.0), (pairing.second, -1.0), (self.size - 1, advantage)]
    }

    /// The decomposed matrix; `None` when it cannot be inverted. Only differences within a group have a meaning, so the
    /// sum of each group gets a weight, too. With it the matrix can be inverted.
    pub(super) fn decomposed(mut self, groups: &[usize]) -> Option<Cholesky> {
        if !self.with_white {
            self.matrix[self.size * self.size - 1] = 1.0;
        }
        for (row, group) in self.matrix.chunks_exact_mut(self.size).zip(groups) {
            for (value, other) in row.iter_mut().zip(groups) {
                *value += f64::from(group == other);
            }
        }
        Cholesky::new(self.matrix, self.size)
    }
}
