//! Finds out what wrote a folder or a CSV file, and makes its page.

use std::path::Path;

use lmrlab_runner::failure::Failure;
use lmrlab_runner::record::folder::{GAMES, MANIFEST};
use lmrlab_runner::record::manifest::RunKind;
use lmrlab_runner::run::Run;

use crate::page::Page;
use crate::{computed, tournament};

/// The page of a folder or a CSV file, whatever command wrote it.
///
/// # Errors
/// When lmrlab cannot have written it, or it cannot be read.
pub fn page(path: &Path) -> Result<Page, Failure> {
    page_with_games(path, &[])
}

/// The same; these games of a run can be replayed on its page.
///
/// # Errors
/// As [`page`], and when a run has no game of such a number.
pub fn page_with_games(path: &Path, games: &[u64]) -> Result<Page, Failure> {
    if path.join(MANIFEST.name()).exists() {
        let run = Run::open(path)?;
        return match run.manifest().kind {
            RunKind::Tournament if path.join(GAMES.name()).exists() => tournament::page(&run, run.goes_on(), games),
            RunKind::Tournament => computed::page(path, Some(&run)),
            RunKind::Tuning => Err(unknown(path)),
        };
    }
    if computed::is_there(path) {
        return computed::page(path, None);
    }
    Err(unknown(path))
}

fn unknown(path: &Path) -> Failure {
    Failure::input(
        format!("`{}` holds no result of lmrlab", path.display()),
        "name the folder of a run, or a folder or CSV file that `profile`, `audit`, `ablate`, `sweep`, `factorial`, `suite` or \
         `bench` wrote",
    )
}
