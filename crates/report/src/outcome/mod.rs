//! The page of an outcome, whatever command found it.

mod pictures;
mod table;

use lmrlab_results::outcome::{Outcome, Part};
use lmrlab_runner::run::Run;
use maud::html;

use crate::page::{Page, RELOAD_SECONDS, Section};
use crate::table::{printable, with_code};
use crate::tournament::provenance;

/// The page. `place` names the folder.
pub fn page(outcome: &Outcome, place: &str) -> Page {
    let sections = outcome.sections.iter().map(|found| {
        let mut section = Section::new(slug(&found.heading), printable(&found.heading));
        for part in &found.parts {
            match part {
                Part::Sentence(sentence) => section.say(sentence),
                Part::Lines(lines) => section.add(html! { pre { code { (printable(lines)) } } }),
                Part::Table(rows) => section.add(table::begun(rows)),
                Part::Reference(rows) => {
                    let summary = format!("All {} lines of {}.csv", rows.rows.len(), rows.name);
                    section.add(html! { details { summary { (summary) } (table::markup(rows)) } });
                }
                Part::Picture(picture) => pictures::draw(picture, &mut section),
            }
        }
        section
    });
    Page::joined(vec![Page {
        title: printable(&outcome.title),
        subtitle: [place, &outcome.conditions]
            .into_iter()
            .filter(|text| !text.is_empty())
            .collect::<Vec<_>>()
            .join(": "),
        verdict: html! {
            @for sentence in &outcome.verdict { p { (with_code(sentence)) } }
            @for note in &outcome.notes { p.note { (with_code(note)) } }
        },
        sections: sections.filter(|section| !section.parts.is_empty()).collect(),
        reload_seconds: None,
    }])
}

/// The page of a run that is no tournament: with its file, and reloaded while the run plays.
pub(crate) fn of_run(mut page: Page, run: &Run) -> Page {
    let mut section = Section::new("conditions", "What was played");
    let description = toml::to_string_pretty(&run.manifest().description()).unwrap_or_default();
    section.add(html! {
        dl { (provenance(run.manifest())) }
        details { summary { "The file of the run" } pre { code { (printable(&description)) } } }
    });
    page.sections.push(section);
    page.reload_seconds = run.is_running().then_some(RELOAD_SECONDS);
    page
}

/// Letters, digits and dashes for the name of a picture or a section.
fn slug(text: &str) -> String {
    let mut slug = String::new();
    for letter in text.chars().take(90) {
        match letter {
            letter if letter.is_ascii_alphanumeric() => slug.push(letter.to_ascii_lowercase()),
            _ if !slug.ends_with('-') && !slug.is_empty() => slug.push('-'),
            _ => {}
        }
    }
    slug.trim_end_matches('-').to_owned()
}
