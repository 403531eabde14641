//! `lmrlab tune eval`: fits the weights of the evaluation to games of self-play.

mod judge;
mod network_file;
mod train;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use lmrlab_engine::position::Position;
use lmrlab_engine::preset::Preset;
use lmrlab_policy::reference::PolicyReference;

use super::super::out_option::OutOption;
use crate::print::{print_err, print_out};
use crate::stop_signal::on_stop;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::openings::Openings;
use lmrlab_runner::output_file::{self, OutputFile};
use lmrlab_runner::project;
use lmrlab_runner::record::folder::{GAMES, ResultsFolder};
use lmrlab_runner::tournament::defaults::DEFAULT_OPENINGS;
use lmrlab_tune::evaluation::collect;
use lmrlab_tune::evaluation::fit::{self, Losses, Options};
use lmrlab_tune::evaluation::generate::{self, Recipe};
use lmrlab_tune::evaluation::samples::{self, Sample};
use lmrlab_tune::evaluation::selection::Selection;
use lmrlab_tune::evaluation::weights_file::{self, Origin};

/// The steps of tuning the evaluation.
#[derive(Debug, Subcommand)]
pub(crate) enum Step {
    /// Play games, and write quiet positions with the results of their games.
    Generate(Generate),
    /// Write quiet positions from the games of runs that were played already.
    Collect(Collect),
    /// Fit the weights to such positions, and write them as Rust source of the engine.
    Fit(Fit),
    /// Train the neural network on such positions, and write its file for the engine.
    Train(train::Train),
    /// Judge networks by positions that none of them learned from.
    Judge(judge::Judge),
}

/// The games to play.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  lmrlab tune eval generate --games 30000 --nodes 1500 --seed 1 --out positions.csv")]
pub(crate) struct Generate {
    /// Number of games.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    games: u64,
    /// Nodes per move.
    #[arg(long, default_value_t = 1500, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Maximum number of random plies after an opening.
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(0..=40))]
    random_plies: u32,
    #[command(flatten)]
    selection: SelectionOptions,
    /// Seed of the random choices.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The openings, one FEN or EPD per line.
    #[arg(long, value_name = "FILE", default_value = DEFAULT_OPENINGS)]
    openings: PathBuf,
    /// Search preset.
    #[arg(long, default_value = "standard")]
    preset: String,
    /// Policy.
    #[arg(long, default_value = "mediocre-2007")]
    policy: PolicyReference,
    /// Games to play in parallel; 0 for one per core.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1024))]
    threads: u32,
    #[command(flatten)]
    out: OutOption,
}

/// The runs whose games to take.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  lmrlab tune eval collect results/features results/best --out positions.csv")]
pub(crate) struct Collect {
    /// Folders of runs.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    #[command(flatten)]
    selection: SelectionOptions,
    /// Seed of the random choices.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    out: OutOption,
}

/// Which positions of a game to keep.
#[derive(Debug, Args)]
pub(crate) struct SelectionOptions {
    /// Plies to skip at the start of each game.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=200))]
    skip: u32,
    /// Maximum score of a position, in centipawns for either side.
    #[arg(long, default_value_t = 700, value_name = "CENTIPAWNS", value_parser = clap::value_parser!(u32).range(0..=10_000))]
    max_score: u32,
    /// Maximum number of positions per game.
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=400))]
    per_game: u32,
}

impl SelectionOptions {
    fn selection(&self) -> Selection {
        Selection {
            skipped_plies: self.skip,
            max_score: self.max_score as i32,
            per_game: self.per_game as usize,
        }
    }
}

/// The positions and the settings of the fit.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  lmrlab tune eval fit positions.csv --out crates/engine/src/weights/values.rs --force"
)]
pub(crate) struct Fit {
    /// Files of positions.
    #[arg(required = true, value_name = "FILE")]
    positions: Vec<PathBuf>,
    /// Weight of the game's result in the target; the rest is the weight of the search's score.
    #[arg(long, default_value_t = 0.5, value_name = "SHARE", value_parser = share)]
    result_share: f64,
    /// Maximum number of passes over the positions.
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    epochs: u32,
    /// Stop after so many passes without a better validation loss.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    patience: u32,
    /// First step of the optimiser, in centipawns.
    #[arg(long, default_value_t = 0.1, value_name = "CENTIPAWNS", value_parser = positive)]
    step: f64,
    /// Strength of the pull to the present weights, in positions.
    #[arg(long, default_value_t = 50.0, value_name = "POSITIONS", value_parser = positive)]
    prior: f64,
    /// Seed of the order of positions.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; 0 for one per core. The weights do not depend on it.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1024))]
    threads: u32,
    #[command(flatten)]
    out: OutOption,
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("expected a number from 0 to 1".to_owned()),
    }
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (1e-6..=1e6).contains(&number) => Ok(number),
        _ => Err("expected a number from 0.000001 to 1000000".to_owned()),
    }
}

/// Runs the command.
///
/// # Errors
/// On wrong input, and on a file that is there already or cannot be written.
pub(crate) fn run(step: &Step) -> Result<(), Failure> {
    match step {
        Step::Generate(arguments) => generate(arguments),
        Step::Collect(arguments) => collect_positions(arguments),
        Step::Fit(arguments) => fit_weights(arguments),
        Step::Train(arguments) => train::run(arguments),
        Step::Judge(arguments) => judge::run(arguments),
    }
}

/// Runs `work` on so many threads; 0 stands for one per core.
pub(in super::super) fn on_threads<T: Send>(threads: u32, work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads as usize)
        .build()
        .map_err(|error| Failure::run(format!("cannot start {threads} threads: {error}")))?;
    Ok(pool.install(work))
}

