//! The covariance of fitted ratings: how uncertain they are.
//!
//! The sandwich estimate: the inverse of the second derivatives, times the variance of the first ones, times that inverse.
//! Results vary less than the likelihood assumes, because of draws, and the two games of an opening are not independent.
//! Everything is in natural units.

use super::fit::{Fit, Pairing, sign};
use super::sparse::{Connections, Curvature, Form};
use crate::linear_algebra::Cholesky;

/// Players beyond this number have no errors when most of them have met: the matrix would need more memory than most
/// machines have.
const MOST_PLAYERS: usize = 6_000;

/// Sums of parameters whose variances are computed at once.
const AT_ONCE: usize = 8;

/// Covariance of the fitted parameters.
#[derive(Debug, Clone)]
pub(super) enum Covariance {
    /// Where most players have met.
    Dense(Dense),
    /// Where few have.
    Sparse(Box<Sparse>),
}

impl Covariance {
    /// `None` when the second derivatives cannot be inverted, and for very many players.
    pub(super) fn of(fit: &Fit, groups: &[usize]) -> Option<Self> {
        match &fit.connections {
            Some(connections) => Sparse::of(fit, groups, connections).map(|sparse| Self::Sparse(Box::new(sparse))),
            None if groups.len() <= MOST_PLAYERS => Dense::of(fit, groups).map(Self::Dense),
            None => None,
        }
    }

    /// The same by a dense matrix, whoever has met.
    #[cfg(test)]
    pub(super) fn dense(fit: &Fit, groups: &[usize]) -> Option<Self> {
        Dense::of(fit, groups).map(Self::Dense)
    }

    /// Variance of a player's rating, by place, relative to the mean of its group.
    pub(super) fn of_player(&self, place: usize) -> f64 {
        match self {
            Self::Dense(dense) => dense.between(place, place),
            Self::Sparse(sparse) => sparse.variances[place],
        }
    }

    /// Variance of the difference of the two players of each pair, who are of one group.
    pub(super) fn of_pairs(&self, pairs: &[(usize, usize)]) -> Vec<f64> {
        match self {
            Self::Dense(dense) => pairs.iter().map(|&(a, b)| dense.of_difference(a, b)).collect(),
            Self::Sparse(sparse) => sparse.of_pairs(pairs),
        }
    }

    /// Variances of the differences of a player and each player of its group; for players of others they mean nothing.
    pub(super) fn of_differences(&self, place: usize) -> Vec<f64> {
        match self {
            Self::Dense(dense) => (0..dense.size - 1)
                .map(|other| dense.of_difference(place, other))
                .collect(),
            Self::Sparse(sparse) => sparse.of_differences(place),
        }
    }

    /// Variance of the advantage of the first move.
    pub(super) fn of_white_advantage(&self) -> f64 {
        match self {
            Self::Dense(dense) => dense.between(dense.size - 1, dense.size - 1),
            Self::Sparse(sparse) => sparse.of_white_advantage,
        }
    }
}

/// Second derivatives, negated, for each pairing and colour.
fn weights(fit: &Fit) -> Vec<[f64; 2]> {
    let weight = |pairing: &Pairing, color: usize| {
        let expected = fit.expected(pairing, color);
        pairing.encounter.by_color[color].games() as f64 * expected * (1.0 - expected)
    };
    (fit.pairings.iter())
        .map(|pairing| [0, 1].map(|color| weight(pairing, color)))
        .collect()
}

/// The variance of a pairing's points, from its first player's side.
#[derive(Debug, Clone, Copy)]
struct Noise {
    /// Of all games with each colour.
    by_color: [f64; 2],
    /// The covariance of the two sums.
    together: f64,
}

impl Noise {
    fn of(fit: &Fit, pairing: &Pairing) -> Self {
        let variances = [0, 1].map(|color| fit.variance(pairing, color));
        let games = |color: usize| pairing.encounter.by_color[color].games() as f64;
        let pairs: u64 = pairing.encounter.pairs.iter().flatten().sum();
        let correlation = fit.pair_correlation.unwrap_or(0.0);
        Self {
            by_color: [0, 1].map(|color| games(color) * variances[color]),
            together: correlation * pairs as f64 * variances[0].sqrt() * variances[1].sqrt(),
        }
    }

    fn form(&self) -> Form {
        Form::of(self.by_color, self.together)
    }
}

