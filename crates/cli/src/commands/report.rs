//! `lmrlab report`: a result as one HTML file.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use super::print_out;
use lmrlab_report::page::Page;
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
    let pages = arguments
        .results
        .iter()
        .map(|path| results::page_with_games(path, &arguments.game))
        .collect::<Result<Vec<_>, _>>()?;
    let page = Page::joined(pages);
    let out = arguments.out.clone().unwrap_or_else(|| usual_place(&arguments.results));
    write(&out, page.html().as_bytes())?;
    for picture in page.pictures() {
        if let Some(folder) = &arguments.svg {
            write_in(folder, &format!("{}.svg", picture.id), picture.file(false).as_bytes())?;
        }
        if let (Some(folder), Some(painter)) = (&arguments.png, &painter) {
            let png = painter.png(picture).map_err(|error| Failure::Run(error.to_string()))?;
            write_in(folder, &format!("{}.png", picture.id), &png)?;
        }
    }
    print_out(&format!("The page is {}\n", out.display()));
    Ok(())
}

/// Where a page goes when nobody says.
fn usual_place(results: &[PathBuf]) -> PathBuf {
    match results {
        [one] if one.is_dir() => one.join("report.html"),
        [one] => one.with_extension("html"),
        _ => PathBuf::from("report.html"),
    }
}

fn write_in(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| Failure::write(folder, &error))?;
    write(&folder.join(name), bytes)
}

fn write(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    fs::write(file, bytes).map_err(|error| Failure::write(file, &error))
}
