//! A tournament: who plays whom from where, and the playing of it.

pub mod adjudication;
pub mod config;
pub mod entrant;
pub mod game;
pub mod limit;
pub mod outcome;
pub mod schedule;
pub mod workers;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use crate::openings::Openings;
use crate::stats::Sprt;
use adjudication::Adjudication;
use entrant::Entrant;
use limit::Terms;
use schedule::{Format, Order, Schedule};

/// Everything that decides how a tournament goes. Whoever holds one knows that its files could be read and are right.
#[derive(Debug, Clone)]
pub struct Tournament {
    /// What it is called; not empty, no control characters.
    pub name: String,
    /// What it is for; may be empty.
    pub description: String,
    /// Who plays whom.
    pub format: Format,
    /// The engine that meets all others, in a gauntlet.
    pub gauntlet_engine: usize,
    /// Pairs of games that each pairing plays at most.
    pub pairs: u64,
    /// What the order of the openings comes from.
    pub seed: u64,
    /// Games that are played at the same time.
    pub threads: NonZeroUsize,
    /// Where the openings came from, as it was written.
    pub openings_file: PathBuf,
    /// The positions that games begin with.
    pub openings: Openings,
    /// In which order they are used.
    pub order: Order,
    /// What a player may spend, unless it has terms of its own.
    pub terms: Terms,
    /// When games are ended before the rules end them.
    pub adjudication: Adjudication,
    /// Size of each engine's transposition table, in MiB.
    pub hash_mib: u32,
    /// The engines; at least two, with names that differ.
    pub engines: Vec<Entrant>,
    /// The test that ends a match early; only with exactly two engines.
    pub sprt: Option<Sprt>,
}

impl Tournament {
    /// The pairs of games in the order in which they count.
    pub fn schedule(&self) -> Schedule {
        Schedule::new(
            self.format
                .pairings(self.engines.len(), self.gauntlet_engine),
            self.pairs,
            self.order.of(self.openings.count(), self.seed),
        )
    }

    /// What an engine may spend.
    pub fn terms_of(&self, engine: usize) -> Terms {
        self.engines[engine].terms(self.terms)
    }

    /// Whether every engine plays the same on every machine and at every load.
    pub fn is_deterministic(&self) -> bool {
        (0..self.engines.len()).all(|engine| self.terms_of(engine).limit.is_deterministic())
    }

    /// The names of the engines, in their order.
    pub fn names(&self) -> Vec<String> {
        self.engines
            .iter()
            .map(|engine| engine.name.clone())
            .collect()
    }

    /// How many pairs a test may take when nobody says so. A game that repeats an earlier one is no evidence, so a
    /// deterministic limit allows one pair from each opening.
    pub fn longest_test(timed: bool, openings: &Openings) -> u64 {
        if timed {
            config::SPRT_PAIRS
        } else {
            openings.count() as u64
        }
    }

    /// What the user should know before the first game, if the openings do not suffice.
    pub fn repetition_warning(&self) -> Option<String> {
        let openings = self.openings.count() as u64;
        (self.pairs > openings).then(|| {
            let consequence = if self.is_deterministic() {
                "from then on games repeat earlier ones move by move, which tells nothing new and makes error bars too narrow"
            } else {
                "from then on openings repeat"
            };
            format!(
                "{openings} openings for {} pairs: {consequence}",
                self.pairs
            )
        })
    }
}
