//! Ratings of many players from the games between them.
//!
//! The model is that of Bradley and Terry: the expected score of White is `1 / (1 + 10^(-(d + w) / 400))`, `d` being
//! the difference of the ratings and `w` the advantage of the first move, in logistic Elo. Ratings and advantage have
//! the greatest likelihood when a draw counts as half a win and half a loss; then each player's points, and White's,
//! equal those that the ratings expect. Draws follow Davidson's model: their share is proportional to the geometric mean
//! of the shares of wins and losses, which leaves one number to fit, the draw rate between equals. It changes no
//! rating, only the errors. These are the figures of Ordo with the options `-W -D`. (Davidson's own ratings, and those
//! of Rao and Kupper, are on curves of another shape, so no scale makes them agree with a logistic one.)
//!
//! The games of an opening are not independent. The covariance of the ratings is clustered by
//! opening, over all pairings.
//!
//! Sources: R. A. Bradley and M. E. Terry, *Rank analysis of incomplete block designs*, 1952; R. R. Davidson, *On
//! extending the Bradley-Terry model to accommodate ties in paired comparison experiments*, 1970; L. R. Ford, *Solution
//! of a ranking problem from binary comparisons*, 1957 (when ratings exist); A. Albert and J. A. Anderson, *On the
//! existence of maximum likelihood estimates in logistic regression models*, 1984 (when an advantage exists); K.-Y.
//! Liang and S. L. Zeger, *Longitudinal data analysis using generalized linear models*, 1986 (covariance of dependent
//! results).

mod covariance;
mod draws;
mod encounters;
mod fit;
mod graph;
mod noise;

use std::collections::BTreeMap;

use super::counts::Trinomial;
use super::elo::ELO_PER_UNIT;
use super::few::{ENOUGH, Freedom};
use covariance::Covariance;
use fit::{Fit, Place};
use graph::Structure;

pub use encounters::{Games, Opening};

/// Elo for each unit of the logistic curve's exponent.
const ELO_PER_NATURAL_UNIT: f64 = ELO_PER_UNIT / 2.0;

/// The greatest number of players of [`Ratings`]: the time grows with the third power of their number, the memory with the
/// second.
pub const MOST_PLAYERS: usize = 2_000;

/// A player with its rating.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Rated {
    /// The index under which its games were recorded.
    pub player: usize,
    /// Rating in logistic Elo, never NaN. `-∞` for a player that took nothing from the main group of the pool, directly
    /// or through others, `+∞` for one that lost nothing to it. `None` for a player that cannot be compared with the
    /// main group, because results are missing.
    pub elo: Option<f64>,
    /// Half the width of the 95% interval of [`Self::elo`], relative to the anchors if there are any, otherwise to the
    /// mean of the main group. `None` where the rating is not finite, and when all games were drawn.
    pub error_95: Option<f64>,
    /// Likelihood of superiority (LOS), 0 to 1, over the mean of the main group, when there is no anchor. `None` where
    /// [`Self::elo`] or its error is undefined.
    pub los_to_mean: Option<f64>,
    /// All games of the player.
    pub games: Trinomial,
}

/// Players that played each other, directly or through others. Ratings of different pools cannot be compared.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Pool {
    /// The best first; those without a rating last.
    pub players: Vec<Rated>,
}

/// The advantage of the first move.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct WhiteAdvantage {
    /// In logistic Elo.
    pub elo: f64,
    /// Half the width of its 95% interval; `None` when all games were drawn.
    pub error_95: Option<f64>,
}

/// A player with a given rating: it sets the level of its pool. Several of them in a pool all keep their ratings, and the
/// other players are fitted to them, as with the option `-m` of Ordo.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anchor {
    /// The player's index.
    pub player: usize,
    /// Its rating.
    pub elo: f64,
}

/// Ratings of all players that have finished a game.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Ratings {
    /// The pools, the one with the most games first.
    pub pools: Vec<Pool>,
    /// `None` when no advantage has the greatest likelihood. Either the games cannot separate it from the ratings. Or
    /// it and the ratings grow together without a limit, as when one side wins every game with one colour. The ratings
    /// are then those without an advantage.
    pub white_advantage: Option<WhiteAdvantage>,
    /// Share of draws between equals without an advantage of the first move, 0 to 1. `None` when no player has a finite
    /// rating, when they have fewer than [`ENOUGH`] games, and when only games with other players were decided.
    pub draw_rate: Option<f64>,
    /// How many different openings the games have. Errors are clustered by opening.
    pub openings: usize,
    /// How many games have no opening. They count as independent.
    pub games_without_opening: u64,
    places: BTreeMap<usize, Place>,
    /// The games of each player.
    totals: Vec<Trinomial>,
    structure: Structure,
    fit: Fit,
    covariance: Option<Covariance>,
}