/// All of it, as a matrix.
#[derive(Debug, Clone)]
pub(super) struct Dense {
    /// Number of parameters: the ratings, and the advantage of the first move as the last.
    size: usize,
    /// Row by row.
    matrix: Vec<f64>,
}

impl Dense {
    fn of(fit: &Fit, groups: &[usize]) -> Option<Self> {
        let white = groups.len();
        let with_white = fit.white_advantage.is_some();
        let size = white + 1;
        let place = |row: usize, column: usize| row * size + column;
        let mut curvature = vec![0.0; size * size];
        let mut noise = vec![0.0; size * size];
        for (pairing, weights) in fit.pairings.iter().zip(weights(fit)) {
            // How the parameters enter the first player's lead.
            let factors = |color: usize| {
                let advantage = if with_white { sign(color) } else { 0.0 };
                [(pairing.first, 1.0), (pairing.second, -1.0), (white, advantage)]
            };
            let own = Noise::of(fit, pairing);
            for (color, weight) in weights.into_iter().enumerate() {
                for (i, a) in factors(color) {
                    for (j, b) in factors(color) {
                        curvature[place(i, j)] += a * b * weight;
                        noise[place(i, j)] += a * b * own.by_color[color];
                    }
                }
            }
            for (i, a) in factors(0) {
                for (j, b) in factors(1) {
                    noise[place(i, j)] += a * b * own.together;
                    noise[place(j, i)] += a * b * own.together;
                }
            }
        }
        if !with_white {
            curvature[place(white, white)] = 1.0;
        }
        // Only differences within a group have a meaning. This fixes the means, and cancels below.
        for i in 0..white {
            for j in 0..white {
                if groups[i] == groups[j] {
                    curvature[place(i, j)] += 1.0;
                }
            }
        }
        // Both matrices are symmetric, so the rows of the first result are the columns of the second problem.
        let curvature = Cholesky::new(curvature, size)?;
        let mut matrix = noise;
        curvature.solve_rows(&mut matrix);
        transpose(&mut matrix, size);
        curvature.solve_rows(&mut matrix);
        Some(Self { size, matrix })
    }

    /// Of two players' ratings, by place, each relative to the mean of its group.
    fn between(&self, first: usize, second: usize) -> f64 {
        self.matrix[first * self.size + second]
    }

    fn of_difference(&self, first: usize, second: usize) -> f64 {
        (self.between(first, first) + self.between(second, second) - 2.0 * self.between(first, second)).max(0.0)
    }
}

fn transpose(matrix: &mut [f64], size: usize) {
    for row in 0..size {
        for column in 0..row {
            matrix.swap(row * size + column, column * size + row);
        }
    }
}

/// What it takes to compute any part of it.
#[derive(Debug, Clone)]
pub(super) struct Sparse {
    curvature: Curvature,
    /// The players of each pairing, by place, and the variance of their points.
    noise: Vec<(usize, usize, Form)>,
    /// For each player, its group's number and size.
    groups: Vec<(usize, f64)>,
    with_white: bool,
    /// Of each player's rating, relative to the mean of its group.
    variances: Vec<f64>,
    of_white_advantage: f64,
}

impl Sparse {
    /// `None` when the second derivatives cannot be inverted.
    fn of(fit: &Fit, groups: &[usize], connections: &Connections) -> Option<Self> {
        let mut sizes = vec![0.0; groups.iter().max().map_or(0, |last| last + 1)];
        for &group in groups {
            sizes[group] += 1.0;
        }
        let with_white = fit.white_advantage.is_some();
        let weights = weights(fit);
        let outer: Vec<Form> = weights.iter().map(|weights| Form::of(*weights, 0.0)).collect();
        let inner: Vec<Form> = (fit.pairings.iter())
            .map(|pairing| Noise::of(fit, pairing).form())
            .collect();
        let mut diagonal = connections.sandwich_diagonal(&fit.pairings, (&outer, &inner), with_white)?;
        let of_white_advantage = diagonal.pop()?.max(0.0);
        let pairings = fit.pairings.iter().zip(inner);
        let mut covariance = Self {
            curvature: connections.curvature(&fit.pairings, &weights, with_white)?,
            noise: pairings
                .map(|(pairing, form)| (pairing.first, pairing.second, form))
                .collect(),
            groups: groups.iter().map(|&group| (group, sizes[group])).collect(),
            with_white,
            variances: Vec::new(),
            of_white_advantage,
        };
        covariance.variances = covariance.above_means(&diagonal, sizes.len());
        Some(covariance)
    }

