//! Counts of the encounters of many players.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hasher};

use crate::counts::{GameOutcome, Trinomial};

/// The games between two players with White and with Black, from the side of the one with the lower index.
pub(super) type ByColor = [Trinomial; 2];

/// An opening. It is the hash of a position, so that many take little memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Opening(u64);

impl Opening {
    /// The opening with this position; `position` is its FEN, or anything else that only this opening has.
    pub fn of(position: &[u8]) -> Self {
        let mut hasher = DefaultHasher::new();
        hasher.write(position);
        Self(hasher.finish())
    }
}

/// Counts of games between players. A player is a number from 0.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Games {
    players: usize,
    /// By opening and pairing; the player with the lower index is the first.
    games: BTreeMap<(Option<Opening>, usize, usize), ByColor>,
}

impl Games {
    /// Counts a game; `outcome` is White's. A game without an opening is independent of all others. A game of a player
    /// against itself is ignored.
    pub fn record(&mut self, white: usize, black: usize, outcome: GameOutcome, opening: Option<Opening>) {
        let mut games = Trinomial::default();
        games.record(outcome);
        self.add(opening, [white, black], [games, Trinomial::default()]);
    }

    /// Adds the games of another count. Its player `i` is `players[i]` here.
    pub fn merge(&mut self, other: &Self, players: &[usize]) {
        for (&(opening, first, second), &by_color) in &other.games {
            if let (Some(&first), Some(&second)) = (players.get(first), players.get(second)) {
                self.add(opening, [first, second], by_color);
            }
        }
    }

    /// Adds games from the side of the first of two players.
    fn add(&mut self, opening: Option<Opening>, [first, second]: [usize; 2], [white, black]: ByColor) {
        self.players = self.players.max(first.max(second) + 1);
        let (pairing, more) = match first.cmp(&second) {
            Ordering::Less => ((opening, first, second), [white, black]),
            Ordering::Equal => return,
            Ordering::Greater => ((opening, second, first), [black.reversed(), white.reversed()]),
        };
        add(self.games.entry(pairing).or_default(), &more);
    }

    /// One more than the greatest index of a player.
    pub fn players(&self) -> usize {
        self.players
    }

    /// The games of each player, from its own side.
    pub fn totals(&self) -> Vec<Trinomial> {
        let mut totals = vec![Trinomial::default(); self.players];
        for (&(_, first, second), by_color) in &self.games {
            for &games in by_color {
                totals[first] += games;
                totals[second] += games.reversed();
            }
        }
        totals
    }

    /// The games of each pairing.
    pub(super) fn encounters(&self) -> BTreeMap<(usize, usize), ByColor> {
        let mut encounters = BTreeMap::new();
        for (&(_, first, second), by_color) in &self.games {
            add(encounters.entry((first, second)).or_default(), by_color);
        }
        encounters
    }

    /// The games of each opening and pairing, opening by opening.
    pub(super) fn by_opening(&self) -> impl Iterator<Item = (Opening, (usize, usize), &ByColor)> {
        let games = self.games.iter();
        games.filter_map(|(&(opening, first, second), games)| Some((opening?, (first, second), games)))
    }

    /// Number of different openings.
    pub(super) fn openings(&self) -> usize {
        let openings: Vec<Opening> = self.by_opening().map(|(opening, ..)| opening).collect();
        openings.chunk_by(|a, b| a == b).count()
    }

    /// Number of games that have no opening.
    pub(super) fn games_without_opening(&self) -> u64 {
        let games = self.games.iter().filter(|((opening, ..), _)| opening.is_none());
        games.flat_map(|(_, by_color)| by_color).map(Trinomial::games).sum()
    }
}

fn add(to: &mut ByColor, more: &ByColor) {
    for (games, more) in to.iter_mut().zip(more) {
        *games += *more;
    }
}

/// Two players of the same group, by their places in the fit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pairing {
    /// The players, by the indices of their games.
    pub(super) players: (usize, usize),
    pub(super) first: usize,
    pub(super) second: usize,
    /// What the first player is stronger by than its place says, less that of the second, in natural units.
    pub(super) offset: f64,
    pub(super) by_color: ByColor,
}

/// The games of a pairing on an opening.
#[derive(Debug, Clone, Copy)]
pub(super) struct Share {
    pub(super) opening: Opening,
    /// The place of the pairing in the fit.
    pub(super) pairing: usize,
    pub(super) by_color: ByColor,
}

/// 1 for White, -1 for Black: how the advantage of the first move enters a player's lead.
pub(super) fn sign(color: usize) -> f64 {
    if color == 0 { 1.0 } else { -1.0 }
}