fn generate(arguments: &Generate) -> Result<(), Failure> {
    arguments.out.refuse_existing()?;
    let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    let root = project::root(&here, None);
    let input = |diagnostics| Failure::Input(vec![diagnostics]);
    let (preset, _) = Preset::resolve(&arguments.preset, &root).map_err(input)?;
    let (policy, _) = arguments.policy.resolve(&root).map_err(input)?;
    let (openings, _) = Openings::load(&project::file(&root, &arguments.openings), None).map_err(input)?;
    let openings: Vec<Position> = (0..openings.count())
        .filter_map(|index| Position::from_fen(openings.fen(index)?).ok())
        .collect();
    let recipe = Recipe {
        games: arguments.games,
        nodes: arguments.nodes,
        random_plies: arguments.random_plies,
        selection: arguments.selection.selection(),
        seed: arguments.seed,
    };
    let mut file = OutputFile::create(&arguments.out.path)?;
    let stop = Arc::new(AtomicBool::new(false));
    let setter = Arc::clone(&stop);
    // Without a handler an interrupt ends the program at once; all finished batches are written already.
    let _ = on_stop(move || setter.store(true, Ordering::Relaxed));
    let bar = progress(recipe.games, "games");
    let (mut games, mut positions) = (0, 0);
    let (preset, policy) = (Arc::new(preset), Arc::new(policy));
    let written = on_threads(arguments.threads, || {
        generate::generate(&recipe, &openings, &preset, &policy, &stop, |played, found| {
            samples::write(&found, games == 0, &mut file)?;
            games = played;
            positions += found.len();
            bar.set_position(played);
            Ok::<_, csv::Error>(())
        })
    })?;
    bar.finish_and_clear();
    // What was written before a failure is worth its name, too.
    file.finish()?;
    written.map_err(|error| Failure::write(&arguments.out.path, &std::io::Error::from(error)))?;
    print_out(&format!(
        "{positions} positions of {games} games in {}\n",
        arguments.out.path.display()
    ));
    Ok(())
}

fn collect_positions(arguments: &Collect) -> Result<(), Failure> {
    arguments.out.refuse_existing()?;
    let folders: Vec<ResultsFolder> = arguments
        .runs
        .iter()
        .map(|run| ResultsFolder::to_read(run))
        .collect::<Result<_, _>>()?;
    let mut file = OutputFile::create(&arguments.out.path)?;
    let selection = arguments.selection.selection();
    let (mut games, mut positions) = (0, 0);
    for folder in &folders {
        let journal = folder.file(GAMES);
        games = collect::collect(&journal, games, &selection, arguments.seed, |found| {
            samples::write(&found, positions == 0, &mut file)
                .map_err(|error| Failure::write(&arguments.out.path, &std::io::Error::from(error)))?;
            positions += found.len();
            Ok(())
        })?;
    }
    file.finish()?;
    print_out(&format!(
        "{positions} positions of {games} games in {}\n",
        arguments.out.path.display()
    ));
    Ok(())
}

/// Reads files of positions. The games of each get numbers of their own.
fn load(files: &[PathBuf]) -> Result<Vec<(Sample, Position)>, Failure> {
    let mut all = Vec::new();
    let mut games = 0;
    for file in files {
        let mut found = samples::load(file)?;
        let next = found
            .iter()
            .map(|(sample, _)| sample.game.saturating_add(1))
            .max()
            .unwrap_or(0);
        for (sample, _) in &mut found {
            sample.game = sample.game.saturating_add(games);
        }
        games = games.saturating_add(next);
        all.append(&mut found);
    }
    Ok(all)
}

fn fit_weights(arguments: &Fit) -> Result<(), Failure> {
    arguments.out.refuse_existing()?;
    let all = load(&arguments.positions)?;
    let options = Options {
        result_share: arguments.result_share,
        epochs: arguments.epochs,
        patience: arguments.patience,
        step: arguments.step,
        prior: arguments.prior,
        seed: arguments.seed,
    };
    let fitted = on_threads(arguments.threads, || {
        fit::fit(&all, &options, |epoch, loss| {
            print_err(&format!("pass {epoch}: validation loss {loss:.6}"));
        })
    })?;
    let fitted = fitted.ok_or_else(too_few_positions)?;
    let command = command_line();
    let mut numbers: Vec<u64> = all.iter().map(|(sample, _)| sample.game).collect();
    numbers.dedup();
    let origin = Origin {
        command,
        games: numbers.len(),
    };
    output_file::write(&arguments.out.path, weights_file::text(&fitted, &origin))?;
    let line = |name: &str, losses: Losses| {
        format!(
            "{name:<11} {:>9} positions, mean loss {:.6} -> {:.6}\n",
            losses.positions, losses.before, losses.after
        )
    };
    print_out(&line("training", fitted.training));
    print_out(&line("validation", fitted.validation));
    print_out(&format!(
        "best after {} passes, logistic curve {:.6} per centipawn, rescaled by {:.4}; weights in {}\n",
        fitted.epochs,
        fitted.curve,
        fitted.rescaled_by,
        arguments.out.path.display()
    ));
    Ok(())
}

fn too_few_positions() -> Failure {
    Failure::input(
        "too few positions to fit and to validate",
        "generate positions of a few thousand games with `lmrlab tune eval generate`",
    )
}

/// The command line of this program.
fn command_line() -> String {
    std::env::args()
        .skip(1)
        .fold("lmrlab".to_owned(), |line, word| line + " " + &word)
}

fn progress(length: u64, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    let template = format!("{{bar:40}} {{pos}}/{{len}} {what}, {{eta}} left");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar
}
