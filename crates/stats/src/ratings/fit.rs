//! Ratings and the advantage of the first move by maximum likelihood.

use std::collections::BTreeMap;

use super::draws::DrawRate;
use super::encounters::{Games, Pairing, Share, sign};
use super::graph::{Structure, has_negative_cycle};
use crate::counts::Trinomial;
use crate::linear_algebra::Cholesky;
use crate::regression::{Observation, Quadratic, logistic, newton};

/// Where a player's strength is in the fit. The anchors of a group share a place: their differences are given.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) index: usize,
    /// How much stronger the player is than its place, in natural units.
    pub(super) offset: f64,
}

/// The fitted model.
#[derive(Debug, Clone)]
pub(super) struct Fit {
    /// Strength of each place in natural units; the mean of each group is 0.
    pub(super) strengths: Vec<f64>,
    /// The advantage of the first move in natural units; `None` when the games do not determine it.
    pub(super) white_advantage: Option<f64>,
    pub(super) draw_rate: Option<f64>,
    pub(super) pairings: Vec<Pairing>,
    /// The group of each place.
    pub(super) groups: Vec<usize>,
}

impl Fit {
    /// `places` maps each player that can be rated to its place in the fit, and `groups` has the group of each place.
    pub(super) fn of(
        games: &Games,
        places: &BTreeMap<usize, Place>,
        structure: &Structure,
        groups: Vec<usize>,
    ) -> Self {
        let pairings: Vec<Pairing> = games
            .encounters()
            .into_iter()
            .filter(|((first, second), _)| structure.group(*first) == structure.group(*second))
            .filter_map(|(players, by_color)| {
                let (first, second) = (places.get(&players.0)?, places.get(&players.1)?);
                Some(Pairing {
                    players,
                    first: first.index,
                    second: second.index,
                    offset: first.offset - second.offset,
                    by_color,
                })
            })
            .collect();
        let has_advantage = has_one_advantage(&pairings, groups.len());
        let mut fit = Self {
            strengths: Vec::new(),
            white_advantage: has_advantage.then_some(0.0),
            draw_rate: None,
            pairings,
            groups,
        };
        // They exist: in a group every player took points from every other one, directly or through others.
        let mut found = newton(
            || fit.observations(),
            fit.size(),
            0.0,
            |curvature| fit.decomposed(curvature),
            |parameters| fit.center(parameters),
        );
        fit.white_advantage = found.pop().filter(|_| has_advantage);
        fit.strengths = found;
        let samples: Vec<(f64, Trinomial)> = fit
            .pairings
            .iter()
            .flat_map(|pairing| [0, 1].map(|color| (fit.expected(pairing, color), pairing.by_color[color])))
            .collect();
        fit.draw_rate = DrawRate::of(&samples).map(|rate| rate.0);
        fit
    }

    /// The number of parameters: the strengths, and the advantage of the first move as the last.
    pub(super) fn size(&self) -> usize {
        self.groups.len() + 1
    }

    /// How the parameters enter the lead of a pairing's first player, with White (0) or Black (1).
    pub(super) fn lead(&self, pairing: &Pairing, color: usize) -> [(usize, f64); 3] {
        let advantage = self.white_advantage.map_or(0.0, |_| sign(color));
        [
            (pairing.first, 1.0),
            (pairing.second, -1.0),
            (self.groups.len(), advantage),
        ]
    }

    fn observations(&self) -> impl Iterator<Item = Observation<[(usize, f64); 3]>> {
        self.pairings.iter().flat_map(move |pairing| {
            [0, 1].map(|color| Observation {
                lead: self.lead(pairing, color),
                offset: pairing.offset,
                games: pairing.by_color[color].games() as f64,
                points: pairing.by_color[color].points(),
            })
        })
    }

    /// Second derivatives, decomposed; `None` when they cannot be inverted. Only differences within a group have a meaning, so
    /// the sum of each group gets a weight, too. With it the matrix can be inverted.
    pub(super) fn decomposed(&self, curvature: Quadratic) -> Option<Cholesky> {
        let Quadratic { size, mut matrix } = curvature;
        if self.white_advantage.is_none() {
            matrix[size * size - 1] = 1.0;
        }
        for (row, group) in matrix.chunks_exact_mut(size).zip(&self.groups) {
            for (value, other) in row.iter_mut().zip(&self.groups) {
                *value += f64::from(group == other);
            }
        }
        Cholesky::new(matrix, size)
    }

