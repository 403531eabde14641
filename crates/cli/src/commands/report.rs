//! `lmrlab report`: a result as one HTML file.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use super::print_out;
use crate::pages;
use lmrlab_report::png::Painter;
use lmrlab_report::results;
use lmrlab_runner::failure::Failure;

/// Which results, and where their page goes.
#[derive(Debug, Args)]
#[command(
    about = "Write a result as one HTML file with its pictures",
    after_help = "\
Examples:
  lmrlab report results/quickstart
  lmrlab report results/quickstart --out page.html --svg pictures
  lmrlab report results/long-run --follow --open
  lmrlab report results/audit
  lmrlab report ablation.csv sweep.csv --out lab.html
  lmrlab report results/quickstart --game 389 --game 390

The page opens from disk and asks for nothing else. It holds every number and picture of the result; its games can be \
replayed on a board: those that a fault ended, then the first ones, until the page is full. `--game` puts others first."
)]
pub(crate) struct Arguments {
    /// Folders of runs, or folders and CSV files that other commands wrote
    #[arg(required = true, value_name = "DIR")]
    results: Vec<PathBuf>,
    /// The page to write [default: report.html in the folder, or beside the file]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write the page anew while the run goes on, until it has ended; the page reads itself anew, too
    #[arg(long)]
    follow: bool,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Put this game on the page of a run, by its number in games.csv; may be repeated
    #[arg(long, value_name = "NUMBER")]
    game: Vec<u64>,
    /// Write each picture as an SVG file into this folder
    #[arg(long, value_name = "FOLDER")]
    svg: Option<PathBuf>,
    /// Write each picture as a PNG file into this folder
    #[arg(long, value_name = "FOLDER")]
    png: Option<PathBuf>,
}

/// Writes the page.
///
/// # Errors
/// When a result cannot be read, or a file cannot be written.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let painter = arguments.png.as_ref().map(|_| Painter::new()).transpose();
    let painter = painter.map_err(|error| Failure::Run(error.to_string()))?;
    let out = arguments.out.clone().unwrap_or_else(|| usual_place(&arguments.results));
    let mut begun = Instant::now();
    let mut page = results::pages(&arguments.results, &arguments.game)?;
    pages::write(&page, &out)?;
    print_out(&format!("The page is {}\n", out.display()));
    if arguments.open {
        pages::open(&out)?;
    }
    while arguments.follow && page.reload_seconds.is_some() {
        std::thread::sleep(pages::pause(begun.elapsed()));
        begun = Instant::now();
        page = results::pages(&arguments.results, &arguments.game)?;
        pages::write(&page, &out)?;
    }
    if let Some(folder) = &arguments.svg {
        pages::write_pictures(&page, folder)?;
    }
    if let (Some(folder), Some(painter)) = (&arguments.png, &painter) {
        for picture in page.pictures() {
            let png = painter.png(picture).map_err(|error| Failure::Run(error.to_string()))?;
            pages::write_in(folder, &format!("{}.png", picture.id), &png)?;
        }
    }
    Ok(())
}

/// Where a page goes when nobody says.
fn usual_place(results: &[PathBuf]) -> PathBuf {
    match results {
        [one] => pages::beside(one),
        _ => PathBuf::from("report.html"),
    }
}
