//! The page of a tournament: a match, a tournament of many engines, a test that stops early, a race.

mod conditions;
mod endings;
mod games;
mod gathered;
mod standings;
mod trajectory;
mod verdict;

use lmrlab_results::failure::Failure;
use lmrlab_runner::run::Run;
use lmrlab_runner::tournament::description::{Description, Pairings};

use crate::page::{Page, RELOAD_SECONDS, Section};
use games::Chosen;
use gathered::Gathered;

pub(crate) use conditions::{provenance, section as conditions};
pub(crate) use standings::{computed_verdict, crosstable_columns, ratings, standing_columns};
pub(crate) use verdict::sentences;

/// What kind of run it is.
pub(crate) fn kind(description: &Description, pairings: &Pairings) -> &'static str {
    match (&description.race, &description.sprt) {
        (Some(_), _) => "race",
        (None, Some(_)) => "match with a sequential test",
        (None, None) if pairings.names.len() == 2 => "match",
        (None, None) => "tournament",
    }
}

/// The page of a tournament. The games of these numbers can be replayed on it, and others where there is room.
///
/// # Errors
/// When the folder holds no tournament, its games cannot be read, or it has no game of such a number.
pub fn page(run: &Run, is_running: bool, games: &[u64]) -> Result<Page, Failure> {
    let (description, pairings) = run.description()?;
    let mut chosen = Chosen::new(run.pgn_writer()?, games);
    let gathered = Gathered::of(run, &mut |game| chosen.take(game))?;
    let comparison = run.comparison()?;
    let mut sections = vec![standings::section(&gathered)];
    sections.extend(standings::cross_table(&gathered));
    sections.extend(trajectory::section(&gathered));
    sections.extend(endings::section(&gathered));
    sections.extend(endings::faults(&gathered));
    sections.extend(chosen.section(run)?);
    sections.push(conditions::section(run, &description, &pairings));
    sections.retain(|section: &Section| !section.parts.is_empty());
    let manifest = run.manifest();
    Ok(Page {
        title: description.name.clone(),
        subtitle: format!(
            "{} of {} engines, {} games, begun {}",
            kind(&description, &pairings),
            pairings.names.len(),
            gathered.games(),
            manifest.started().replace('T', " ").replace('Z', " UTC"),
        ),
        verdict: verdict::markup(&gathered, run.note(), &comparison, is_running),
        sections,
        reload_seconds: is_running.then_some(RELOAD_SECONDS),
    })
}