    /// Makes the mean of each group zero.
    fn center(&self, parameters: &mut [f64]) {
        let mut sums: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
        for (parameter, group) in parameters.iter().zip(&self.groups) {
            let sum = sums.entry(*group).or_default();
            *sum = (sum.0 + parameter, sum.1 + 1.0);
        }
        for (parameter, group) in parameters.iter_mut().zip(&self.groups) {
            if let Some((sum, count)) = sums.get(group) {
                *parameter -= sum / count;
            }
        }
    }

    /// The games of each opening and pairing, opening by opening. `games` are those of the fit.
    pub(super) fn shares(&self, games: &Games) -> Vec<Share> {
        let shares = games.by_opening().filter_map(|(opening, players, by_color)| {
            let pairing = (self.pairings).binary_search_by_key(&players, |pairing| pairing.players);
            Some(Share {
                opening,
                pairing: pairing.ok()?,
                by_color: *by_color,
            })
        });
        shares.collect()
    }

    /// How many games were fitted.
    pub(super) fn games(&self) -> u64 {
        let by_color = self.pairings.iter().flat_map(|pairing| pairing.by_color);
        by_color.map(|games| games.games()).sum()
    }

    /// Expected score of a pairing's first player, with White (0) or Black (1).
    pub(super) fn expected(&self, pairing: &Pairing, color: usize) -> f64 {
        let lead = self.strengths[pairing.first] - self.strengths[pairing.second] + pairing.offset;
        logistic(lead + sign(color) * self.white_advantage.unwrap_or(0.0))
    }

    /// Second derivatives of a pairing's games, negated, for each colour.
    pub(super) fn weights(&self, pairing: &Pairing) -> [f64; 2] {
        [0, 1].map(|color| {
            let expected = self.expected(pairing, color);
            pairing.by_color[color].games() as f64 * expected * (1.0 - expected)
        })
    }

    /// Points of a pairing's first player above those expected, in its games with a colour on one opening.
    pub(super) fn surplus(&self, share: &Share, color: usize) -> f64 {
        let games = share.by_color[color];
        let expected = games.games() as f64 * self.expected(&self.pairings[share.pairing], color);
        games.points() - expected
    }

    /// Variance of a game of this pairing.
    pub(super) fn variance(&self, pairing: &Pairing, color: usize) -> f64 {
        DrawRate(self.draw_rate.unwrap_or(0.0)).variance(self.expected(pairing, color))
    }
}

/// Whether one advantage of the first move has the greatest likelihood.
///
/// Take a direction of strengths d and advantage w. In it, the lead of a player over another is the difference of their
/// d, plus w with White or minus w with Black. The likelihood never falls in this direction if no player that took
/// points has a negative lead over its opponent. With w = 1 these conditions are inequalities of differences. They have
/// a solution unless there is a cycle of players in which each took points from the next one, more often with Black
/// than with White. With w = -1 it is a cycle with more points with White. The maximum exists, and is unique, when
/// there are cycles of both kinds.
fn has_one_advantage(pairings: &[Pairing], players: usize) -> bool {
    let takings = |white: i64| -> Vec<(usize, usize, i64)> {
        let of_color = |pairing: &Pairing, color: usize| {
            let games = pairing.by_color[color];
            let own = if color == 0 { white } else { -white };
            let took = games.wins() + games.draws() > 0;
            let gave = games.losses() + games.draws() > 0;
            let first = took.then_some((pairing.first, pairing.second, own));
            let second = gave.then_some((pairing.second, pairing.first, -own));
            first.into_iter().chain(second)
        };
        let of_both = |pairing| [0, 1].into_iter().flat_map(move |color| of_color(pairing, color));
        pairings.iter().flat_map(of_both).collect()
    };
    [1, -1]
        .iter()
        .all(|&white| has_negative_cycle(players, &takings(white)))
}
