//! A tournament: who plays whom from where, and the playing of it.

pub mod config;
pub mod entrant;
pub mod pgn_style;
pub mod race;
pub mod schedule;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use crate::game::adjudication::Adjudication;
use crate::game::limit::Terms;
use crate::openings::Openings;
use crate::processors;
use entrant::Entrant;
use lmrlab_stats::Sprt;
use pgn_style::PgnStyle;
use race::RaceRules;
use schedule::{Format, Order, Schedule};

/// Everything that decides how a tournament goes. Whoever holds one knows that its files could be read and are right.
#[derive(Debug, Clone)]
pub struct Tournament {
    /// What it is called; not empty, no control characters.
    pub name: String,
    /// What it is for; may be empty.
    pub description: String,
    /// Where names and relative paths start from.
    pub root: PathBuf,
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
    /// Whether each thread, with the engines that it starts, stays on a processor of its own; when nobody says, see
    /// [`Self::pins`].
    pub pin: Option<bool>,
    /// Where the openings came from, as it was written.
    pub openings_file: PathBuf,
    /// The positions that games begin with.
    pub openings: Openings,
    /// Of openings from a PGN, so many plies of each game; all when absent.
    pub max_plies: Option<u32>,
    /// In which order they are used.
    pub order: Order,
    /// What a player may spend, unless it has terms of its own.
    pub terms: Terms,
    /// When games are ended before the rules end them.
    pub adjudication: Adjudication,
    /// How much games.pgn tells.
    pub pgn: PgnStyle,
    /// Size of each engine's transposition table, in MiB.
    pub hash_mib: u32,
    /// The engines; at least two, with names that differ.
    pub engines: Vec<Entrant>,
    /// The test that ends a match early; only with exactly two engines.
    pub sprt: Option<Sprt>,
    /// What a race is to find; only in a race.
    pub race: Option<RaceRules>,
}

impl Tournament {
    /// The pairs of games in the order in which they count; those of a race as long as nobody is dropped.
    pub fn schedule(&self) -> Schedule {
        let all = || {
            self.format
                .pairings(self.engines.len(), self.gauntlet_engine)
        };
        Schedule::new(
            self.race.as_ref().map_or_else(all, RaceRules::pairings),
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

    /// Whether each thread stays on a processor of its own: as the user says, or where that is known to help.
    pub fn pins(&self) -> bool {
        self.pin.unwrap_or_else(|| {
            let programs = self.engines.iter().filter_map(Entrant::external_engine);
            processors::should_pin(
                self.threads == config::all_threads(),
                !self.is_deterministic(),
                programs.map(|program| program.options.as_slice()),
            )
        })
    }

    /// The names of the engines, in their order.
    pub fn names(&self) -> Vec<String> {
        self.engines
            .iter()
            .map(|engine| engine.name.clone())
            .collect()
    }

    /// How many pairs of each pairing a test or a race may take when nobody says so. A game that repeats an earlier one is no evidence, so a
    /// deterministic limit allows one pair from each opening.
    pub fn longest_test(timed: bool, openings: &Openings) -> u64 {
        if timed {
            config::SPRT_PAIRS
        } else {
            openings.count() as u64
        }
    }

    /// What the user should know before the first game.
    pub fn warnings(&self) -> Vec<String> {
        let pinning = (self.pin == Some(true) && !processors::CAN_PIN)
            .then(|| "threads cannot be pinned to processors on this system".to_owned());
        [self.repetition_warning(), self.load_warning(), pinning]
            .into_iter()
            .flatten()
            .collect()
    }

    /// When more games are played at the same time than the machine can give all their time to.
    fn load_warning(&self) -> Option<String> {
        let all = config::all_threads();
        let usual = config::usual_threads(true);
        (!self.is_deterministic() && self.threads > usual).then(|| {
            format!(
                "{} games at the same time on {all} processors, and time counts: whatever else the machine does takes time \
                 from the players; {usual} would be safe",
                self.threads
            )
        })
    }

    /// When the openings do not suffice.
    fn repetition_warning(&self) -> Option<String> {
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