    /// Variance of the rating of each player, relative to the mean of its group, from the variances relative to the player of
    /// the group that stands still.
    fn above_means(&self, variances: &[f64], groups: usize) -> Vec<f64> {
        let mut above = variances.to_vec();
        let numbers: Vec<usize> = (0..groups).collect();
        for some in numbers.chunks(AT_ONCE) {
            let is_one = |group: usize| {
                some.first()
                    .and_then(|first| group.checked_sub(*first))
                    .filter(|&sum| sum < some.len())
            };
            let mut means = self.no_factors::<AT_ONCE>();
            for (factors, &(group, size)) in means.iter_mut().zip(&self.groups) {
                if let Some(sum) = is_one(group) {
                    factors[sum] = 1.0 / size;
                }
            }
            let covariances = self.covariances_of(means);
            let mut of_means = [0.0; AT_ONCE];
            for (covariance, &(group, size)) in covariances.iter().zip(&self.groups) {
                if let Some(sum) = is_one(group) {
                    of_means[sum] += covariance[sum] / size;
                }
            }
            for ((above, covariance), &(group, _)) in above.iter_mut().zip(&covariances).zip(&self.groups) {
                if let Some(sum) = is_one(group) {
                    *above = (*above - 2.0 * covariance[sum] + of_means[sum]).max(0.0);
                }
            }
        }
        above
    }

    fn no_factors<const N: usize>(&self) -> Vec<[f64; N]> {
        vec![[0.0; N]; self.groups.len() + 1]
    }

    /// The advantage of the first move in what was solved for.
    fn advantage<const N: usize>(&self, solved: &[[f64; N]]) -> [f64; N] {
        match solved.last() {
            Some(white) if self.with_white => *white,
            _ => [0.0; N],
        }
    }

    /// Variances of sums of the parameters with these factors.
    fn variances_of<const N: usize>(&self, factors: Vec<[f64; N]>) -> [f64; N] {
        let solved = self.curvature.solve(factors);
        let advantage = self.advantage(&solved);
        let mut variances = [0.0; N];
        for (first, second, noise) in &self.noise {
            for (sum, variance) in variances.iter_mut().enumerate() {
                *variance += noise.at(solved[*first][sum] - solved[*second][sum], advantage[sum]);
            }
        }
        variances.map(|variance| variance.max(0.0))
    }

    /// Covariances of each parameter and sums of the parameters with these factors.
    fn covariances_of<const N: usize>(&self, factors: Vec<[f64; N]>) -> Vec<[f64; N]> {
        let solved = self.curvature.solve(factors);
        let advantage = self.advantage(&solved);
        let mut noise = self.no_factors::<N>();
        let last = noise.len() - 1;
        for (first, second, own) in &self.noise {
            for sum in 0..N {
                let [lead, white] = own.half_gradient(solved[*first][sum] - solved[*second][sum], advantage[sum]);
                noise[*first][sum] += lead;
                noise[*second][sum] -= lead;
                noise[last][sum] += white;
            }
        }
        self.curvature.solve(noise)
    }

    /// Variance of the difference of the two players of each pair.
    fn of_pairs(&self, pairs: &[(usize, usize)]) -> Vec<f64> {
        let of_some = |pairs: &[(usize, usize)]| {
            let mut factors = self.no_factors::<AT_ONCE>();
            for (sum, &(first, second)) in pairs.iter().enumerate() {
                factors[first][sum] += 1.0;
                factors[second][sum] -= 1.0;
            }
            self.variances_of(factors).into_iter().take(pairs.len())
        };
        pairs.chunks(AT_ONCE).flat_map(of_some).collect()
    }

    fn of_differences(&self, place: usize) -> Vec<f64> {
        let (group, size) = self.groups[place];
        let mut factors = self.no_factors::<1>();
        for (factors, (of, _)) in factors.iter_mut().zip(&self.groups) {
            if *of == group {
                *factors = [-1.0 / size];
            }
        }
        factors[place][0] += 1.0;
        let covariances = self.covariances_of(factors).into_flattened();
        let own = self.groups.iter().zip(&covariances).filter(|((of, _), _)| *of == group);
        let mean = own.map(|(_, covariance)| covariance).sum::<f64>() / size;
        (self.variances.iter().zip(&covariances))
            .map(|(variance, covariance)| (self.variances[place] + variance - 2.0 * (covariance - mean)).max(0.0))
            .collect()
    }
}
