//! The description of what is played, from a tournament file, a command line or a manifest. It is read and checked, but
//! the files that it names are not read.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

use lmrlab_diagnostics::{Diagnostic, Document, Text, nearest};
use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_engine::preset::QuietOrdering;
use lmrlab_stats::race::Goal;
use lmrlab_stats::{EloModel, Sprt};

use super::defaults::{DEFAULT_HASH_MIB, DEFAULT_NODES, default_openings};
use super::faults_allowed::FaultsAllowed;
use super::pgn_style::PgnStyle;
use super::race::RaceCourse;
use super::schedule::{Format, Order, Schedule};
use crate::game::adjudication::Adjudication;
use crate::game::limit::{Limit, Terms};
use crate::game::tablebases::TablebaseRules;
use crate::player::uci::external::ExternalEngine;

/// A tournament of any format. Names of engines may be missing until their policies have been read; a manifest has them
/// all. The default is a match without engines: what a tournament file does not mention.
#[derive(Debug, Clone, Default)]
pub struct Description {
    /// What it is called; not empty, no control characters.
    pub name: String,
    /// What it is for; may be empty.
    pub description: String,
    /// Which engines play each other.
    pub format: Format,
    /// The engine that plays all others in a gauntlet; the first when absent.
    pub gauntlet_engine: Option<Text>,
    /// Pairs of games that each pairing plays at most. When absent, a test or a race takes what the openings allow.
    pub pairs: Option<u64>,
    /// How games are played.
    pub conditions: Conditions,
    /// How much games.pgn contains.
    pub pgn: PgnStyle,
    /// Whether each thread, with the engines that it starts, stays on a processor of its own.
    pub pin: Option<bool>,
    /// The test that ends a match early; only with exactly two engines.
    pub sprt: Option<Sprt>,
    /// What a race is to find; only in a race.
    pub race: Option<RaceDescription>,
    /// The engines.
    pub engines: Vec<EngineDescription>,
}

/// How games are played, in tournaments and in tuning.
#[derive(Debug, Clone)]
pub struct Conditions {
    /// What the order of the openings comes from.
    pub seed: u64,
    /// Games that are played at the same time; when absent, see [`usual_threads`](super::usual_threads).
    pub threads: Option<NonZeroUsize>,
    /// Size of each engine's transposition table, in MiB.
    pub hash_mib: u32,
    /// The variant of chess. When absent, the openings decide it. It is present once they have been read.
    pub variant: Option<ChessVariant>,
    /// The positions that games begin with.
    pub openings: OpeningBooks,
    /// What a player may spend, unless it has terms of its own.
    pub terms: Terms,
    /// When games are ended before the rules end them.
    pub adjudication: Adjudication,
    /// The tablebases that end games. Once they have been opened, their number of men is present.
    pub tablebases: Option<TablebaseRules>,
    /// How many games in a row an engine may lose by its faults before the run stops.
    pub faults_allowed: FaultsAllowed,
}

impl Default for Conditions {
    /// What a file does not mention. Each file has a limit of its own.
    fn default() -> Self {
        Self {
            seed: 0,
            threads: None,
            hash_mib: DEFAULT_HASH_MIB,
            variant: None,
            openings: OpeningBooks::of(PathBuf::from(default_openings(None))),
            terms: Terms::new(Limit::of_nodes(DEFAULT_NODES)),
            adjudication: Adjudication::default(),
            tablebases: None,
            faults_allowed: FaultsAllowed::default(),
        }
    }
}

impl Conditions {
    /// The variant of chess, when the openings were read.
    pub fn played_variant(&self) -> ChessVariant {
        self.variant.unwrap_or_default()
    }
}

/// Where openings come from, and in which order they are used.
#[derive(Debug, Clone)]
pub struct OpeningBooks {
    /// The files, seen from the project's root; at least one. They are used one after the other.
    pub files: Vec<PathBuf>,
    /// Files that were added after the run began. They are used after all of `files`.
    pub added: Vec<PathBuf>,
    /// Of openings from a PGN, this many plies of each game; all when absent.
    pub max_plies: Option<u32>,
    /// The order in which those of a book are used.
    pub order: Order,
    /// The place in the order of the first opening that is used, from 1. The openings of `files` before it are used
    /// after the last one of `files`.
    pub start: u64,
}

impl OpeningBooks {
    /// A file, in random order from its first opening on.
    pub fn of(file: PathBuf) -> Self {
        Self {
            files: vec![file],
            added: Vec::new(),
            max_plies: None,
            order: Order::Random,
            start: 1,
        }
    }

