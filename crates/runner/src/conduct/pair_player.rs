//! Plays the pairs of any run: a tournament, a tuning run or a trial.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use lmrlab_engine::position::Position;

use super::threads::Threads;
use super::worker::{EngineWarning, Players};
use crate::game::limit::Terms;
use crate::game::play::{Entry, Rules, play};
use crate::game::tablebases::Tablebases;
use crate::interrupt::Interrupt;
use crate::memory::Tables;
use crate::openings::Openings;
use crate::player::uci::HostedPolicy;
use crate::record::fault_log::EngineLogs;
use crate::record::recorded_pair::RecordedPair;
use crate::tournament::description::Conditions;
use crate::tournament::entrant::Entrant;
use crate::tournament::schedule::Pair;
use lmrlab_diagnostics::failure::{Failure, RunFailure};

/// The most players of policies that a thread keeps after a pair.
const MOST_PLAYERS: usize = 16;

/// What the pairs of a run have in common.
#[derive(Clone)]
pub struct Arena<'r> {
    /// The engines.
    pub engines: &'r [Entrant],
    /// What the run calls them.
    pub names: &'r [String],
    /// What each engine may spend.
    pub terms: Vec<Terms>,
    /// Reads the overrides of sides, in a run that has them.
    pub changes: Option<&'r (dyn Changes + Sync)>,
    /// How games are played.
    pub conditions: &'r Conditions,
    /// The positions that games begin with.
    pub openings: &'r Openings,
    /// The tablebases that end games, if any.
    pub tablebases: Option<&'r Tablebases>,
    /// How many pairs are played at the same time.
    pub threads: Threads,
}

impl Arena<'_> {
    /// Whether a thread keeps the players of policies for one pair only: the players of a gauntlet of many variants would
    /// not fit into memory. A new engine of the project costs little. A host has to be restarted.
    fn drops_players(&self) -> bool {
        self.engines.iter().filter(|engine| engine.plays_policy()).count() > MOST_PLAYERS
    }

    /// The transposition tables of the run: each thread keeps its players, unless they are too many.
    pub fn tables(&self) -> Tables {
        let count = |of: &dyn Fn(&Entrant) -> bool| self.engines.iter().filter(|engine| of(engine)).count() as u64;
        let is_program = |engine: &Entrant| engine.external_engine().is_some();
        let (own, programs) = match self.drops_players() {
            true => (2, count(&|engine| !engine.plays_policy())),
            false => (count(&|engine| !is_program(engine)), count(&is_program)),
        };
        // An engine that plays itself has two players.
        let players = if self.engines.len() == 1 { 2 } else { 1 };
        Tables {
            threads: self.threads.count.get() as u64,
            own: own * players,
            programs: programs * players,
            hash_mib: self.conditions.hash_mib,
        }
    }

    /// Whether the time of some engine counts.
    fn is_timed(&self) -> bool {
        self.terms.iter().any(|terms| terms.limit.is_timed())
    }
}

/// Reads the overrides of a side.
pub trait Changes {
    /// The engine with these overrides.
    ///
    /// # Errors
    /// When it cannot play with them.
    fn changed(&self, overrides: &str) -> Result<Changed, Failure>;
}

/// An engine with overrides.
pub enum Changed {
    /// The project's own engine. A new one plays each pair, which costs little.
    Own(Entrant),
    /// A program gets these options, and a host this policy, before the pair.
    Program(Vec<(String, String)>, Option<HostedPolicy>),
}

/// Plays pairs; shared by all threads.
pub struct PairPlayer<'r> {
    /// What the pairs have in common.
    pub arena: Arena<'r>,
    interrupt: &'r Interrupt,
    logs: &'r EngineLogs,
    begun: Instant,
}

impl<'r> PairPlayer<'r> {
    /// For the pairs of a run that has taken the time `before`. The start times of games are measured from its beginning.
    pub fn new(arena: Arena<'r>, before: Duration, interrupt: &'r Interrupt, logs: &'r EngineLogs) -> Self {
        let now = Instant::now();
        Self {
            arena,
            interrupt,
            logs,
            begun: now.checked_sub(before).unwrap_or(now),
        }
    }

