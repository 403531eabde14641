//! A tournament: its description, its pairings with their openings, and races.

pub mod contrast;
pub mod defaults;
pub mod description;
pub mod entrant;
pub mod faults_allowed;
pub mod keys;
pub mod pgn_style;
pub mod race;
pub mod resolve;
pub mod schedule;
pub mod warnings;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use lmrlab_diagnostics::{Diagnostics, Document, Files, Source};

use self::defaults::{SPRT_PAIRS, all_threads, usual_threads};
use self::description::{Description, EngineKind, Pairings};
use self::entrant::{Entrant, EntrantEngine};
use self::resolve::Resolver;
use self::schedule::Schedule;
use crate::conduct::pair_player::Arena;
use crate::conduct::threads::Threads;
use crate::game::tablebases::Tablebases;
use crate::openings::Openings;
use crate::player::uci::HostedPolicy;
use crate::processors;
use lmrlab_diagnostics::failure::{Failure, warning};

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
        false => keys::tournament(table),
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
}