    /// All files.
    pub fn all(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.iter().chain(&self.added)
    }

    /// The indices of the openings in the order in which they are used. `counts` are the numbers of openings in the files.
    pub fn order_of(&self, counts: &[usize], seed: u64) -> Vec<u32> {
        let mut order = self.order.of(counts, seed);
        let first = self.without_added(counts).min(order.len());
        let start = usize::try_from(self.start.saturating_sub(1)).unwrap_or(usize::MAX);
        if let Some(turned) = order.get_mut(..first).filter(|_| first > 0) {
            turned.rotate_left(start % first);
        }
        order
    }

    /// How many openings the run began with. `counts` are the numbers of openings in the files.
    pub fn without_added(&self, counts: &[usize]) -> usize {
        counts.iter().take(self.files.len()).sum()
    }
}

/// What a race is to find.
#[derive(Debug, Clone)]
pub struct RaceDescription {
    /// The best, or all that beat a baseline.
    pub goal: Goal,
    /// The engine to beat, if that is the goal; the first when absent.
    pub baseline: Option<Text>,
    /// The difference that matters, on the scale of `model`.
    pub elo: f64,
    /// The error rate.
    pub alpha: f64,
    /// The scale of `elo`.
    pub model: EloModel,
    /// Where the race stands in its file.
    pub place: Range<usize>,
}

/// An engine that takes part.
#[derive(Debug, Clone)]
pub struct EngineDescription {
    /// What it is called; when absent, as its policy or its program is.
    pub name: Option<String>,
    /// Its own limit; when absent, that of the tournament.
    pub limit: Option<Limit>,
    /// Its own time margin; when absent, that of the tournament.
    pub margin: Option<Duration>,
    /// What plays.
    pub kind: EngineKind,
    /// Where the engine stands in its file.
    pub place: Range<usize>,
}

/// What plays.
#[derive(Debug, Clone)]
pub enum EngineKind {
    /// The project's own engine.
    Own {
        /// The search preset: a name or a path, with changes.
        preset: Text,
        /// The policy: a name or a path, with overrides.
        policy: Text,
        /// Which history orders quiet moves, when the policy has one that can. When absent, the preset decides. Once
        /// the engine has been read, absent means that its policy has no such history.
        ordering: Option<QuietOrdering>,
    },
    /// A program of its own.
    External {
        /// The program: a name or a path.
        command: Text,
        /// The policy that it plays as a host: a name or a path, with overrides. When absent, or [`OWN_SCHEME`], it plays its
        /// own scheme.
        policy: Option<Text>,
        /// In a manifest, the SHA-256 of the file that the host reads.
        compiled: Option<String>,
        /// Where it runs, seen from the project's root.
        dir: Option<Text>,
        /// How to start and treat it. The program and the directory are as the file has them.
        engine: Box<ExternalEngine>,
    },
}

/// The word for a host's own scheme, in place of the name of a policy.
pub const OWN_SCHEME: &str = "own";

/// The parts of a description that refer to engines by their index.
#[derive(Debug, Clone)]
pub struct Pairings {
    /// The names of the engines; no two are equal.
    pub names: Vec<String>,
    /// The engine that plays all others, in a gauntlet.
    pub gauntlet_engine: usize,
    /// What a race is to find.
    pub race: Option<RaceCourse>,
}

impl Description {
    /// Gives the engines their names and finds those that the description mentions. What is wrong is reported in
    /// the description's `document`.
    pub fn name_engines(&mut self, names: &[String], document: &Document) -> Option<Pairings> {
        let mut right = true;
        for (index, (engine, name)) in self.engines.iter_mut().zip(names).enumerate() {
            if names[..index].contains(name) {
                right = false;
                document.report(
                    Diagnostic::error(format!("two engines are called `{name}`"))
                        .at(engine.place.clone(), "this one has the name of an earlier one")
                        .help("give it a `name` of its own"),
                );
            }
            engine.name = Some(name.clone());
        }
        let gauntlet_engine = match &self.gauntlet_engine {
            None => Some(0),
            Some(wanted) => engine_called(wanted, names, document),
        };
        let race = match &self.race {
            None => Some(None),
            Some(race) => race.rules(names, document).map(Some),
        };
        right.then_some(Pairings {
            names: names.to_vec(),
            gauntlet_engine: gauntlet_engine?,
            race: race?,
        })
    }

    /// What an engine may spend.
    pub fn terms_of(&self, engine: usize) -> Terms {
        self.engines[engine].terms(self.conditions.terms)
    }

