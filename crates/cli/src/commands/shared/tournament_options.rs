//! Options that `run` and `match` share.

use std::path::Path;

use clap::Args;
use lmrlab_diagnostics::Diagnostics;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_runner::parts::PartChoice;
use lmrlab_runner::tournament::Tournament;
use lmrlab_runner::tournament::pgn_style::PgnStyle;

use super::machines::machines;
use super::one_of::one_of;
use super::part_option;
use super::playing::Playing;
use crate::frame::Frame;

/// How a tournament is played, and what is recorded of it.
#[derive(Debug, Args)]
pub(crate) struct TournamentOptions {
    /// Keep each thread, with the engines that it starts, on a processor of its own (Linux) [default: when programs
    /// play by nodes or depth with a thread for each processor]
    #[arg(long, value_name = "true|false", num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    pub(crate) pin: Option<bool>,
    /// Play only part K of N, each with about as many pairs, in a folder of its own; `lmrlab merge` puts parts together.
    /// Repeated, the command resumes the part [default of --out: that of the whole run with -parts/K-of-N at its end]
    #[arg(long, value_name = "K/N", conflicts_with_all = ["json_lines", "report", "log", "executor"])]
    pub(crate) part: Option<PartChoice>,
    /// Comments in games.pgn: full (score, depth, nodes, time of each move), compact (no comments), or none (no file)
    #[arg(long, value_name = "STYLE", value_parser = one_of(&PgnStyle::NAMES))]
    pub(crate) pgn: Option<PgnStyle>,
}

impl TournamentOptions {
    /// Plays the tournament, or the chosen part, and prints the outcome. `whole` is the usual folder of the whole run.
    pub(crate) fn play(
        &self,
        found: (Tournament, Vec<Diagnostics>),
        whole: &Path,
        frame: &Frame,
    ) -> Result<(), Failure> {
        let playing = self.playing(found, whole, frame)?;
        match self.part {
            Some(choice) => part_option::play(playing, choice, frame),
            None => playing.play(frame),
        }
    }

    /// The tournament with these options, and with its results in the folder that the user names, or in the usual one.
    pub(crate) fn playing(
        &self,
        (tournament, warnings): (Tournament, Vec<Diagnostics>),
        whole: &Path,
        frame: &Frame,
    ) -> Result<Playing, Failure> {
        Ok(Playing {
            warnings,
            out: part_option::results(self.part, whole, &frame.options),
            machines: machines(&frame.options, None)?,
            ..Playing::of(tournament)
        })
    }
}
