//! Counts of the encounters of many players.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hasher};

use crate::trinomial::{GameOutcome, Trinomial};

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
    encounters: BTreeMap<(usize, usize), ByColor>,
    /// Those of the games that have an opening.
    openings: BTreeMap<(Opening, usize, usize), ByColor>,
}

impl Games {
    /// Counts a game; `outcome` is White's. A game without an opening is independent of all others. A game of a player
    /// against itself is ignored.
    pub fn record(&mut self, white: usize, black: usize, outcome: GameOutcome, opening: Option<Opening>) {
        self.players = self.players.max(white.max(black) + 1);
        let (first, second) = (white.min(black), white.max(black));
        if first == second {
            return;
        }
        let (color, outcome) = if white == first {
            (0, outcome)
        } else {
            (1, outcome.reversed())
        };
        self.encounters.entry((first, second)).or_default()[color].record(outcome);
        if let Some(opening) = opening {
            self.openings.entry((opening, first, second)).or_default()[color].record(outcome);
        }
    }

    /// Adds the games of another count. Its player `i` is `players[i]` here.
    pub fn merge(&mut self, other: &Self, players: &[usize]) {
        let here = |first: usize, second: usize, [white, black]: ByColor| {
            let (first, second) = (*players.get(first)?, *players.get(second)?);
            if first < second {
                Some(((first, second), [white, black]))
            } else {
                Some(((second, first), [black.reversed(), white.reversed()]))
            }
        };
        for (&(first, second), &games) in &other.encounters {
            let Some((pairing, games)) = here(first, second, games) else {
                continue;
            };
            self.players = self.players.max(pairing.1 + 1);
            if pairing.0 != pairing.1 {
                add(self.encounters.entry(pairing).or_default(), games);
            }
        }
        for (&(opening, first, second), &games) in &other.openings {
            if let Some(((first, second), games)) = here(first, second, games).filter(|((a, b), _)| a != b) {
                add(self.openings.entry((opening, first, second)).or_default(), games);
            }
        }
    }

    /// One more than the greatest index of a player.
    pub fn players(&self) -> usize {
        self.players
    }

    /// Number of games between two different players.
    pub fn games(&self) -> u64 {
        self.encounters.values().flatten().map(Trinomial::games).sum()
    }

    /// Number of different openings.
    pub(super) fn openings(&self) -> usize {
        let openings: Vec<Opening> = self.openings.keys().map(|&(opening, ..)| opening).collect();
        openings.chunk_by(|a, b| a == b).count()
    }

    /// Number of games that have no opening.
    pub(super) fn games_without_opening(&self) -> u64 {
        let with_opening: u64 = self.openings.values().flatten().map(Trinomial::games).sum();
        self.games() - with_opening
    }

    /// The games of each player, from its own side.
    pub fn totals(&self) -> Vec<Trinomial> {
        let mut totals = vec![Trinomial::default(); self.players];
        for ((first, second), encounter) in self.encounters() {
            for &games in encounter {
                totals[first] += games;
                totals[second] += games.reversed();
            }
        }
        totals
    }

    pub(super) fn encounters(&self) -> impl Iterator<Item = ((usize, usize), &ByColor)> {
        self.encounters.iter().map(|(&players, games)| (players, games))
    }

    /// The games of each opening and pairing, opening by opening.
    pub(super) fn by_opening(&self) -> impl Iterator<Item = (Opening, (usize, usize), &ByColor)> {
        let openings = self.openings.iter();
        openings.map(|(&(opening, first, second), games)| (opening, (first, second), games))
    }
}

fn add(to: &mut ByColor, more: ByColor) {
    for (games, more) in to.iter_mut().zip(more) {
        *games += more;
    }
}

/// Two players of the same group, by their places in the fit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pairing {
    pub(super) first: usize,
    pub(super) second: usize,
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
