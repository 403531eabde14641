//! A tournament: its description, its pairings with their openings, and races.

pub mod contrast;
pub mod defaults;
pub mod description;
pub mod entrant;
pub mod faults_allowed;
mod keys;
pub mod pgn_style;
pub mod race;
pub mod resolve;
pub mod schedule;
pub mod settings;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use lmrlab_diagnostics::{Diagnostics, Document, Files, Source, built_in};
use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_engine::position::Position;

use self::defaults::{SPRT_PAIRS, all_threads, usual_threads};
use self::description::{Description, EngineKind, Pairings};
use self::entrant::{Entrant, EntrantEngine};
use self::resolve::Resolver;
use self::schedule::Schedule;
use crate::conduct::pair_player::Arena;
use crate::conduct::threads::Threads;
use crate::game::limit::{Limit, TimeControl};
use crate::game::tablebases::Tablebases;
use crate::openings::Openings;
use crate::player::uci::HostedPolicy;
use crate::processors;
use crate::sprt_text::{self, USUAL_DRAWS};
use lmrlab_diagnostics::failure::{Failure, warning};
use lmrlab_stats::{Elo, GameVariance};

/// A tournament that can be played: a description with all that it names.
#[derive(Debug, Clone)]
pub struct Tournament {
    /// What was asked for; engines have their names, and pairs and threads their numbers.
    pub description: Description,
    /// Where names and relative paths start from.
    pub root: PathBuf,
    /// The configuration files that it was read from.
    pub files: Files,
    /// Pairs of games that each pairing plays at most.
    pub pairs: u64,
    /// Games that are played at the same time.
    pub threads: NonZeroUsize,
    /// The positions that games begin with.
    pub openings: Openings,
    /// The tablebases that end games, if any.
    pub tablebases: Option<Tablebases>,
    /// The engines, in the order of the description.
    pub engines: Vec<Entrant>,
    /// The engines that the description mentions, by their index.
    pub pairings: Pairings,
}

/// Reads the text of a tournament file and every file that it names. `change` applies settings of the
/// command line. Also returns the warnings of all files.
///
/// # Errors
/// Everything that is wrong with any of the files.
pub fn load(
    source: Source,
    root: &Path,
    change: impl FnOnce(&mut Description),
) -> Result<(Tournament, Vec<Diagnostics>), Failure> {
    let files = source.files().clone();
    let document = Document::parse(source)?;
    let table = document.root();
    let mut description = match table.has_heading_of_manifest("tournament") {
        true => None,
        false => settings::tournament(table),
    };
    if let Some(description) = &mut description {
        change(description);
    }
    resolved(description, |_, _| (), &document, root, files)
}

/// The tournament of a description, and the warnings of all files. The document has the places of what the description names.
/// `change` is applied when the engines have been read.
///
/// # Errors
/// Everything that is wrong with any of the files.
pub fn resolved(
    description: Option<Description>,
    change: impl FnOnce(&mut Description, &mut [Entrant]),
    document: &Document,
    root: &Path,
    files: Files,
) -> Result<(Tournament, Vec<Diagnostics>), Failure> {
    let mut resolver = Resolver::new(document, root, files);
    let tournament = description.and_then(|mut description| {
        let mut engines = resolver.engines(&description);
        if let Some(engines) = &mut engines {
            change(&mut description, engines);
        }
        Tournament::new(description, engines, &mut resolver)
    });
    resolver.finish(tournament)
}

/// Gives the description the digests of what hosts read.
fn settle_compiled(description: &mut Description, engines: &[Entrant]) {
    for (description, engine) in description.engines.iter_mut().zip(engines) {
        if let EngineKind::External { compiled, .. } = &mut description.kind {
            *compiled = engine.hosted_policy().map(HostedPolicy::sha256);
        }
    }
}

