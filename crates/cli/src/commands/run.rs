//! `lmrlab run`: plays a tournament file.

use std::path::PathBuf;

use clap::{Args, value_parser};

use super::shared::tournament_options::TournamentOptions;
use crate::frame::Frame;
use crate::invocation::working_folder;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::folder::folder_name;
use lmrlab_results::project::{self, Runnable};
use lmrlab_runner::tournament;
use lmrlab_runner::tournament::defaults::MAX_START;

/// Play a tournament: match, round robin, gauntlet or race.
///
/// Examples:
///   lmrlab run quickstart --threads 2
///   lmrlab run configs/tournaments/quickstart.toml --out results/again
///   lmrlab run quickstart --part 3/64 --out parts/3
///
/// The results go to results/NAME in the project of the working directory, or in the working directory. A name is that of a file in configs/tournaments, of the project or built in. Names and relative paths in the file
/// start from the root of the project: the nearest folder, from the working directory upwards, that has
/// configs/policies, configs/engines, configs/tournaments or configs/tuning. Outside of any project they start from
/// where the tournament file is. Ctrl-C finishes the running pairs and saves them; a second Ctrl-C stops at once.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Arguments {
    /// The tournament: a file, or a name in configs/tournaments; quickstart.toml there explains its keys
    file: PathBuf,
    /// Seed of the order of the openings [default: the file's, or 0]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Begin with the N-th opening of the order; those before it come after the last one [default: the file's, or 1]
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=MAX_START))]
    start: Option<u64>,
    #[command(flatten)]
    options: TournamentOptions,
}

/// Plays the tournament and prints its outcome.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    let options = &arguments.options;
    let working = working_folder()?;
    let (source, root) = (Runnable::TOURNAMENT.read(&working, &arguments.file))?;
    let found = tournament::load(source, &root, |description| {
        let conditions = &mut description.conditions;
        conditions.threads = frame.options.threads.or(conditions.threads);
        conditions.openings.start = arguments.start.unwrap_or(conditions.openings.start);
        conditions.seed = arguments.seed.unwrap_or(conditions.seed);
        conditions.faults_allowed = frame.options.faults_allowed.unwrap_or(conditions.faults_allowed);
        description.pgn = options.pgn.unwrap_or(description.pgn);
        description.pin = options.pin.or(description.pin);
    })?;
    let whole = project::results(&working).join(folder_name(&found.0.description.name));
    options.play(found, &whole, frame)
}
