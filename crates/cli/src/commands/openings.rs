//! `lmrlab openings`: makes opening positions, and checks files of them.

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};
use lmrlab_engine::bench;
use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_policy::reference::PolicyReference;

use super::shared::lab_options::variant;
use super::shared::whole_number::count;
use crate::frame::output_files::refuse_existing;
use crate::frame::{Frame, Work, listen, print_err, print_warnings};
use crate::invocation::working_folder;
use crate::progress::SearchBar;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_lab::variant::Variant;
use lmrlab_lab::workers::JobProgress;
use lmrlab_results::output_file::OutputFile;
use lmrlab_results::project;
use lmrlab_runner::opening_maker::{self, Method, Recipe};
use lmrlab_runner::openings::Openings;

/// Greatest difference of a sensible move to the best, in centipawns.
const MARGIN: u32 = 20;
/// Nodes of the searches that find sensible moves.
const MOVE_NODES: u64 = 500;

/// Make opening positions, or check a file of them.
#[derive(Debug, Subcommand)]
pub(crate) enum Arguments {
    Make(Make),
    Check(Check),
}

/// Make openings: sensible or random moves, accepted when a search scores the position between bounds.
///
/// Examples:
///   lmrlab openings make --count 5000 --seed 1 --out my-book.epd
///   lmrlab openings make --method random --plies 8 --out wild.epd
///   lmrlab openings make --plies 12-16 --margin 15 --min-score 40 --max-score 90 --out unbalanced.epd
///
/// The file begins with comments that say how it was made. The same options, preset, policy and bench give the same
/// file, for any number of threads.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Make {
    /// How many.
    #[arg(long, default_value_t = 1000, value_parser = count(1..=1_000_000))]
    count: u64,
    /// How moves are chosen.
    #[arg(long, value_enum, default_value_t = MoveMethod::Played)]
    method: MoveMethod,
    /// Plies from the initial position: a number, or the least and the greatest [default: 8-10 played, 8 random].
    #[arg(long, value_name = "N|MIN-MAX", value_parser = plies)]
    plies: Option<RangeInclusive<u32>>,
    /// Played: greatest difference of a move to the best, in centipawns [default: 20].
    #[arg(long, value_name = "CENTIPAWNS", value_parser = clap::value_parser!(u32).range(0..=1_000))]
    margin: Option<u32>,
    /// Played: nodes of each search for a move [default: 500].
    #[arg(long, value_name = "NODES", value_parser = count(1..=u64::MAX))]
    move_nodes: Option<u64>,
    /// Least accepted score of the side that is ahead, in centipawns.
    #[arg(long, default_value_t = 0, value_name = "CENTIPAWNS", value_parser = clap::value_parser!(u32).range(0..=1_000))]
    min_score: u32,
    /// Greatest accepted score of the side that is ahead, in centipawns.
    #[arg(long, default_value_t = 40, value_name = "CENTIPAWNS", value_parser = clap::value_parser!(u32).range(0..=1_000))]
    max_score: u32,
    /// Nodes of the search that scores a position.
    #[arg(long, default_value_t = 50_000, value_parser = count(1..=u64::MAX))]
    nodes: u64,
    /// Seed of the choices.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Policy of the search.
    #[arg(long, default_value = "house")]
    policy: PolicyReference,
}

/// How moves are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MoveMethod {
    /// At random among the moves that a search scores near the best
    Played,
    /// At random among all legal moves
    Random,
}

fn plies(text: &str) -> Result<RangeInclusive<u32>, String> {
    let number = |text: &str| text.parse().ok().filter(|plies| (1..=40).contains(plies));
    let (least, greatest) = text.split_once('-').unwrap_or((text, text));
    match (number(least), number(greatest)) {
        (Some(least), Some(greatest)) if least <= greatest => Ok(least..=greatest),
        _ => Err("expected a number from 1 to 40, or two such as 8-10, the lesser first".to_owned()),
    }
}

impl Make {
    /// What the options ask for.
    fn recipe(&self) -> Result<Recipe, Failure> {
        if self.min_score > self.max_score {
            return Err(Failure::input(
                format!("--min-score {} is above --max-score {}", self.min_score, self.max_score),
                "name a greatest score that is not below the least",
            ));
        }
        let (method, usual_plies) = match self.method {
            MoveMethod::Played => {
                let method = Method::Played {
                    margin: self.margin.unwrap_or(MARGIN) as i32,
                    nodes: self.move_nodes.unwrap_or(MOVE_NODES),
                };
                (method, 8..=10)
            }
            MoveMethod::Random => {
                let given = [
                    ("--margin", self.margin.is_some()),
                    ("--move-nodes", self.move_nodes.is_some()),
                ];
                if let Some((option, _)) = given.into_iter().find(|(_, given)| *given) {
                    return Err(Failure::input(
                        format!("{option} has no effect on random moves"),
                        "leave it out, or choose --method played",
                    ));
                }
                (Method::Random, 8..=8)
            }
        };
        Ok(Recipe {
            count: self.count as usize,
            method,
            plies: self.plies.clone().unwrap_or(usual_plies),
            scores: self.min_score as i32..=self.max_score as i32,
            nodes: self.nodes,
            seed: self.seed,
        })
    }

