//! What a run found, for a person: in sentences, tables and pictures.
//!
//! | module | what it is for |
//! |---|---|
//! | `gathered` | one pass over the games |
//! | [`sentences`] | the verdict, the end of a run, the fates in a race |
//! | `match_lines` | the figures of a match, as match runners print them |
//! | `sections` | standings, cross table, the course of Elo, how games ended |
//! | `played` | what was played, for a page |
//! | `replays` | games that can be replayed on a page |

mod gathered;
mod match_lines;
mod played;
mod replays;
mod sections;
pub mod sentences;

use std::path::Path;

use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::folder::{CROSSTABLE, STANDINGS};
use lmrlab_results::outcome::table::Table;
use lmrlab_results::outcome::{Outcome, Section, files};
use lmrlab_results::rows::standings::{CrosstableRow, StandingRow};

use self::gathered::Gathered;
use crate::record::progress::TournamentProgress;
use crate::record::standings;
use crate::run::Run;
use crate::tournament::description::{Description, Pairings};

/// What kind of run it is.
pub fn kind(description: &Description, pairings: &Pairings) -> &'static str {
    match (&description.race, &description.sprt) {
        (Some(_), _) => "race",
        (None, Some(_)) => "match with a sequential test",
        (None, None) if pairings.names.len() == 2 => "match",
        (None, None) => "tournament",
    }
}

/// What a tournament found: from its games, or from the files that were computed from them when the games are gone.
///
/// # Errors
/// When the folder holds no tournament, or its files cannot be read.
pub fn found(run: &Run) -> Result<Outcome, Failure> {
    if run.has_games() || run.manifest().part.is_some() {
        return Ok(of(run)?.0);
    }
    Ok(Outcome {
        title: run.description()?.0.name,
        ..of_files(run.folder())?
    })
}

/// The outcome of a run with all that a page has beside it: games that can be replayed, the `wanted` ones first, and what was
/// played.
///
/// # Errors
/// When the games cannot be read, or there is no game of such a number.
pub fn for_page(mut outcome: Outcome, run: &Run, wanted: &[u64]) -> Result<Outcome, Failure> {
    if run.has_games() {
        outcome.sections.extend(replays::section(run, wanted)?);
    }
    outcome.sections.extend(played::sections(run)?);
    Ok(outcome)
}

/// What a run found, and how far it is.
///
/// # Errors
/// When the folder holds no tournament, or its games cannot be read.
pub fn of(run: &Run) -> Result<(Outcome, TournamentProgress), Failure> {
    let (description, pairings) = run.description()?;
    let gathered = Gathered::of(run)?;
    let mut verdict: Vec<String> = run.note().into_iter().collect();
    verdict.extend(sentences::verdict(&gathered, run.folder(), run.is_running()));
    verdict.extend(run.comparison()?);
    let mut sections = vec![sections::standings(&gathered)];
    sections.extend(match_lines::section(&gathered.progress));
    sections.extend(sections::cross_table(&gathered));
    sections.extend(sections::course(&gathered));
    sections.extend(sections::endings(&gathered));
    sections.extend(sections::faults(&gathered));
    let outcome = Outcome {
        title: description.name.clone(),
        conditions: format!(
            "{} of {} engines, {} games",
            kind(&description, &pairings),
            pairings.names.len(),
            gathered.games(),
        ),
        verdict,
        sections,
        ..Outcome::default()
    };
    Ok((outcome, gathered.progress))
}

/// Whether a folder has the files that are computed from the games of a run.
pub fn has_files(folder: &Path) -> bool {
    folder.join(STANDINGS.name()).exists()
}

/// What a run found, from the files that were computed from its games: the games are not in the folder.
///
/// # Errors
/// When a file cannot be read.
pub fn of_files(folder: &Path) -> Result<Outcome, Failure> {
    let rows: Vec<StandingRow> = files::read(folder, "standings")?;
    let mut standings = Section::new("Standings").table(sections::standings_table(&rows));
    if rows.len() > 2 {
        standings = standings.draw([sections::ratings(&rows)]);
    }
    let mut sections = vec![standings];
    if folder.join(CROSSTABLE.name()).exists() {
        let rows: Vec<CrosstableRow> = files::read(folder, "crosstable")?;
        sections.push(Section::new("Cross table").table(Table::of("crosstable", &rows)));
    }
    let leader = standings::leader(&rows).map(|leader| format!("{leader}."));
    let mut verdict: Vec<String> = leader.into_iter().collect();
    verdict.push("The games of this run are not in the folder: this was computed from them.".to_owned());
    Ok(Outcome {
        title: folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        conditions: "tournament".to_owned(),
        verdict,
        sections,
        ..Outcome::default()
    })
}
