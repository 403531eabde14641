//! Finds out what wrote a folder or a CSV file, and makes its page.

use std::path::Path;

use lmrlab_runner::failure::Failure;
use lmrlab_runner::record::folder::{GAMES, MANIFEST};
use lmrlab_runner::record::manifest::RunKind;
use lmrlab_runner::run::Run;

use crate::page::Page;
use crate::{computed, tournament, tuning};

/// The page of a folder or a CSV file, whatever command wrote it.
///
/// # Errors
/// When lmrlab cannot have written it, or it cannot be read.
pub fn page(path: &Path) -> Result<Page, Failure> {
    if path.join(MANIFEST.name()).exists() {
        let run = Run::open(path)?;
        return match run.manifest().kind {
            RunKind::Tournament if path.join(GAMES.name()).exists() => tournament::page(&run, run.goes_on()),
            RunKind::Tournament => computed::page(path, Some(&run)),
            RunKind::Tuning => tuning::page(&run, run.goes_on()),
            RunKind::Comparison => Err(Failure::input(
                format!("`{}` holds a comparison that has not ended", path.display()),
                "the command that began it goes on with it, with `--resume`; then name the CSV file that it writes",
            )),
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
