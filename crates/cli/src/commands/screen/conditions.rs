//! Options that say what is searched, and how far.

use std::path::PathBuf;

use clap::Args;

use super::super::lab_options::positions;
use lmrlab_lab::screen::{Conditions, JUDGED, judged};
use lmrlab_lab::suite::questions;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::game::limit::{MAX_DEPTH, MAX_NODES};
use lmrlab_runner::project;

/// What is searched, and how far.
#[derive(Debug, Args)]
pub(super) struct ConditionOptions {
    /// Judged positions, as `lmrlab positions judge` writes them [default: positions/judged.epd]
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Nodes within which a policy chooses a move
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..=MAX_NODES))]
    nodes: u64,
    /// How many of the positions are searched to --depth and audited
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    trees: u32,
    /// Depth of these searches, in plies
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: u32,
    /// Test positions to be solved [default: positions/tactics.epd]
    #[arg(long, value_name = "FILE")]
    suite: Option<PathBuf>,
    /// Nodes within which they are to be solved
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..=MAX_NODES))]
    suite_nodes: u64,
}

impl ConditionOptions {
    /// Reads the files.
    pub(super) fn read(&self) -> Result<Conditions, Failure> {
        let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        let root = project::root(&here, None);
        let file = |given: &Option<PathBuf>, usual: &str| match given {
            Some(path) => project::typed_file(&here, path),
            None => project::file(&root, usual),
        };
        let input = |report| Failure::Input(vec![report]);
        let judged = judged(&positions(Some(&file(&self.positions, JUDGED)))?).map_err(input)?;
        let suite = questions(&positions(Some(&file(&self.suite, project::TACTICS)))?).map_err(input)?;
        Ok(Conditions {
            positions: judged,
            nodes: self.nodes,
            trees: self.trees as usize,
            depth: self.depth,
            suite,
            suite_nodes: self.suite_nodes,
        })
    }
}