    /// Plays a pair with the players of a thread; `None` when it was abandoned. Collects warnings.
    ///
    /// # Errors
    /// When the pair cannot be played, or an engine of this process panics.
    pub fn play(
        &self,
        players: &mut Players,
        pair: &Pair,
        warnings: &mut Vec<EngineWarning>,
    ) -> Result<Option<RecordedPair>, Failure> {
        // A panic of an engine must not hang the run, and must not count as a loss.
        match catch_unwind(AssertUnwindSafe(|| self.try_to_play(players, pair, warnings))) {
            Ok(Ok(None)) if !self.interrupt.is_abandoned() => Err(RunFailure::Unplayable(self.describe(pair)).into()),
            Ok(played) => played,
            Err(panic) => Err(Failure::mistake(&self.describe(pair), &*panic)),
        }
    }

    fn try_to_play(
        &self,
        players: &mut Players,
        pair: &Pair,
        warnings: &mut Vec<EngineWarning>,
    ) -> Result<Option<RecordedPair>, Failure> {
        let arena = &self.arena;
        let fen = arena.openings.fen(pair.opening);
        let Some((fen, start)) = fen.and_then(|fen| Some((fen, Position::from_fen(fen).ok()?))) else {
            return Ok(None);
        };
        let engines = [pair.pairing.first, pair.pairing.second];
        // An engine that plays itself has two players.
        let places = match engines {
            [first, second] if first == second => [first, arena.engines.len()],
            places => places,
        };
        players.resize_with(arena.engines.len() + 1, || None);
        if arena.drops_players() {
            for (index, player) in players.iter_mut().enumerate() {
                if !places.contains(&index) && arena.engines.get(index).is_some_and(Entrant::plays_policy) {
                    *player = None;
                }
            }
        }
        let hash_mib = arena.conditions.hash_mib;
        for (side, place) in places.into_iter().enumerate() {
            let engine = &arena.engines[engines[side]];
            let changed = match (arena.changes, &pair.overrides) {
                (Some(changes), Some(overrides)) => Some(changes.changed(&overrides[side])?),
                _ => None,
            };
            if let Some(Changed::Own(engine)) = &changed {
                players[place] = Some(engine.player(hash_mib));
            }
            let player = players[place].get_or_insert_with(|| engine.player(hash_mib));
            if let Some(Changed::Program(options, policy)) = changed {
                player.change(options, policy);
            }
        }
        let Ok([Some(first), Some(second)]) = players.get_disjoint_mut(places) else {
            return Ok(None);
        };
        let rules = Rules {
            variant: arena.conditions.played_variant(),
            adjudication: &arena.conditions.adjudication,
            tablebases: arena.tablebases,
            interrupt: self.interrupt,
            begun: self.begun,
            logs: self.logs,
        };
        let mut sides = [(first, engines[0]), (second, engines[1])].map(|(player, engine)| Entry {
            player: &mut **player,
            terms: arena.terms[engine],
            name: &arena.names[engine],
        });
        let [one, other] = &mut sides;
        let games = play([one, other], &start, 2 * pair.index + 1, rules)
            .and_then(|first| Some([first, play([other, one], &start, 2 * pair.index + 2, rules)?]));
        for (engine, place) in engines.into_iter().zip(places) {
            if let Some(player) = &mut players[place] {
                warnings.extend(player.take_warnings().into_iter().map(|what| (engine, what)));
            }
        }
        Ok(games.map(|games| RecordedPair::new(pair.clone(), fen, arena.names, arena.is_timed(), &games)))
    }

    /// A pair in words, for the message when it cannot be played.
    fn describe(&self, pair: &Pair) -> String {
        format!(
            "`{}` against `{}` in pair {} from `{}`",
            self.arena.names[pair.pairing.first],
            self.arena.names[pair.pairing.second],
            pair.index + 1,
            self.arena.openings.fen(pair.opening).unwrap_or("?"),
        )
    }
}
