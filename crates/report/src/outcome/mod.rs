//! The page of an outcome, whatever command found it.

mod games;
mod pictures;
mod table;

use lmrlab_results::outcome::{Outcome, Part};
use maud::{Markup, html};

use crate::page::{Page, Section};
use crate::table::{printable, with_code};

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

#[cfg(test)]
mod tests {
    use lmrlab_results::outcome::Section;
    use lmrlab_results::outcome::picture::{Curve, Intervals, Lines, Map, MapCell, Mark, Picture, Quantity};
    use lmrlab_results::outcome::table::{Known, Table};
    use lmrlab_results::rows::bench::BenchTime;
    use lmrlab_results::seen::Seen;

    use super::*;

    fn named(name: &str) -> Outcome {
        let row = BenchTime {
            policy: name.to_owned(),
            position: name.to_owned(),
            fen: name.to_owned(),
            nodes: 1,
            time_ms: 2.0,
        };
        let table = Table::of("times", &[row.clone(), row]).with_columns(0, &[name.to_owned()], [&[1.0][..], &[2.0]]);
        let intervals = Intervals::of(name, &table, "policy", "nodes", Quantity::elo(name, name));
        let lines = Lines {
            title: name.to_owned(),
            x: Quantity::new(name, Seen::AsWritten),
            y: Quantity::elo(name, name),
            curves: vec![Curve {
                name: name.to_owned(),
                points: vec![(1.0, Known::exact(2.0)), (2.0, Known::with_error(3.0, Some(1.0)))],
                has_band: false,
            }],
            labels: vec![(1.0, name.to_owned())],
            note: name.to_owned(),
            ..Lines::default()
        };
        let map = Map {
            title: name.to_owned(),
            down: name.to_owned(),
            right: name.to_owned(),
            rows: vec![name.to_owned()],
            columns: vec![name.to_owned()],
            cells: vec![MapCell {
                row: 0,
                column: 0,
                level: 1.0,
                text: "1".to_owned(),
                detail: name.to_owned(),
                mark: Mark::Best,
            }],
            note: name.to_owned(),
        };
        Outcome {
            title: name.to_owned(),
            conditions: name.to_owned(),
            verdict: vec![name.to_owned()],
            sections: vec![
                Section::new(name)
                    .say(name)
                    .lines(name)
                    .table(table.clone())
                    .reference(table),
                Section::new("Pictures").draw([Picture::from(intervals), lines.into(), map.into()]),
            ],
            notes: vec![name.to_owned()],
            tables: Vec::new(),
        }
    }

    #[test]
    fn names_from_files_stay_text() {
        let long = "x".repeat(10_000);
        for name in [
            "<script>alert(1)</script>",
            "a\u{202e}b\u{1b}[31m",
            "\"quoted\" & 'so'",
            "]]>--></style>",
            &long,
        ] {
            let page = page(&named(name), name).html();
            assert!(
                !page.contains("<script>alert") && !page.contains('\u{202e}') && !page.contains('\u{1b}'),
                "{name}"
            );
            assert!(!page.contains("]]>--></style>"), "{name}");
            for picture in page.split("<svg ").skip(1) {
                let picture = picture.split("</svg>").next().unwrap();
                let file = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" {picture}</svg>");
                let tree = roxmltree::Document::parse(&file);
                assert!(tree.is_ok(), "{tree:?}");
            }
        }
    }
}