impl Ratings {
    /// Rates the players of these games. The mean of each pool's main group is 0, unless an anchor is in it.
    ///
    /// The main group of a pool is the largest set of players in which every player took points from every other one, directly or
    /// through others. Only such a set has finite ratings of greatest likelihood.
    pub fn of(games: &Games, anchors: &[Anchor]) -> Self {
        let structure = Structure::of(games);
        let (mut places, mut groups) = (BTreeMap::new(), Vec::new());
        // The place of the anchors of each group, and the rating of the first of them.
        let mut anchored: BTreeMap<usize, (usize, f64)> = BTreeMap::new();
        for player in (0..games.players()).filter(|&player| structure.group_size(player) > 1) {
            let (next, group) = (groups.len(), structure.group(player));
            let (mut index, mut offset) = (next, 0.0);
            if let Some(anchor) = anchors.iter().find(|anchor| anchor.player == player) {
                let (shared, first) = *anchored.entry(group).or_insert((next, anchor.elo));
                (index, offset) = (shared, (anchor.elo - first) / ELO_PER_NATURAL_UNIT);
            }
            if index == next {
                groups.push(group);
            }
            places.insert(player, Place { index, offset });
        }
        let fit = Fit::of(games, &places, &structure, groups);
        let shares = fit.shares(games);
        let covariance = Covariance::of(&fit, &shares);
        let totals = games.totals();
        let all_drawn = totals.iter().all(|of_player| of_player.draws() == of_player.games());
        let mut ratings = Self {
            pools: Vec::new(),
            white_advantage: fit.white_advantage.map(|advantage| WhiteAdvantage {
                elo: advantage * ELO_PER_NATURAL_UNIT,
                error_95: covariance
                    .as_ref()
                    .and_then(|covariance| error_95(covariance.of_white_advantage(), fit.games())),
            }),
            draw_rate: fit
                .draw_rate
                .filter(|rate| fit.games() >= ENOUGH && (*rate < 1.0 || all_drawn)),
            openings: games.openings(),
            games_without_opening: games.games_without_opening(),
            places,
            totals,
            structure,
            fit,
            covariance,
        };
        ratings.pools = ratings.ranked(anchors);
        ratings
    }

    fn ranked(&self, anchors: &[Anchor]) -> Vec<Pool> {
        let mut pools: Vec<Pool> = self
            .structure
            .pools()
            .iter()
            .map(|members| {
                let main = self.structure.main_group(members);
                let is_inside =
                    |anchor: &&Anchor| members.contains(&anchor.player) && self.structure.group(anchor.player) == main;
                let anchors: Vec<Anchor> = anchors.iter().filter(is_inside).copied().collect();
                let mut players: Vec<(Rated, f64)> = members
                    .iter()
                    .map(|&player| {
                        let own = self.own(player).unwrap_or(0.0);
                        (self.rated(player, main, &anchors), own)
                    })
                    .collect();
                // Equal infinite ratings are sorted by the order of their groups, then by rating within the group, then
                // by score. Rounding errors of the fit are no difference.
                let rounded = |elo: f64| (elo * 1e6).round() + 0.0;
                players.sort_by(|(a, own_a), (b, own_b)| {
                    let key = |rated: &Rated| rounded(rated.elo.unwrap_or(f64::NAN));
                    let level = |rated: &Rated| self.structure.level(rated.player);
                    let score = |rated: &Rated| rated.games.score().unwrap_or(0.0);
                    (a.elo.is_none().cmp(&b.elo.is_none()))
                        .then(key(b).total_cmp(&key(a)))
                        .then(level(a).cmp(&level(b)))
                        .then(rounded(*own_b).total_cmp(&rounded(*own_a)))
                        .then(score(b).total_cmp(&score(a)))
                        .then(a.player.cmp(&b.player))
                });
                Pool {
                    players: players.into_iter().map(|(rated, _)| rated).collect(),
                }
            })
            .collect();
        let games = |pool: &Pool| -> u64 { pool.players.iter().map(|p| p.games.games()).sum() };
        pools.sort_by_key(|pool| std::cmp::Reverse(games(pool)));
        pools
    }

