//! The page of an outcome, whatever command found it.

mod games;
mod pictures;
mod table;

use crate::outcome::{Outcome, Part};
use maud::{Markup, html};

use crate::report::page::{Page, Section};
use crate::report::table::{printable, with_code};

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
                Part::Facts(facts) => section.add(html! {
                    dl { @for (name, value) in facts { dt { (printable(name)) } dd { (with_code(value)) } } }
                }),
                Part::Texts(named) => section.add(texts(named)),
                Part::Games(replays) => section.add(games::markup(replays)),
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

/// Texts, such as those of policies. A line that not all of them have is marked.
fn texts(texts: &[(String, String)]) -> Markup {
    let differs = |line: &str| {
        let line = line.trim();
        let has_line = |text: &str| text.lines().any(|other| other.trim() == line);
        !line.is_empty() && !texts.iter().all(|(_, text)| has_line(text))
    };
    html! {
        @if texts.len() > 1 { p { "Marked lines are not in all of these files." } }
        @for (name, text) in texts {
            details open[texts.len() == 2] {
                summary { (with_code(name)) }
                pre { code {
                    @for line in text.lines() {
                        @if differs(line) { mark { (printable(line)) } } @else { (printable(line)) }
                        "\n"
                    }
                } }
            }
        }
    }
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
