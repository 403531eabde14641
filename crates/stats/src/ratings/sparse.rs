//! The likelihood's second derivatives where most players have not met: a sparse matrix.

use std::sync::Arc;

use super::fit::Pairing;
use crate::sparse_cholesky::{Dual, Number, Pattern, SparseCholesky};

/// With fewer players the dense matrix is as quick.
const LEAST_PLAYERS: usize = 300;

/// The part of a pairing in a quadratic form of the parameters: with x the first player minus the second and w the advantage
/// of the first move, `lead` x² + 2 `mixed` x w + `advantage` w².
#[derive(Debug, Clone, Copy)]
pub(super) struct Form<T = f64> {
    lead: T,
    mixed: T,
    advantage: T,
}

impl Form {
    /// From what the games with White and with Black have for themselves, (x + w)² and (x - w)², and together,
    /// 2 (x + w) (x - w).
    pub(super) fn of(by_color: [f64; 2], together: f64) -> Self {
        let [with, against] = by_color;
        Self {
            lead: with + against + 2.0 * together,
            mixed: with - against,
            advantage: with + against - 2.0 * together,
        }
    }

    /// Its value.
    pub(super) fn at(&self, lead: f64, advantage: f64) -> f64 {
        lead * (self.lead * lead + 2.0 * self.mixed * advantage) + self.advantage * advantage * advantage
    }

    /// Half its derivatives with respect to x and w.
    pub(super) fn half_gradient(&self, lead: f64, advantage: f64) -> [f64; 2] {
        [
            self.lead * lead + self.mixed * advantage,
            self.mixed * lead + self.advantage * advantage,
        ]
    }

    /// This form minus t times another one, as a function of t at 0.
    fn minus(&self, other: &Self) -> Form<Dual> {
        let dual = |value: f64, other: f64| Dual { value, slope: -other };
        Form {
            lead: dual(self.lead, other.lead),
            mixed: dual(self.mixed, other.mixed),
            advantage: dual(self.advantage, other.advantage),
        }
    }
}

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

    /// The matrix, decomposed, from its weights for each pairing and colour. `None` when it cannot be inverted.
    pub(super) fn curvature(&self, pairings: &[Pairing], weights: &[[f64; 2]], with_white: bool) -> Option<Curvature> {
        let forms = weights
            .iter()
            .map(|weights| Form::of(*weights, 0.0))
            .collect::<Vec<_>>();
        Some(Curvature {
            cholesky: self.decomposed(pairings, &forms, with_white)?,
            still: Arc::clone(&self.still),
            with_white,
        })
    }

    /// The diagonal of the inverse of one matrix, times another one, times that inverse, where each matrix is a sum of
    /// forms: the derivative of the inverse when the second is subtracted from the first. `None` when the first cannot be
    /// inverted.
    pub(super) fn sandwich_diagonal(
        &self,
        pairings: &[Pairing],
        (outer, inner): (&[Form], &[Form]),
        with_white: bool,
    ) -> Option<Vec<f64>> {
        let forms: Vec<Form<Dual>> = outer
            .iter()
            .zip(inner)
            .map(|(outer, inner)| outer.minus(inner))
            .collect();
        let diagonal = self.decomposed(pairings, &forms, with_white)?.inverse_diagonal();
        Some(diagonal.into_iter().map(|entry| entry.slope).collect())
    }

    fn decomposed<T: Number>(
        &self,
        pairings: &[Pairing],
        forms: &[Form<T>],
        with_white: bool,
    ) -> Option<SparseCholesky<T>> {
        let white = self.still.len();
        let (zero, one) = (T::from(0.0), T::from(1.0));
        let mut diagonal = vec![zero; white + 1];
        let mut border = vec![zero; white];
        for (pairing, form) in pairings.iter().zip(forms) {
            for place in [pairing.first, pairing.second] {
                diagonal[place] = diagonal[place] + form.lead;
            }
            diagonal[white] = diagonal[white] + form.advantage;
            border[pairing.first] = border[pairing.first] + form.mixed;
            border[pairing.second] = border[pairing.second] - form.mixed;
        }
        for place in (0..white).filter(|&place| self.still[place]) {
            (diagonal[place], border[place]) = (one, zero);
        }
        if !with_white {
            diagonal[white] = one;
            border.fill(zero);
        }
        let moves = |pairing: &Pairing| !self.still[pairing.first] && !self.still[pairing.second];
        let between = (pairings.iter().zip(forms))
            .filter(|(pairing, _)| moves(pairing))
            .map(|(pairing, form)| (pairing.first, pairing.second, zero - form.lead));
        let with_border = border.iter().enumerate().map(|(place, value)| (place, white, *value));
        self.pattern.decompose(&diagonal, between.chain(with_border))
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
