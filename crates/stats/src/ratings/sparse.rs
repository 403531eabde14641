//! The likelihood's second derivatives where most players have not met: a sparse matrix.

use std::sync::Arc;

use super::fit::Pairing;
use crate::sparse_cholesky::{Pattern, SparseCholesky};

/// With fewer players the dense matrix is as quick.
const LEAST_PLAYERS: usize = 300;

/// Which parameters the games connect: the ratings, and the advantage of the first move as the last.
///
/// Only differences within a group have a meaning. So one player of each group stands still.
#[derive(Debug, Clone)]
pub(super) struct Connections {
    pattern: Arc<Pattern>,
    still: Arc<[bool]>,
}

impl Connections {
    /// `None` when dense matrices are quicker.
    pub(super) fn of(pairings: &[Pairing], groups: &[usize]) -> Option<Self> {
        let players = groups.len();
        if players < LEAST_PLAYERS {
            return None;
        }
        let still = most_connected(pairings, groups);
        let edges: Vec<(usize, usize)> = pairings
            .iter()
            .map(|pairing| (pairing.first, pairing.second))
            .filter(|&(first, second)| !still[first] && !still[second])
            .collect();
        let pattern = Pattern::new(players + 1, &edges, players, players * players / 16)?;
        Some(Self {
            pattern: Arc::new(pattern),
            still: still.into(),
        })
    }

    /// How many multiplications it takes to solve an equation.
    pub(super) fn work(&self) -> usize {
        2 * self.pattern.entries()
    }

    /// The matrix, decomposed, from its weights for each pairing and colour. `None` when it cannot be inverted.
    pub(super) fn curvature(&self, pairings: &[Pairing], weights: &[[f64; 2]], with_white: bool) -> Option<Curvature> {
        let white = self.still.len();
        let mut diagonal = vec![0.0; white + 1];
        let mut border = vec![0.0; white];
        for (pairing, [with, against]) in pairings.iter().zip(weights) {
            for place in [pairing.first, pairing.second, white] {
                diagonal[place] += with + against;
            }
            border[pairing.first] += with - against;
            border[pairing.second] -= with - against;
        }
        for place in (0..white).filter(|&place| self.still[place]) {
            (diagonal[place], border[place]) = (1.0, 0.0);
        }
        if !with_white {
            diagonal[white] = 1.0;
            border.fill(0.0);
        }
        let moves = |pairing: &Pairing| !self.still[pairing.first] && !self.still[pairing.second];
        let between = (pairings.iter().zip(weights))
            .filter(|(pairing, _)| moves(pairing))
            .map(|(pairing, [with, against])| (pairing.first, pairing.second, -(with + against)));
        let with_border = border.iter().enumerate().map(|(place, value)| (place, white, *value));
        Some(Curvature {
            cholesky: self.pattern.decompose(&diagonal, between.chain(with_border))?,
            still: Arc::clone(&self.still),
            with_white,
        })
    }
}

/// In each group the player with the most opponents; the first among equals.
fn most_connected(pairings: &[Pairing], groups: &[usize]) -> Vec<bool> {
    let mut opponents = vec![0_usize; groups.len()];
    for pairing in pairings {
        opponents[pairing.first] += 1;
        opponents[pairing.second] += 1;
    }
    let count = groups.iter().max().map_or(0, |last| last + 1);
    let mut most: Vec<Option<usize>> = vec![None; count];
    for (place, &group) in groups.iter().enumerate() {
        if most[group].is_none_or(|best| opponents[place] > opponents[best]) {
            most[group] = Some(place);
        }
    }
    let mut still = vec![false; groups.len()];
    for place in most.into_iter().flatten() {
        still[place] = true;
    }
    still
}

/// The second derivatives, ready to be solved for.
#[derive(Debug, Clone)]
pub(super) struct Curvature {
    cholesky: SparseCholesky,
    still: Arc<[bool]>,
    with_white: bool,
}

impl Curvature {
    /// The inverse times `N` vectors of parameters at once; the players that stand still have 0.
    pub(super) fn solve<const N: usize>(&self, mut vectors: Vec<[f64; N]>) -> Vec<[f64; N]> {
        for (values, still) in vectors.iter_mut().zip(&*self.still) {
            if *still {
                *values = [0.0; N];
            }
        }
        if !self.with_white
            && let Some(white) = vectors.last_mut()
        {
            *white = [0.0; N];
        }
        self.cholesky.solve(&vectors)
    }
}
