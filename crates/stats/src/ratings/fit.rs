//! Ratings and the advantage of the first move by maximum likelihood.

use std::collections::BTreeMap;

use super::draws::DrawRate;
use super::encounters::{Games, Pairing, Share, sign};
use super::graph::{Structure, has_negative_cycle};
use super::quadratic::Quadratic;
use crate::trinomial::Trinomial;

/// Newton steps at most; a dozen are usual.
const MAX_STEPS: u32 = 200;
/// A fit has converged when no parameter changes by more than this, in natural units: a millionth of an Elo is 6e-9.
const CONVERGED: f64 = 1e-11;

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
}

impl Fit {
    /// `places` maps each player that can be rated to its place in the fit, and `groups` has the group of each place.
    pub(super) fn of(games: &Games, places: &BTreeMap<usize, Place>, structure: &Structure, groups: &[usize]) -> Self {
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
        let with_white = has_one_advantage(&pairings, groups.len());
        let mut found = newton(&pairings, groups, with_white);
        let white_advantage = found.pop().filter(|_| with_white);
        let mut fit = Self {
            strengths: found,
            white_advantage,
            draw_rate: None,
            pairings,
        };
        let samples: Vec<(f64, Trinomial)> = fit
            .pairings
            .iter()
            .flat_map(|pairing| [0, 1].map(|color| (fit.expected(pairing, color), pairing.by_color[color])))
            .collect();
        fit.draw_rate = DrawRate::of(&samples).map(|rate| rate.0);
        fit
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
        games.wins as f64 + games.draws as f64 / 2.0 - expected
    }

    /// Variance of a game of this pairing.
    pub(super) fn variance(&self, pairing: &Pairing, color: usize) -> f64 {
        DrawRate(self.draw_rate.unwrap_or(0.0)).variance(self.expected(pairing, color))
    }
}

fn logistic(x: f64) -> f64 {
    0.5 + 0.5 * libm::tanh(x / 2.0)
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
            let took = games.wins + games.draws > 0;
            let gave = games.losses + games.draws > 0;
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

/// The likelihood at some parameters: strengths, and the advantage of the first move as the last.
struct Likelihood<'a> {
    pairings: &'a [Pairing],
    gradient: Vec<f64>,
    /// Second derivative for each pairing and colour.
    weights: Vec<[f64; 2]>,
    log_likelihood: f64,
}

impl<'a> Likelihood<'a> {
    fn at(pairings: &'a [Pairing], parameters: &[f64]) -> Self {
        let last = parameters.len() - 1;
        let mut gradient = vec![0.0; parameters.len()];
        let mut log_likelihood = 0.0;
        let weights = pairings
            .iter()
            .map(|pairing| {
                let lead = parameters[pairing.first] - parameters[pairing.second] + pairing.offset;
                [0, 1].map(|color| {
                    let games = pairing.by_color[color];
                    let count = games.games() as f64;
                    let points = games.wins as f64 + games.draws as f64 / 2.0;
                    let exponent = lead + sign(color) * parameters[last];
                    let expected = logistic(exponent);
                    let rest = points - count * expected;
                    gradient[pairing.first] += rest;
                    gradient[pairing.second] -= rest;
                    gradient[last] += sign(color) * rest;
                    // ln of the logistic function, from the side that does not cancel.
                    let log = |x: f64| x.min(0.0) - libm::log1p(libm::exp(-x.abs()));
                    log_likelihood += points * log(exponent) + (count - points) * log(-exponent);
                    count * expected * (1.0 - expected)
                })
            })
            .collect();
        Likelihood {
            pairings,
            gradient,
            weights,
            log_likelihood,
        }
    }

    /// Newton's step; the sum of each group stays. `None` when the second derivatives cannot be inverted.
    fn step(&self, groups: &[usize], with_white: bool) -> Option<Vec<f64>> {
        let mut curvature = Quadratic::new(groups.len(), with_white);
        for (pairing, weights) in self.pairings.iter().zip(&self.weights) {
            curvature.add(pairing, *weights);
        }
        let mut step = self.gradient.clone();
        if !with_white {
            step[groups.len()] = 0.0;
        }
        curvature.decomposed(groups)?.solve(&mut step);
        Some(step)
    }
}

/// The parameters of greatest likelihood. They exist: in a group every player took points from every other one,
/// directly or through others, and `with_white` is set only when [`has_one_advantage`] holds.
fn newton(pairings: &[Pairing], groups: &[usize], with_white: bool) -> Vec<f64> {
    let mut parameters = vec![0.0; groups.len() + 1];
    let mut point = Likelihood::at(pairings, &parameters);
    for _ in 0..MAX_STEPS {
        let Some(step) = point.step(groups, with_white) else {
            break;
        };
        let mut length = 1.0;
        let (next, at_next) = loop {
            let mut next: Vec<f64> = parameters
                .iter()
                .zip(&step)
                .map(|(parameter, step)| parameter + length * step)
                .collect();
            center(&mut next, groups);
            let at_next = Likelihood::at(pairings, &next);
            // Near the top, rounding decides which of two points is higher.
            let slack = 1e-12 * point.log_likelihood.abs();
            if at_next.log_likelihood >= point.log_likelihood - slack || length < 1e-6 {
                break (next, at_next);
            }
            length /= 2.0;
        };
        let change = (parameters.iter().zip(&next))
            .map(|(before, after)| (before - after).abs())
            .fold(0.0, f64::max);
        parameters = next;
        point = at_next;
        if change < CONVERGED {
            break;
        }
    }
    parameters
}

/// Makes the mean of each group zero.
fn center(parameters: &mut [f64], groups: &[usize]) {
    let mut sums: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
    for (place, &group) in groups.iter().enumerate() {
        let sum = sums.entry(group).or_default();
        *sum = (sum.0 + parameters[place], sum.1 + 1.0);
    }
    for (place, group) in groups.iter().enumerate() {
        if let Some((sum, count)) = sums.get(group) {
            parameters[place] -= sum / count;
        }
    }
}