    fn rated(&self, player: usize, main: usize, anchors: &[Anchor]) -> Rated {
        let games = self.totals[player];
        let group = self.structure.group(player);
        let count = games.games();
        if group != main {
            return Rated {
                player,
                elo: self.structure.beyond(group, main),
                error_95: None,
                los_to_mean: self.structure.chance(group, main),
                games,
            };
        }
        // A group of one has no place in the fit.
        let own = self.own(player).unwrap_or(0.0);
        let given = anchors.iter().find(|anchor| anchor.player == player);
        let (elo, error) = match (given, anchors.first()) {
            (Some(anchor), _) => (anchor.elo, Some(0.0)),
            (None, Some(anchor)) => {
                let level = anchor.elo - self.own(anchor.player).unwrap_or(0.0);
                let of_anchors: u64 = anchors.iter().map(|anchor| self.totals[anchor.player].games()).sum();
                let variance = self.variance_of_difference(player, anchor.player);
                let error = variance.and_then(|variance| error_95(variance, count.min(of_anchors)));
                (own + level, error)
            }
            (None, None) => (
                own,
                self.variance(player).and_then(|variance| error_95(variance, count)),
            ),
        };
        let los_to_mean = match (own, self.variance(player)) {
            (0.0, _) => Some(0.5),
            (own, variance) => variance.map(|variance| los(own, variance, count)),
        };
        Rated {
            player,
            elo: Some(elo),
            error_95: error,
            los_to_mean,
            games,
        }
    }

    /// Whether the anchor could be used: it is in the main group of its pool.
    pub fn is_anchored(&self, anchor: Anchor) -> bool {
        self.pools
            .iter()
            .flat_map(|pool| &pool.players)
            .any(|rated| rated.player == anchor.player && rated.elo == Some(anchor.elo))
    }

    /// Likelihood of superiority (LOS, also CFS), 0 to 1, of one player over another. `None` when they cannot be compared,
    /// for two anchors, and for players without games. 1/2 for a player and itself.
    pub fn los(&self, player: usize, other: usize) -> Option<f64> {
        if player == other {
            return Some(0.5);
        }
        if player.max(other) >= self.structure.players() {
            return None;
        }
        let (group, others) = (self.structure.group(player), self.structure.group(other));
        if group != others {
            return self.structure.chance(group, others);
        }
        if self.places.get(&player)?.index == self.places.get(&other)?.index {
            return None;
        }
        let lead = self.own(player)? - self.own(other)?;
        let games = self.totals[player].games().min(self.totals[other].games());
        Some(los(lead, self.variance_of_difference(player, other)?, games))
    }

    /// Rating relative to the mean of the own group, in Elo.
    fn own(&self, player: usize) -> Option<f64> {
        let place = self.places.get(&player)?;
        Some((self.fit.strengths[place.index] + place.offset) * ELO_PER_NATURAL_UNIT)
    }

    /// Variance of the difference of two players of one group.
    fn variance_of_difference(&self, player: usize, other: usize) -> Option<f64> {
        let (place, others) = (self.places.get(&player)?, self.places.get(&other)?);
        Some(self.covariance.as_ref()?.of_difference(place.index, others.index))
    }

    fn variance(&self, player: usize) -> Option<f64> {
        let place = self.places.get(&player)?.index;
        self.covariance.as_ref().map(|covariance| covariance.of_player(place))
    }
}

/// Degrees of freedom of a rating from this many games: each game is one, and the rating takes one.
fn freedom(games: u64) -> Freedom {
    Freedom::new(games.saturating_sub(1))
}

/// In Elo, from a variance in natural units. Draws alone have no variance, so the error is unknown.
fn error_95(variance: f64, games: u64) -> Option<f64> {
    (variance > 0.0).then(|| freedom(games).deviations_95() * variance.sqrt() * ELO_PER_NATURAL_UNIT)
}

/// The likelihood of superiority, from a lead in Elo and its variance in natural units. Draws alone have neither.
fn los(lead: f64, variance: f64, games: u64) -> f64 {
    if lead == 0.0 || variance == 0.0 {
        0.5
    } else {
        freedom(games).above_zero(lead / (variance.sqrt() * ELO_PER_NATURAL_UNIT))
    }
}

#[cfg(test)]
mod tests;
