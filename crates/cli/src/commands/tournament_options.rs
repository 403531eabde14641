//! Options that `run` and `match` share.

use std::path::PathBuf;

use clap::Args;
use lmrlab_diagnostics::Diagnostics;
use lmrlab_results::failure::Failure;
use lmrlab_runner::tournament::Tournament;
use lmrlab_runner::tournament::pgn_style::PgnStyle;

use super::machines::MachineOptions;
use super::part_option::{self, PartChoice};
use super::tournament_session::{Display, Session, Tolerance, pgn_style};

/// How a tournament is played, and what is recorded of it.
#[derive(Debug, Args)]
pub(super) struct TournamentOptions {
    /// Keep each thread, with the engines that it starts, on a processor of its own (Linux) [default: when programs
    /// play by nodes or depth with a thread for each processor]
    #[arg(long, value_name = "true|false", num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    pub(super) pin: Option<bool>,
    /// Play only part K of N, each with about as many pairs, in a folder of its own; `lmrlab merge` puts parts together.
    /// Repeated, the command resumes the part [default of --out: that of the whole run with -parts/K-of-N at its end]
    #[arg(long, value_name = "K/N", conflicts_with_all = ["json_lines", "report", "log", "executor"])]
    pub(super) part: Option<PartChoice>,
    /// Replace the results of an earlier run, and a file that `--log` names and that is no log
    #[arg(long)]
    pub(super) force: bool,
    /// Comments in games.pgn: full (score, depth, nodes, time of each move), compact (no comments), or none (no file)
    #[arg(long, value_name = "STYLE", value_parser = pgn_style)]
    pub(super) pgn: Option<PgnStyle>,
    #[command(flatten)]
    pub(super) tolerance: Tolerance,
    #[command(flatten)]
    machines: MachineOptions,
    #[command(flatten)]
    pub(super) display: Display,
}

impl TournamentOptions {
    /// The given folder, or the default one. `whole` is the default for the whole run.
    pub(super) fn folder(&self, named: Option<&PathBuf>, whole: PathBuf) -> PathBuf {
        named.cloned().unwrap_or_else(|| match self.part {
            Some(part) => part.folder(&whole),
            None => whole,
        })
    }

    /// The tournament with these options, and with its results in `out`.
    pub(super) fn session(
        &self,
        (tournament, warnings): (Tournament, Vec<Diagnostics>),
        out: PathBuf,
    ) -> Result<Session, Failure> {
        Ok(Session {
            tournament,
            warnings,
            out,
            force: self.force,
            display: self.display.clone(),
            machines: self.machines.machines()?,
            takes_apart: false,
            experiment: None,
        })
    }

    /// Plays the tournament, or the chosen part, and prints the outcome.
    pub(super) fn play(&self, session: Session) -> Result<(), Failure> {
        match self.part {
            Some(choice) => part_option::play(session, choice),
            None => session.play(),
        }
    }
}
