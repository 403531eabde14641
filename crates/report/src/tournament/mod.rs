//! The page of a tournament: a match, a field of many, a test that stops early, a race.

mod conditions;
mod endings;
mod gathered;
mod searches;
mod standings;
mod trajectory;
mod verdict;

use lmrlab_runner::failure::Failure;
use lmrlab_runner::run::Run;
use lmrlab_runner::tournament::description::{Description, Pairings};

use crate::page::{Page, RELOAD_SECONDS, Section};
use gathered::Gathered;

pub(crate) use conditions::section as conditions;
pub(crate) use gathered::{Course, courses};
pub(crate) use standings::{CROSS_TABLE, STANDINGS, computed_verdict, ratings};
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

/// The page of a tournament.
///
/// # Errors
/// When the folder holds no tournament, or its games cannot be read.
pub fn page(run: &Run, goes_on: bool) -> Result<Page, Failure> {
    let (description, pairings) = run.description()?;
    let gathered = Gathered::of(run, &mut |_| ())?;
    let mut sections = vec![standings::section(&gathered)];
    sections.extend(standings::cross_table(&gathered));
    sections.extend(trajectory::section(&gathered));
    sections.extend(endings::section(&gathered));
    sections.extend(searches::section(&gathered, &description));
    sections.extend(endings::faults(&gathered));
    sections.extend(endings::openings(&gathered));
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
        verdict: verdict::markup(&gathered, goes_on),
        sections,
        reload_seconds: goes_on.then_some(RELOAD_SECONDS),
    })
}
