//! The page of a run without its games, from the files that were computed from them.

use std::path::Path;

use maud::html;

use lmrlab_results::failure::Failure;
use lmrlab_results::folder::{CROSSTABLE, STANDINGS};
use lmrlab_runner::run::Run;

use crate::page::{Page, Section};
use crate::rows::Rows;
use crate::tournament::{conditions, crosstable_columns, ratings, standing_columns};

/// Whether a folder has such files.
pub(crate) fn is_there(folder: &Path) -> bool {
    folder.join(STANDINGS.name()).exists()
}

/// The page.
pub(crate) fn page(folder: &Path, run: Option<&Run>) -> Result<Page, Failure> {
    let mut sections = Vec::new();
    let rows = Rows::read(&folder.join(STANDINGS.name()))?;
    let mut standings = Section::new("standings", "Standings");
    if rows.rows.len() > 2 {
        standings.draw(ratings(&rows));
    }
    standings.add(rows.table(&standing_columns()));
    sections.push(standings);
    let crosstable = folder.join(CROSSTABLE.name());
    if crosstable.exists() {
        let mut section = Section::new("cross-table", "Cross table");
        section.add(Rows::read(&crosstable)?.table(&crosstable_columns()));
        sections.push(section);
    }
    let mut title = folder
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let mut subtitle = "tournament".to_owned();
    if let Some(run) = run {
        let (description, pairings) = run.description()?;
        sections.push(conditions(run, &description, &pairings));
        subtitle = format!("tournament, begun {}", run.manifest().started());
        title = description.name;
    }
    Ok(Page {
        title,
        subtitle,
        verdict: html! { p { "The games of this run are not in the folder: the page shows what was computed from them." } },
        sections,
        reload_seconds: None,
    })
}