    /// The header of the file: how it was made, with every option that it depends on.
    fn header(&self, recipe: &Recipe, preset: &str, bench: u64) -> String {
        let (least, greatest) = (recipe.plies.start(), recipe.plies.end());
        let plies = if least == greatest {
            least.to_string()
        } else {
            format!("{least}-{greatest}")
        };
        let (moves, method) = match recipe.method {
            Method::Played { margin, nodes } => (
                format!(
                    "each move drawn from those at most {margin} centipawns below the best in searches of {nodes} nodes"
                ),
                format!("--method played --plies {plies} --margin {margin} --move-nodes {nodes}"),
            ),
            Method::Random => (
                "each move drawn from all legal ones".to_owned(),
                format!("--method random --plies {plies}"),
            ),
        };
        let Self {
            min_score,
            max_score,
            nodes,
            ..
        } = self;
        let (preset, policy) = (quoted(preset), quoted(&self.policy.to_string()));
        format!(
            "# {count} openings without repeats: {plies} plies from the initial position, {moves}.\n\
             # Kept: positions without check whose |score| is {min_score} to {max_score} centipawns in a search of {nodes} nodes.\n\
             # Made with lmrlab {version}; bench of this preset and policy: {bench} nodes.\n\
             # lmrlab openings make --count {count} {method} --min-score {min_score} --max-score {max_score} --nodes {nodes} \
             --seed {seed} --preset {preset} --policy {policy}\n",
            count = recipe.count,
            seed = recipe.seed,
            version = env!("CARGO_PKG_VERSION"),
        )
    }
}

/// A word as a shell reads it.
pub(super) fn quoted(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), std::borrow::Cow::into_owned)
}

/// Check that every line of a file is an opening that can be played.
///
/// Example:
///   lmrlab openings check positions/book.epd
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Check {
    /// A file with one FEN or EPD a line, or a PGN.
    file: PathBuf,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    match arguments {
        Arguments::Make(make) => make_file(make, frame),
        Arguments::Check(check) => frame.text(|| checked(&check.file)),
    }
}

fn make_file(arguments: &Make, frame: &Frame) -> Result<(), Failure> {
    let options = &frame.options;
    let recipe = arguments.recipe()?;
    let out = frame.required_out()?;
    refuse_existing(Some(out), options.force)?;
    let Variant { policy, preset, .. } = variant(options, &arguments.policy)?;
    // The file is created before the work, so a folder that cannot be written is noticed at once.
    let file = OutputFile::create(out)?;
    let interrupt = listen(Work::Whole)?;
    let bar = SearchBar::new("openings");
    bar.begin(recipe.count);
    let threads = options.threads.map_or(0, NonZeroUsize::get);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Failure::run(format!("cannot start {threads} threads: {error}")))?;
    let openings = pool.install(|| {
        opening_maker::make(&recipe, &preset, &policy, interrupt.stop_flag(), |count| {
            if !options.quiet {
                bar.reach(count);
            }
        })
    });
    if openings.len() < recipe.count {
        let found = format!(
            "{} of {} openings found; nothing was written",
            openings.len(),
            recipe.count
        );
        if interrupt.is_requested() {
            print_err(&format!("Interrupted: {found}"));
            return Err(Failure::Interrupted);
        }
        return Err(Failure::run(format!(
            "hardly any new position has such a score: {found}"
        )));
    }
    let bench = bench::run(&preset, &policy, bench::DEFAULT_DEPTH).map_err(|error| Failure::run(error.to_string()))?;
    let mut text = arguments.header(&recipe, options.preset(), bench.nodes);
    for opening in &openings {
        text += &opening.epd();
        text.push('\n');
    }
    file.finish_with(&text)?;
    frame.print(&format!("{} openings in {}\n", openings.len(), out.display()));
    Ok(())
}

fn checked(file: &Path) -> Result<String, Failure> {
    let file = &project::typed_file(&working_folder()?, file);
    let (openings, variant, warnings) = Openings::load(file, None, None)?;
    print_warnings(&warnings);
    let of_variant = match variant {
        ChessVariant::Standard => "",
        ChessVariant::Chess960 => " of Chess960",
    };
    Ok(format!(
        "{}: {} openings{of_variant}, all playable\n",
        file.display(),
        openings.count()
    ))
}
