//! `lmrlab learn --play`: a race among a policy and those that were learned from it.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;
use lmrlab_diagnostics::Diagnostics;
use lmrlab_policy::reference::PolicyReference;
use toml::{Table, Value};

use super::engine_words::host_keys;
use super::machines::Machines;
use super::run_keys::{self, number, openings, table};
use super::tournament_session::{Display, Session, suggest_resume, threads};
use super::whole_number::count;
use crate::invocation::working_folder;
use crate::output_files::refuse_used_folder;
use lmrlab_results::failure::Failure;
use lmrlab_results::folder::{ResultsFolder, folder_name};
use lmrlab_results::paths::{find_program, no_program};
use lmrlab_runner::conduct::first_handshake;
use lmrlab_runner::game::limit::MAX_NODES;
use lmrlab_runner::interrupt::Interrupt;
use lmrlab_runner::tournament::defaults::{DEFAULT_PRESET, MAX_PAIRS};
use lmrlab_runner::tournament::{self, Tournament};

/// The folder of the race, below that of the policies.
const RACE_FOLDER: &str = "race";
/// The difference that matters in the race, in normalized Elo: about the gain of one rule.
const RACE_ELO: f64 = 20.0;

/// How the policies play.
#[derive(Debug, Args)]
pub(super) struct PlayOptions {
    /// Let games choose the price: a race among the start and a policy for each factor of --price
    #[arg(long)]
    pub(super) play: bool,
    /// With --play: nodes a move
    #[arg(long, value_name = "N", requires = "play", default_value_t = 20_000, value_parser = count(1..=MAX_NODES))]
    nodes: u64,
    /// With --play: pairs of games that each two policies play at most [default: as many as there are openings]
    #[arg(long, value_name = "N", requires = "play", value_parser = count(1..=MAX_PAIRS))]
    pairs: Option<u64>,
    /// With --play: games to play in parallel [default: all cores]
    #[arg(long, visible_alias = "concurrency", value_name = "N", requires = "play", value_parser = threads)]
    threads: Option<NonZeroUsize>,
    /// With --play: the search around the policies, a name (configs/engines/NAME.toml) or a path
    #[arg(long, value_name = "PRESET", requires = "play", default_value = DEFAULT_PRESET)]
    preset: String,
    /// With --play: let the policies play in this engine instead, which includes lmrlab.h: words as those of an engine of
    /// `lmrlab match`, such as 'cmd=./engine option.Hash=16'
    #[arg(long, value_name = "WORDS", requires = "play", conflicts_with = "preset")]
    host: Option<String>,
    /// With --play: show no progress, only the outcome
    #[arg(long, requires = "play")]
    pub(super) quiet: bool,
}

/// A race that will be played.
#[derive(Debug)]
pub(super) struct Race {
    working: PathBuf,
    out: PathBuf,
    force: bool,
    quiet: bool,
    /// The name of the start, and the words that the user chose it with.
    start: [String; 2],
    /// The keys of each engine, except its name and its policy.
    around: Table,
    /// The keys of the tournament file, except the engines.
    conditions: Table,
}

impl PlayOptions {
    /// The race of the policies that will be in `folder`. `seed` is the seed of the order of the openings.
    pub(super) fn race(
        &self,
        (start_name, start): (&str, &PolicyReference),
        (folder, force): (&Path, bool),
        seed: u64,
    ) -> Result<Race, Failure> {
        let out = folder.join(RACE_FOLDER);
        suggest_resume(&out, force)?;
        refuse_used_folder(folder, force)?;
        ResultsFolder::check(&out, force)?;
        let working = working_folder()?;
        let name = format!("{}-learned", folder_name(start_name));
        let race = table([("goal", "best".into()), ("elo", RACE_ELO.into())]);
        let mut conditions = table([
            ("name", name.into()),
            ("format", "race".into()),
            ("seed", number(seed)),
            ("openings", openings(&working, None)),
            ("limit", run_keys::nodes(self.nodes)),
            ("race", race.into()),
        ]);
        if let Some(pairs) = self.pairs {
            conditions.insert("pairs".to_owned(), number(pairs));
        }
        if let Some(threads) = self.threads {
            conditions.insert("threads".to_owned(), number(threads.get() as u64));
        }
        let around = match &self.host {
            Some(words) => host_keys(words, "lmrlab learn")?,
            None => table([("preset", self.preset.clone().into())]),
        };
        // All engines have this program, so one error is enough.
        if let Some(command) = around.get("command").and_then(Value::as_str)
            && find_program(command, &working).is_none()
        {
            let (message, advice) = no_program(command, &working);
            return Err(Failure::input(message, advice));
        }
        Ok(Race {
            working,
            out,
            force,
            quiet: self.quiet,
            start: [start_name.to_owned(), start.to_string()],
            around,
            conditions,
        })
    }
}

impl Race {
    /// Finds the mistakes of the race before the policies exist: the start plays in the place of each.
    pub(super) fn check(&self, names: &[String]) -> Result<(), Failure> {
        let [_, start] = &self.start;
        let in_their_place: Vec<[String; 2]> = names.iter().map(|name| [name.clone(), start.clone()]).collect();
        let (tournament, _) = self.tournament(&in_their_place)?;
        tournament.tables().check()?;
        let hash = tournament.description.conditions.hash_mib;
        // One start of the program is enough. Its warnings come before the games.
        let first = tournament.engines.get(..1).unwrap_or_default();
        first_handshake(first, hash, &Interrupt::new()).map(drop)
    }

    /// Plays the race with these policies, each a name and a path, and prints the outcome.
    pub(super) fn play(self, policies: &[[String; 2]]) -> Result<(), Failure> {
        let (tournament, warnings) = self.tournament(policies)?;
        let session = Session {
            tournament,
            warnings,
            out: self.out,
            force: self.force,
            display: Display {
                quiet: self.quiet,
                ..Display::default()
            },
            machines: Machines::Here,
            takes_apart: false,
            prints_summary: true,
        };
        session.play()
    }

    /// The race of the start and these policies.
    fn tournament(&self, policies: &[[String; 2]]) -> Result<(Tournament, Vec<Diagnostics>), Failure> {
        let engines = std::iter::once(&self.start).chain(policies).map(|[name, policy]| {
            let mut engine = self.around.clone();
            engine.insert("name".to_owned(), name.clone().into());
            engine.insert("policy".to_owned(), policy.clone().into());
            Value::from(engine)
        });
        let mut keys = self.conditions.clone();
        keys.insert("engine".to_owned(), engines.collect::<Vec<_>>().into());
        tournament::load(run_keys::source(&keys)?, &self.working, |_| ())
    }
}
