//! `lmrlab run`: plays a tournament file.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::machines::MachineOptions;
use super::part_option::{self, PartChoice};
use super::tournament_session::{Display, Session, Tolerance, pgn_style, threads};
use crate::invocation::working_folder;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::project::{self, Runnable};
use lmrlab_runner::record::folder::folder_name;
use lmrlab_runner::tournament;
use lmrlab_runner::tournament::pgn_style::PgnStyle;

/// What to play.
#[derive(Debug, Args)]
#[command(
    about = "Play a tournament: match, round robin, gauntlet or race",
    after_help = "\
Examples:
  lmrlab run quickstart --threads 2
  lmrlab run configs/tournaments/quickstart.toml --out results/again
  lmrlab run quickstart --part 3/64 --out parts/3

A name is that of a file in configs/tournaments, of the project or built in. Names and relative paths in the file start \
from the root of the project: the nearest folder, from the working directory upwards, that has configs/policies, \
configs/engines, configs/tournaments or configs/tuning. Outside of any project they start from where the tournament file \
is. Ctrl-C finishes the running pairs and keeps what was played; twice stops at once."
)]
pub(crate) struct Arguments {
    /// The tournament: a file, or a name in configs/tournaments; quickstart.toml there explains its keys
    file: PathBuf,
    /// Keep each thread, with the engines that it starts, on a processor of its own (Linux) [default: when programs
    /// play by nodes or depth with a thread for each processor]
    #[arg(long, value_name = "true|false", num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    pin: Option<bool>,
    /// Where the results go [default: results/NAME in the project of the working directory, or in the working directory]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Games to play in parallel [default: the file's, or all cores]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<NonZeroUsize>,
    /// Seed of the order of the openings [default: the file's, or 0]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Play only part K of N, of about as many pairs each, in a folder of its own; `lmrlab merge` puts parts together. Started
    /// again, it goes on or says that it is done [default of --out: results/NAME-parts/K-of-N]
    #[arg(long, value_name = "K/N", conflicts_with_all = ["json_lines", "every", "report", "executor"])]
    part: Option<PartChoice>,
    /// Replace the results of an earlier run
    #[arg(long)]
    force: bool,
    /// Comments in games.pgn: full (score, depth, nodes, time of each move), compact (no comments), or none (no file)
    #[arg(long, value_name = "STYLE", value_parser = pgn_style)]
    pgn: Option<PgnStyle>,
    #[command(flatten)]
    tolerance: Tolerance,
    #[command(flatten)]
    machines: MachineOptions,
    #[command(flatten)]
    display: Display,
}

/// Plays the tournament and prints its outcome.
///
/// # Errors
/// When the file or anything that it names is wrong, and when the run fails.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let working = working_folder()?;
    let (source, root) =
        (Runnable::TOURNAMENT.read(&working, &arguments.file)).map_err(|report| Failure::Input(vec![report]))?;
    let (tournament, warnings) = tournament::load(source, &root, |description| {
        let conditions = &mut description.conditions;
        conditions.threads = arguments.threads.or(conditions.threads);
        conditions.seed = arguments.seed.unwrap_or(conditions.seed);
        conditions.faults_allowed = arguments.tolerance.faults_allowed.unwrap_or(conditions.faults_allowed);
        description.pgn = arguments.pgn.unwrap_or(description.pgn);
        description.pin = arguments.pin.or(description.pin);
    })?;
    let out = arguments.out.clone().unwrap_or_else(|| {
        let out = project::results(&working).join(folder_name(&tournament.description.name));
        arguments.part.map_or(out.clone(), |part| part.folder(&out))
    });
    let session = Session {
        tournament,
        warnings,
        out,
        force: arguments.force,
        display: arguments.display.clone(),
        machines: arguments.machines.machines()?,
        takes_apart: false,
        prints_summary: true,
    };
    match arguments.part {
        Some(choice) => part_option::play(session, choice),
        None => session.play(),
    }
}
