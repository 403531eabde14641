//! Finds out what wrote a folder or a CSV file, and makes its page.

use std::path::{Path, PathBuf};

use lmrlab_results::failure::Failure;
use lmrlab_results::folder::{ABLATION, GAMES, MANIFEST, RESULTS, SWEEP, TRIAL};
use lmrlab_results::manifest::RunKind;
use lmrlab_results::tuning::TuningView;
use lmrlab_runner::run::Run;

use crate::page::Page;
use crate::{computed, lab, tournament, tuning};

/// Reads a tuning run, finished or not. It is `lmrlab_tune::view`: this crate does not depend on that one.
pub type TuningReader = fn(&Path) -> Result<TuningView, Failure>;

/// The page of several results: the page of each. `games` are the games of the runs that can be replayed.
///
/// # Errors
/// When one of them is not a result of lmrlab, cannot be read, or has no game of such a number.
pub fn page(paths: &[PathBuf], games: &[u64], tuning: TuningReader) -> Result<Page, Failure> {
    let pages = paths.iter().map(|path| page_of(path, games, tuning));
    Ok(Page::joined(pages.collect::<Result<_, _>>()?))
}

/// The page of a folder or a CSV file, whatever command wrote it.
fn page_of(path: &Path, games: &[u64], tuning: TuningReader) -> Result<Page, Failure> {
    if !games.is_empty()
        && ![GAMES, RESULTS]
            .iter()
            .any(|journal| path.join(journal.name()).exists())
    {
        return Err(Failure::input(
            format!("`{}` has no {} to take a game from", path.display(), GAMES.name()),
            "games can be chosen from the folder of a match, tournament or race",
        ));
    }
    if path.join(MANIFEST.name()).exists() {
        let run = Run::open(path)?;
        return match run.manifest().kind {
            RunKind::Tournament if run.has_games() || run.manifest().part.is_some() => {
                let mut pages = vec![tournament::page(&run, run.is_running(), games)?];
                for rows in [ABLATION, SWEEP].map(|file| path.join(file.name())) {
                    if rows.is_file() {
                        pages.insert(0, lab::file(&rows)?);
                    }
                }
                Ok(Page::joined(pages))
            }
            RunKind::Tournament => computed::page(path, Some(&run)),
            RunKind::Tuning if path.join(TRIAL.name()).is_file() => lab::file(&path.join(TRIAL.name())),
            RunKind::Tuning => Ok(tuning::page(&run, &tuning(path)?)),
        };
    }
    if path.is_file() {
        return lab::file(path);
    }
    if !path.exists() {
        return Err(Failure::input(
            format!("`{}` does not exist", path.display()),
            "name the folder of a run, or a folder or CSV file of the lab",
        ));
    }
    if !path.is_dir() {
        return Err(Failure::input(
            format!("`{}` is a pipe or a device, not a file", path.display()),
            "name the folder of a run, or a folder or CSV file of the lab",
        ));
    }
    if computed::is_there(path) {
        return computed::page(path, None);
    }
    lab::folder(path)?.ok_or_else(|| unknown(path))
}

fn unknown(path: &Path) -> Failure {
    Failure::input(
        format!("`{}` holds no result of lmrlab", path.display()),
        format!(
            "name the folder of a run, of profile or of audit, or a CSV file of {}",
            lab::WRITERS
        ),
    )
}
