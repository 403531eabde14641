//! Finds out what wrote a folder, and makes its page.

use std::path::{Path, PathBuf};

use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::folder::{GAMES, MANIFEST};
use lmrlab_results::manifest::RunKind;
use lmrlab_results::outcome::Outcome;
use lmrlab_runner::run::Run;

use crate::page::Page;
use crate::{outcome, tournament};

/// Reads a folder with the outcome of a command; `None` when it has another result. This crate does not depend on those that found
/// the outcomes.
pub type Open = fn(&Path) -> Result<Option<Outcome>, Failure>;

/// The page of several results: the page of each. `games` are the games of the runs that can be replayed.
///
/// # Errors
/// When one of them is not a result of lmrlab, cannot be read, or has no game of such a number.
pub fn page(paths: &[PathBuf], games: &[u64], open: Open) -> Result<Page, Failure> {
    let pages = paths.iter().map(|path| page_of(path, games, open));
    Ok(Page::joined(pages.collect::<Result<_, _>>()?))
}

/// The page of a folder, whatever command wrote it.
fn page_of(path: &Path, games: &[u64], open: Open) -> Result<Page, Failure> {
    if !games.is_empty() && !path.join(GAMES.name()).exists() {
        return Err(Failure::input(
            format!("`{}` has no {} to take a game from", path.display(), GAMES.name()),
            "games can be chosen from the folder of a run",
        ));
    }
    if let Some(outcome) = open(path)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let page = outcome::page(&outcome, &name);
        return Ok(match Run::open(path) {
            // The games of an ablation or a sweep.
            Ok(run) if run.manifest().kind == RunKind::Tournament => {
                Page::joined(vec![page, tournament::page(&run, games)?])
            }
            Ok(run) => outcome::of_run(tournament::with_games(page, &run, games)?, &run),
            Err(_) => page,
        });
    }
    if path.join(MANIFEST.name()).exists() {
        let run = Run::open(path)?;
        return match run.manifest().kind {
            RunKind::Tournament => tournament::page(&run, games),
            RunKind::Tuning => Err(unknown(path)),
        };
    }
    if lmrlab_runner::outcome::has_files(path) {
        return Ok(outcome::page(&lmrlab_runner::outcome::of_files(path)?, ""));
    }
    Err(unknown(path))
}

fn unknown(path: &Path) -> Failure {
    let shown = path.display();
    let what = match (path.exists(), path.is_dir()) {
        (false, _) => format!("`{shown}` does not exist"),
        (true, false) => format!("`{shown}` is not a folder"),
        (true, true) => format!("`{shown}` holds no result of lmrlab"),
    };
    Failure::input(
        what,
        "name the folder of a run, or one that another command wrote with `--out`",
    )
}