    /// Whether a program thinks on the opponent's time.
    pub fn ponders(&self) -> bool {
        self.engines.iter().any(EngineDescription::ponders)
    }

    /// Whether every engine plays the same on every machine and at every load.
    pub fn is_deterministic(&self) -> bool {
        (0..self.engines.len()).all(|engine| self.terms_of(engine).limit.is_deterministic())
    }

    /// The pairs of games in the order in which they count, from books with these numbers of openings. Those of a race are right
    /// until an engine is dropped.
    pub fn schedule(&self, pairings: &Pairings, pairs: u64, openings: &[usize]) -> Schedule {
        let all = || self.format.pairings(self.engines.len(), pairings.gauntlet_engine);
        Schedule::new(
            pairings.race.as_ref().map_or_else(all, RaceCourse::pairings),
            pairs,
            self.conditions.openings.order_of(openings, self.conditions.seed),
        )
    }
}

impl EngineDescription {
    /// An engine without a place in a file, with the usual name and the limit of the tournament.
    pub fn of(kind: EngineKind) -> Self {
        Self {
            name: None,
            limit: None,
            margin: None,
            kind,
            place: 0..0,
        }
    }

    /// The project's own engine with this policy in this preset.
    pub fn own(policy: &str, preset: &str) -> Self {
        Self::of(EngineKind::Own {
            preset: Text::detached(preset),
            policy: Text::detached(policy),
            ordering: None,
        })
    }

    /// Sets which history orders quiet moves, unless the engine has its own setting.
    pub fn order_by(&mut self, common: Option<QuietOrdering>) {
        if let EngineKind::Own { ordering, .. } = &mut self.kind {
            *ordering = ordering.or(common);
        }
    }

    /// Whether it is a program that thinks on the opponent's time.
    pub fn ponders(&self) -> bool {
        matches!(&self.kind, EngineKind::External { engine, .. } if engine.ponder)
    }

    /// What it may spend, when these are the terms of the tournament.
    pub fn terms(&self, common: Terms) -> Terms {
        let limit = self.limit.unwrap_or(common.limit);
        let margin = match (self.margin, self.limit) {
            (Some(margin), _) => margin,
            (None, Some(limit)) => limit.default_margin(),
            (None, None) => common.margin,
        };
        Terms { limit, margin }
    }
}

impl RaceDescription {
    fn rules(&self, names: &[String], document: &Document) -> Option<RaceCourse> {
        let baseline = match &self.baseline {
            None => 0,
            Some(wanted) => engine_called(wanted, names, document)?,
        };
        RaceCourse::new(self.goal, names.len(), baseline, self.model, self.elo, self.alpha)
            .map_err(|error| {
                // Too few engines are reported for every format.
                if names.len() >= 2 {
                    document.report(Diagnostic::error(error.to_string()).at(self.place.clone(), ""));
                }
            })
            .ok()
    }
}

/// The engine with this name; reports an error when there is none.
fn engine_called(wanted: &Text, names: &[String], document: &Document) -> Option<usize> {
    let index = names.iter().position(|name| *name == wanted.value);
    if index.is_none() {
        let help = nearest(&wanted.value, names.iter().map(String::as_str)).map_or_else(
            || format!("the engines are: {}", names.join(", ")),
            |near| format!("did you mean `{near}`?"),
        );
        document.report(
            Diagnostic::error(format!("no engine is called `{}`", wanted.value))
                .at(wanted.span.clone(), "this engine does not take part")
                .help(help),
        );
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_start_uses_every_opening_once_before_any_twice(
            counts in proptest::collection::vec(1_usize..50, 1..4), added in proptest::collection::vec(1_usize..50, 0..3),
            start: prop::sample::Index, more in 1_usize..50, seed: u64,
        ) {
            let first: usize = counts.iter().sum();
            let start = start.index(first);
            let books = OpeningBooks {
                files: vec![PathBuf::from("book.epd"); counts.len()],
                start: start as u64 + 1,
                ..OpeningBooks::of(PathBuf::new())
            };
            let all = [counts.clone(), added.clone()].concat();
            let from_start = books.order_of(&all, seed);
            let from_first = OpeningBooks { start: 1, ..books.clone() }.order_of(&all, seed);
            prop_assert_eq!(&from_start[..first - start], &from_first[start..first]);
            prop_assert_eq!(&from_start[first - start..first], &from_first[..start]);
            prop_assert_eq!(&from_start[first..], &from_first[first..]);
            let with_more = books.order_of(&[all, vec![more]].concat(), seed);
            prop_assert!(with_more.starts_with(&from_start));
        }
    }
}
