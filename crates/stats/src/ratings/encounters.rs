//! Counts of the encounters of many players.

use std::collections::BTreeMap;

use crate::trinomial::{GameOutcome, Trinomial};

/// The games between two players, from the side of the one with the lower index.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Encounter {
    /// Its games with White, and with Black.
    pub(super) by_color: [Trinomial; 2],
    /// Pairs on one opening, by its outcomes with White and with Black.
    pub(super) pairs: [[u64; 3]; 3],
}

/// Counts of games between players. A player is a number from 0.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Games {
    players: usize,
    encounters: BTreeMap<(usize, usize), Encounter>,
}

impl Games {
    /// Counts a game; `outcome` is White's. A game of a player against itself is ignored.
    pub fn record(&mut self, white: usize, black: usize, outcome: GameOutcome) {
        self.players = self.players.max(white.max(black) + 1);
        if white < black {
            self.encounter(white, black).by_color[0].record(outcome);
        } else if black < white {
            self.encounter(black, white).by_color[1].record(outcome.reversed());
        }
    }

    /// Notes that two recorded games are a pair: the same opening with colours swapped. The outcomes are those of `player`.
    pub fn note_pair(&mut self, player: usize, opponent: usize, with_white: GameOutcome, with_black: GameOutcome) {
        if player < opponent {
            let pairs = &mut self.encounter(player, opponent).pairs;
            pairs[with_white as usize][with_black as usize] += 1;
        } else if opponent < player {
            let pairs = &mut self.encounter(opponent, player).pairs;
            pairs[with_black.reversed() as usize][with_white.reversed() as usize] += 1;
        }
    }

    /// Adds the games of another count. Its player `i` is `players[i]` here.
    pub fn merge(&mut self, other: &Self, players: &[usize]) {
        for (&(first, second), more) in &other.encounters {
            let (Some(&a), Some(&b)) = (players.get(first), players.get(second)) else {
                continue;
            };
            self.players = self.players.max(a.max(b) + 1);
            if a == b {
                continue;
            }
            let swapped = b < a;
            let encounter = self.encounter(a.min(b), a.max(b));
            for color in 0..2 {
                let games = more.by_color[color];
                if swapped {
                    encounter.by_color[1 - color] += games.reversed();
                } else {
                    encounter.by_color[color] += games;
                }
            }
            for white in 0..3 {
                for black in 0..3 {
                    let count = more.pairs[white][black];
                    if swapped {
                        encounter.pairs[2 - black][2 - white] += count;
                    } else {
                        encounter.pairs[white][black] += count;
                    }
                }
            }
        }
    }

    /// One more than the greatest index of a player.
    pub fn players(&self) -> usize {
        self.players
    }

    /// Number of games between two different players.
    pub fn games(&self) -> u64 {
        self.encounters()
            .flat_map(|(_, encounter)| encounter.by_color)
            .map(|games| games.games())
            .sum()
    }

    /// The games of each player, from its own side.
    pub fn totals(&self) -> Vec<Trinomial> {
        let mut totals = vec![Trinomial::default(); self.players];
        for ((first, second), encounter) in self.encounters() {
            for games in encounter.by_color {
                totals[first] += games;
                totals[second] += games.reversed();
            }
        }
        totals
    }

    pub(super) fn encounters(&self) -> impl Iterator<Item = ((usize, usize), &Encounter)> {
        self.encounters.iter().map(|(&players, encounter)| (players, encounter))
    }

    fn encounter(&mut self, first: usize, second: usize) -> &mut Encounter {
        self.encounters.entry((first, second)).or_default()
    }
}

/// Two players of the same group, by their places in the fit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pairing {
    pub(super) first: usize,
    pub(super) second: usize,
    pub(super) encounter: Encounter,
}

/// 1 for White, -1 for Black: how the advantage of the first move enters a player's lead.
pub(super) fn sign(color: usize) -> f64 {
    if color == 0 { 1.0 } else { -1.0 }
}
