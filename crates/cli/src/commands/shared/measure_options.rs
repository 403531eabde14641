//! Options of the commands that measure variants: what to measure, and on what.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use lmrlab_policy::reference::PolicyReference;
use serde::{Deserialize, Serialize};

use super::adjudication_options::AdjudicationOptions;
use super::lab_options::{positions, share, tell_mined};
use super::whole_number::count;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_lab::audit::{AuditOptions, DEFAULT_RATE};
use lmrlab_lab::experiment::Plan;
use lmrlab_lab::suite::questions;
use lmrlab_results::project;
use lmrlab_runner::game::limit::{MAX_DEPTH, MAX_NODES};
use lmrlab_runner::tournament::defaults::MAX_PAIRS;

/// What variants can be measured by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Measure {
    /// Nodes to a depth, over --positions
    Nodes,
    /// Positions of --suite solved
    Suite,
    /// Reductions that missed a move, as `lmrlab audit` finds them, over --positions
    Audit,
    /// Elo in games against the reference
    Elo,
}

/// What to measure, and on which positions. The manifest of an experiment has these options.
#[derive(Debug, Clone, Args, Serialize, Deserialize)]
pub(crate) struct MeasureOptions {
    /// What to measure, separated by commas [default: everything]
    #[arg(long, value_name = "LIST", value_enum, value_delimiter = ',')]
    measures: Vec<Measure>,
    /// Nodes, audit: the positions, one FEN or EPD a line [default: those of the engine's bench]
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Nodes, audit: depth of each search, in plies
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: u32,
    /// Suite: the test positions [default: positions/tactics.epd]
    #[arg(long, value_name = "FILE")]
    suite: Option<PathBuf>,
    /// Suite: nodes of each search
    #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = count(1..=MAX_NODES))]
    suite_nodes: u64,
    /// Audit: share of the late moves that is sampled
    #[arg(long, value_name = "SHARE", default_value_t = DEFAULT_RATE, value_parser = share)]
    audit_rate: f64,
}

/// The games of each variant.
#[derive(Debug, Args)]
pub(crate) struct GameOptions {
    /// Elo: pairs of games of each variant against the reference
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = count(1..=MAX_PAIRS))]
    pub(crate) pairs: u64,
    /// Elo: nodes a move
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = count(1..=MAX_NODES))]
    pub(crate) match_nodes: u64,
    /// Elo: the openings [default: positions/book.epd]
    #[arg(long, value_name = "FILE")]
    pub(crate) openings: Option<PathBuf>,
    /// Elo: play the games in this engine, which includes lmrlab.h: words as those of an engine of `lmrlab match`, such as
    /// 'cmd=./engine option.Hash=16'. The other measures stay those of the project's own engine
    #[arg(long, value_name = "WORDS")]
    pub(crate) host: Option<String>,
    /// Elo: seed of the order of the openings
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) adjudication: AdjudicationOptions,
}

impl MeasureOptions {
    /// Whether this is measured.
    pub(crate) fn has(&self, measure: Measure) -> bool {
        self.measures.is_empty() || self.measures.contains(&measure)
    }

    /// The searches that measure, with their files read. Paths start from `working`.
    pub(crate) fn plan(&self, working: &Path) -> Result<Plan, Failure> {
        let typed = |path: &PathBuf| project::typed_file(working, path);
        let observed = || positions(self.positions.as_ref().map(typed).as_ref());
        let mut plan = Plan::default();
        if self.has(Measure::Nodes) {
            plan.nodes = Some((observed()?.positions, self.depth));
        }
        if self.has(Measure::Suite) {
            let file = self.suite.as_ref().map(typed);
            let file = file.unwrap_or_else(|| project::file(&project::root(working, None), project::TACTICS));
            let set = positions(Some(&file))?;
            tell_mined(&set);
            let tests = questions(&set)?;
            plan.suite = Some((tests, self.suite_nodes));
        }
        if self.has(Measure::Audit) {
            let options = AuditOptions {
                rate: self.audit_rate,
                ..AuditOptions::default()
            };
            plan.audit = Some((observed()?.positions, self.depth, options));
        }
        Ok(plan)
    }
}

/// The policy with the variants to measure, the measures, and the search.
#[derive(Debug, Args)]
pub(crate) struct SubjectOptions {
    /// The policy: a name in configs/policies or a file, with overrides after `@`
    pub(crate) policy: PolicyReference,
    #[command(flatten)]
    pub(crate) measures: MeasureOptions,
    #[command(flatten)]
    pub(crate) games: GameOptions,
}

impl SubjectOptions {
    /// Refuses a host in which nothing is played.
    pub(crate) fn check_host(&self) -> Result<(), Failure> {
        match self.games.host.is_some() && !self.measures.has(Measure::Elo) {
            false => Ok(()),
            true => Err(Failure::input(
                "`--host` is where games are played, and `--measures` has no `elo`",
                "leave `--host` out, or measure `elo`, too",
            )),
        }
    }
}
