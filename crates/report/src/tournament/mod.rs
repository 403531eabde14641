//! The page of a tournament: a match, a tournament of many engines, a test that stops early, a race.

mod conditions;
mod games;

use lmrlab_diagnostics::failure::Failure;
use lmrlab_runner::outcome;
use lmrlab_runner::run::Run;

use crate::page::{Page, RELOAD_SECONDS};
use games::Chosen;

pub(crate) use conditions::provenance;

/// The page of a tournament. The games of these numbers can be replayed on it, and others where there is room.
///
/// # Errors
/// When the folder holds no tournament, its games cannot be read, or it has no game of such a number.
pub fn page(run: &Run, games: &[u64]) -> Result<Page, Failure> {
    let (description, pairings) = run.description()?;
    let conditions = conditions::section(run, &description, &pairings);
    if !run.has_games() && run.manifest().part.is_none() {
        let mut page = crate::outcome::page(&outcome::of_files(run.folder())?, "");
        page.title = description.name;
        page.sections.push(conditions);
        return Ok(page);
    }
    let mut chosen = Chosen::new(run.pgn_writer()?, games);
    let (found, _) = outcome::of(run, &mut |game| chosen.take(game))?;
    let mut page = crate::outcome::page(&found, "");
    page.sections.extend(chosen.section(run)?);
    page.sections.push(conditions);
    page.reload_seconds = run.is_running().then_some(RELOAD_SECONDS);
    Ok(page)
}

/// Adds the games of a tuning run or a trial to its page.
///
/// # Errors
/// When the games cannot be read, or there is no game of such a number.
pub fn with_games(mut page: Page, run: &Run, games: &[u64]) -> Result<Page, Failure> {
    if run.has_games() {
        let mut chosen = Chosen::new(run.pgn_writer()?, games);
        run.pairs(&mut |pair| {
            pair.iter().for_each(|game| chosen.take(game));
            Ok(())
        })?;
        page.sections.extend(chosen.section(run)?);
    }
    Ok(page)
}