/// Gives the description the ordering that each engine plays with. Warns when the description asks for an ordering that
/// no engine can have.
fn settle_ordering(description: &mut Description, engines: &[Entrant]) -> Option<Diagnostics> {
    let mut asked = false;
    for (description, engine) in description.engines.iter_mut().zip(engines) {
        if let (EngineKind::Own { ordering, .. }, EntrantEngine::Own(own)) = (&mut description.kind, &engine.engine) {
            asked |= ordering.is_some();
            *ordering = own.ordering;
        }
    }
    let none = !engines
        .iter()
        .any(|engine| engine.own().is_some_and(|own| own.ordering.is_some()));
    (asked && none).then(|| warning("`ordering` changes nothing: no policy here has a history that orders moves"))
}

impl Tournament {
    /// The tournament of a description with these engines. The resolver reads the openings and the tablebases, and
    /// collects the errors.
    pub fn new(
        mut description: Description,
        engines: Option<Vec<Entrant>>,
        resolver: &mut Resolver<'_>,
    ) -> Option<Self> {
        let openings = resolver.openings(&mut description.conditions);
        let tablebases = resolver.tablebases(&mut description.conditions);
        let mut engines = engines?;
        for engine in &mut engines {
            engine.set_variant(description.conditions.played_variant());
        }
        let names: Vec<String> = engines.iter().map(|engine| engine.name.clone()).collect();
        let pairings = description.name_engines(&names, resolver.document)?;
        settle_compiled(&mut description, &engines);
        resolver.warnings.extend(settle_ordering(&mut description, &engines));
        let openings = openings?;
        let timed = !description.is_deterministic();
        let pairs = description.pairs.unwrap_or(if timed {
            SPRT_PAIRS
        } else {
            // A game that repeats an earlier one is no evidence.
            openings.count() as u64
        });
        let threads = (description.conditions.threads).unwrap_or_else(|| usual_threads(timed, description.ponders()));
        description.pairs = Some(pairs);
        description.conditions.threads = Some(threads);
        Some(Self {
            root: resolver.root.to_owned(),
            files: resolver.files.clone(),
            pairs,
            threads,
            openings,
            tablebases: tablebases?,
            engines,
            pairings,
            description,
        })
    }

    /// A match of two engines with different names. The description says how many pairs and threads it has.
    pub fn match_of(
        description: Description,
        engines: Vec<Entrant>,
        openings: Openings,
        tablebases: Option<Tablebases>,
        (files, root): (&Files, &Path),
    ) -> Self {
        Self {
            root: root.to_owned(),
            files: files.clone(),
            pairs: description.pairs.unwrap_or(openings.count() as u64),
            threads: description.conditions.threads.unwrap_or(NonZeroUsize::MIN),
            openings,
            tablebases,
            pairings: Pairings {
                names: engines.iter().map(|engine| engine.name.clone()).collect(),
                gauntlet_engine: 0,
                race: None,
            },
            engines,
            description,
        }
    }

    /// The pairs of games in the order in which they count. Those of a race are right until an engine is dropped.
    pub fn schedule(&self) -> Schedule {
        self.description
            .schedule(&self.pairings, self.pairs, &self.openings.counts())
    }

