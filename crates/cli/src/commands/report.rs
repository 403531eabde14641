//! `lmrlab report`: a result as one HTML file.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;

use crate::frame::{Frame, pages};
use lmrlab_diagnostics::failure::Failure;
use lmrlab_runner::run::Run;

/// Write a result as one HTML file with its pictures.
///
/// Examples:
///   lmrlab report results/quickstart
///   lmrlab report results/quickstart --out page.html --svg pictures
///   lmrlab report results/long-run --follow
///   lmrlab report results/audit
///   lmrlab report results/ablation results/sweep --out lab.html
///   lmrlab report results/quickstart --game 389 --game 390
///
/// The page opens from disk and asks for nothing else. It holds every number and picture of the result; its games can
/// be replayed on a board: those that a fault ended, then the first ones, until the page is full. `--game` puts others
/// first.
///
/// `--follow` ends when no process plays the run any more. The exit status is 1 when it has stopped before its end.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Arguments {
    /// Folders of runs, or folders that other commands wrote
    #[arg(required = true, value_name = "DIR")]
    results: Vec<PathBuf>,
    /// Update the page until the run has ended; an open page reloads itself
    #[arg(long)]
    follow: bool,
    /// Put this game on the page of a run, by its number in games.csv; may be repeated
    #[arg(long, value_name = "NUMBER")]
    game: Vec<u64>,
    /// Write each picture as an SVG file into this folder
    #[arg(long, value_name = "FOLDER")]
    svg: Option<PathBuf>,
}

/// Writes the page.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    let out = frame.page_file(|| usual_place(&arguments.results));
    let mut begun = Instant::now();
    let mut page = pages::pages(&arguments.results, &arguments.game)?;
    frame.page(&page, &out)?;
    let runs: Vec<Run> = arguments
        .results
        .iter()
        .filter_map(|folder| Run::open(folder).ok())
        .collect();
    while arguments.follow && page.reload_seconds.is_some() {
        wait(&runs, pages::pause(begun.elapsed()));
        begun = Instant::now();
        page = pages::pages(&arguments.results, &arguments.game)?;
        pages::write(&page, &out)?;
    }
    if let Some(folder) = &arguments.svg {
        pages::write_pictures(&page, folder)?;
    }
    if arguments.follow {
        runs.iter().try_for_each(refuse_stopped)
    } else {
        Ok(())
    }
}

/// Time between two checks whether a run is still being played.
const LOOK: Duration = Duration::from_millis(500);

/// Waits before the next page, but not longer than the runs are being played.
fn wait(runs: &[Run], pause: Duration) {
    let begun = Instant::now();
    while begun.elapsed() < pause && runs.iter().any(Run::is_running) {
        std::thread::sleep(LOOK.min(pause));
    }
}

/// Refuses a run that has not ended and that no process plays.
fn refuse_stopped(run: &Run) -> Result<(), Failure> {
    if run.has_ended()? {
        return Ok(());
    }
    let shown = run.folder().display();
    Err(Failure::run(format!(
        "the run in `{shown}` has stopped before its end; the page shows the recorded games. Resume the run with `lmrlab resume \
         {shown}`"
    )))
}

/// The default place of a page.
fn usual_place(results: &[PathBuf]) -> PathBuf {
    match results {
        [one] => pages::of_run(one),
        _ => PathBuf::from("report.html"),
    }
}
