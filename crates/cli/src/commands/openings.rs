//! `lmrlab openings`: makes opening positions, and checks files of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use lmrlab_engine::preset::Preset;
use lmrlab_policy::reference::PolicyReference;

use super::{print_out, print_warnings};
use crate::output_files::refuse_existing;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::opening_maker::{self, Recipe};
use lmrlab_runner::openings::Openings;
use lmrlab_runner::project;

/// Makes or checks openings.
#[derive(Debug, Subcommand)]
#[command(about = "Make opening positions, or check a file of them")]
pub(crate) enum Arguments {
    /// Make openings: random legal plies, kept when a search says that neither side is far ahead.
    Make(Make),
    /// Check that every line of a file is an opening that can be played.
    Check(Check),
}

/// What openings to make.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  lmrlab openings make --count 2000 --seed 1 --out my-openings.epd")]
pub(crate) struct Make {
    /// How many.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: u32,
    /// Random plies from the initial position.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=40))]
    plies: u32,
    /// Greatest score of either side that is kept, in centipawns.
    #[arg(long, default_value_t = 40, value_name = "CENTIPAWNS", value_parser = clap::value_parser!(u32).range(0..=1_000))]
    max_score: u32,
    /// Nodes of the search that scores a position.
    #[arg(long, default_value_t = 50_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Seed of the random plies.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Search preset.
    #[arg(long, default_value = "standard")]
    preset: String,
    /// Policy of the search.
    #[arg(long, default_value = "mediocre-2007")]
    policy: PolicyReference,
    /// The file to write; one that exists is not overwritten without --force.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Overwrite the file.
    #[arg(long)]
    force: bool,
}

/// Which file to check.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  lmrlab openings check positions/openings.epd")]
pub(crate) struct Check {
    /// A file with one FEN or EPD a line.
    file: PathBuf,
}

/// Runs the command.
///
/// # Errors
/// On wrong input, on a file that is there already or cannot be written, and when the recipe yields too few positions.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match arguments {
        Arguments::Make(make) => make_file(make),
        Arguments::Check(check) => check_file(&check.file),
    }
}

fn make_file(arguments: &Make) -> Result<(), Failure> {
    let out = &arguments.out;
    refuse_existing([out], arguments.force)?;
    let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    let root = project::root(&here, None);
    let input = |diagnostics| Failure::Input(vec![diagnostics]);
    let (preset, _) = Preset::resolve(&arguments.preset, &root).map_err(input)?;
    let (policy, _) = arguments.policy.resolve(&root).map_err(input)?;
    let recipe = Recipe {
        count: arguments.count as usize,
        plies: arguments.plies,
        max_score: arguments.max_score as i32,
        nodes: arguments.nodes,
        seed: arguments.seed,
    };
    let file = UnfinishedFile::create(out)?;
    let stop = Arc::new(AtomicBool::new(false));
    let setter = Arc::clone(&stop);
    // Without a handler an interrupt ends the program at once, which loses nothing that was promised either.
    let _ = ctrlc::set_handler(move || setter.store(true, Ordering::Relaxed));

    let bar = ProgressBar::new(recipe.count as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} openings, {eta} left") {
        bar.set_style(style);
    }
    let openings = opening_maker::make(&recipe, &Arc::new(preset), &Arc::new(policy), &stop, |count| {
        bar.set_position(count as u64);
    });
    bar.finish_and_clear();
    if openings.len() < recipe.count {
        let reason = if stop.load(Ordering::Relaxed) {
            "interrupted"
        } else {
            "hardly any position is as balanced as asked"
        };
        return Err(Failure::Run(format!(
            "{reason}: {} of {} openings found; nothing was written",
            openings.len(),
            recipe.count
        )));
    }
    let text: String = openings.iter().map(|opening| opening.epd() + "\n").collect();
    file.finish(&text)?;
    print_out(&format!("{} openings in {}\n", openings.len(), out.display()));
    Ok(())
}

/// A file that gets its name when it is whole. Created before the work begins, so that a folder that cannot be written
/// is noticed at once; gone when the work ends without a result.
pub(super) struct UnfinishedFile {
    partial: PathBuf,
    whole: PathBuf,
}

impl UnfinishedFile {
    pub(super) fn create(whole: &Path) -> Result<Self, Failure> {
        let mut name = whole.file_name().unwrap_or_default().to_owned();
        name.push(".partial");
        let file = Self {
            partial: whole.with_file_name(name),
            whole: whole.to_owned(),
        };
        std::fs::write(&file.partial, "").map_err(|error| {
            Failure::input(
                format!("cannot write `{}`: {error}", whole.display()),
                "name a file in a folder that can be written",
            )
        })?;
        Ok(file)
    }

    pub(super) fn finish(self, text: &str) -> Result<(), Failure> {
        std::fs::write(&self.partial, text)
            .and_then(|()| std::fs::rename(&self.partial, &self.whole))
            .map_err(|error| Failure::write(&self.whole, &error))
    }
}

impl Drop for UnfinishedFile {
    fn drop(&mut self) {
        // After `finish` it is there no more.
        let _ = std::fs::remove_file(&self.partial);
    }
}

fn check_file(file: &Path) -> Result<(), Failure> {
    let (openings, warnings) = Openings::load(file, None).map_err(|diagnostics| Failure::Input(vec![diagnostics]))?;
    print_warnings(&warnings);
    print_out(&format!(
        "{}: {} openings, all playable\n",
        file.display(),
        openings.count()
    ));
    Ok(())
}