    /// What its pairs have in common.
    pub fn arena(&self) -> Arena<'_> {
        let engines = 0..self.engines.len();
        let threads = Threads {
            count: self.threads,
            pinned: self.pins(),
        };
        Arena {
            engines: &self.engines,
            names: &self.pairings.names,
            terms: engines.map(|engine| self.description.terms_of(engine)).collect(),
            changes: None,
            conditions: &self.description.conditions,
            openings: &self.openings,
            tablebases: self.tablebases.as_ref(),
            threads: threads.for_pairs(self.schedule().pairs()),
        }
    }

    /// Whether every engine plays the same on every machine and at every load.
    pub fn is_deterministic(&self) -> bool {
        self.description.is_deterministic()
    }

    /// Whether each thread stays on a processor of its own: as the user says, or where that is known to help.
    pub fn pins(&self) -> bool {
        self.description.pin.unwrap_or_else(|| {
            let programs = self.engines.iter().filter_map(Entrant::external_engine);
            processors::should_pin(
                self.threads == all_threads(),
                !self.is_deterministic(),
                programs.map(|program| program.options.as_slice()),
            )
        })
    }

    /// The names of the engines, in their order.
    pub fn names(&self) -> Vec<String> {
        self.pairings.names.clone()
    }

    /// The warnings before the first game.
    pub fn warnings(&self) -> Vec<String> {
        let pinning = (self.description.pin == Some(true) && !processors::CAN_PIN)
            .then(|| "threads cannot be pinned to processors on this system".to_owned());
        [
            self.repetition_warning(),
            self.undecided_warning(),
            self.load_warning(),
            self.hosting_warning(),
            self.clock_warning(),
            self.tablebase_warning(),
            pinning,
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// The notes before the first game: what a test can find, and that few nodes change what features are worth.
    pub fn notes(&self) -> Vec<String> {
        let limits = (0..).map(|engine| self.description.terms_of(engine).limit);
        let few_nodes = few_nodes_note(self.engines.iter().zip(limits));
        let sprt = self.description.sprt.as_ref();
        let test = sprt.map(|sprt| sprt_text::prospects(sprt, self.pairs));
        test.into_iter().chain(few_nodes).collect()
    }

    /// What differs between its engines beside their reductions.
    pub fn confounders(&self) -> Vec<String> {
        contrast::confounders(&contrast::sides(&self.engines))
    }

    /// A warning about more games at the same time than the machine can give full time to.
    fn load_warning(&self) -> Option<String> {
        let all = all_threads();
        let usual = usual_threads(true, self.description.ponders());
        (!self.is_deterministic() && self.threads > usual).then(|| {
            format!(
                "{} games at the same time on {all} processors, under a time limit: other programs take time from the \
                 engines; use at most {usual} games at a time",
                self.threads
            )
        })
    }

    /// A warning about a long clock: its seconds may have been meant as milliseconds.
    fn clock_warning(&self) -> Option<String> {
        const LONG_BASE: Duration = Duration::from_secs(10_000);
        const LONG_INCREMENT: Duration = Duration::from_secs(60);
        let limits = (0..self.description.engines.len()).map(|engine| self.description.terms_of(engine).limit);
        let mut clocks = limits.filter_map(Limit::clock);
        let clock = clocks.find(|clock| clock.base >= LONG_BASE || clock.increment >= LONG_INCREMENT)?;
        let thousandth = TimeControl {
            base: clock.base / 1_000,
            increment: clock.increment / 1_000,
            ..clock
        };
        Some(format!(
            "the clock {clock} has {:.1} hours and {} s more for each move, because its numbers are seconds; if they are meant as \
             milliseconds, write {thousandth}",
            clock.base.as_secs_f64() / 3_600.0,
            clock.increment.as_secs_f64(),
        ))
    }

    /// A warning about openings that the tablebases decide.
    fn tablebase_warning(&self) -> Option<String> {
        let tables = self.tablebases.as_ref()?;
        let count = self.openings.count();
        let positions = (0..count).filter_map(|index| Position::from_fen(self.openings.fen(index)?).ok());
        let known = positions.filter(|position| tables.know(position)).count();
        (known > 0).then(|| {
            format!("{known} of the {count} openings are in the tablebases: their games end without a move, so they decide nothing")
        })
    }

    /// A warning about a program that plays both its own scheme and a policy, when its speed counts.
    fn hosting_warning(&self) -> Option<String> {
        let program = |engine: &Entrant| engine.external_engine().map(|engine| engine.program.clone());
        let plays_own = |hosted: &Entrant| {
            let mut others = self.engines.iter();
            others.any(|other| other.hosted_policy().is_none() && program(other) == program(hosted))
        };
        let mut engines = self.engines.iter();
        let hosted = engines.find(|engine| engine.hosted_policy().is_some() && plays_own(engine));
        hosted.filter(|_| !self.is_deterministic()).map(|engine| {
            format!(
                "`{}` reads its policy while it plays, which costs speed; its own scheme is compiled. Under a time limit that is a part \
                 of the result; a limit of nodes leaves it out",
                engine.name
            )
        })
    }

    /// A warning about openings that run out before the test can be expected to be decided.
    fn undecided_warning(&self) -> Option<String> {
        let sprt = self.description.sprt.as_ref()?;
        let openings = self.openings.count() as u64;
        if !self.is_deterministic() || self.pairs != openings {
            return None;
        }
        // The longest test: a true difference between the two hypotheses. With normalized Elo no draw rate matters.
        let variance = GameVariance::new(USUAL_DRAWS, Elo(0.0)).ok()?;
        let middle = variance.on_scale(sprt.model(), f64::midpoint(sprt.elo0(), sprt.elo1()));
        let expected = (sprt.plan(variance, middle, None).expected_games / 2.0).ceil() as u64;
        (expected > openings).then(|| {
            format!(
                "the test may end without a decision: there are openings for {openings} pairs, and a test of [{}, {}] takes \
                 about {expected} pairs when the true difference is between the two; {}",
                sprt.elo0(),
                sprt.elo1(),
                self.more_openings(expected - openings)
            )
        })
    }

    /// How to get at least this many more openings.
    fn more_openings(&self, missing: u64) -> String {
        let conditions = &self.description.conditions;
        if conditions.played_variant() == ChessVariant::Chess960 {
            return "name a second book of Chess960".to_owned();
        }
        let mut books: Vec<PathBuf> = conditions
            .openings
            .all()
            .map(|file| built_in::without_mark(file))
            .collect();
        books.push(PathBuf::from("more.epd"));
        let options: Vec<String> = books
            .iter()
            .map(|file| format!("--openings {}", file.display()))
            .collect();
        format!(
            "make more with `lmrlab openings make --count {} --out more.epd`, then name both with `{}` (in a tournament file \
             `file = {}`); or add them later with `lmrlab resume DIR --openings more.epd`",
            rounded_up(missing),
            options.join(" "),
            settings::files(&books)
        )
    }

    /// A warning about too few openings.
    fn repetition_warning(&self) -> Option<String> {
        let openings = self.openings.count() as u64;
        (self.pairs > openings).then(|| {
            let consequence = if self.is_deterministic() {
                "later games repeat earlier ones move by move, so they add no information and make error bars too narrow"
            } else {
                "later pairs repeat openings"
            };
            format!(
                "{openings} openings for {} pairs: {consequence}",
                self.pairs
            )
        })
    }
}

/// The least nodes a move at which games say something about longer games.
const ENOUGH_NODES: u64 = 1_000;

/// A note about policies that play with very few nodes a move in the project's own engine.
pub fn few_nodes_note<'e>(engines: impl IntoIterator<Item = (&'e Entrant, Limit)>) -> Option<String> {
    let few = |(engine, limit): (&Entrant, Limit)| {
        engine.own().is_some() && limit.nodes().is_some_and(|nodes| nodes < ENOUGH_NODES)
    };
    engines.into_iter().any(few).then(|| {
        format!(
            "below {ENOUGH_NODES} nodes a move, a rule or a search feature may help where it hurts in longer searches: without late \
             move pruning the engine gains 53 Elo at 200 nodes, and loses 109 at 4000"
        )
    })
}

/// A number with two digits that are not zero, at least as great.
fn rounded_up(number: u64) -> u64 {
    let unit = 10_u64.pow(number.max(1).ilog10().saturating_sub(1));
    number.div_ceil(unit).saturating_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_up_to_two_digits() {
        let numbers = [0, 7, 10, 99, 100, 101, 999, 30_412, u64::MAX];
        let rounded = [0, 7, 10, 99, 100, 110, 1_000, 31_000, u64::MAX];
        assert_eq!(numbers.map(rounded_up), rounded);
    }
}
