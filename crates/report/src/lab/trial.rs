//! The page of a trial: Elo of ideas, in each setting and over all settings.

use lmrlab_policy::reference::in_words;
use lmrlab_results::failure::Failure;
use lmrlab_results::lab_rows::TrialRow;
use lmrlab_results::number_text::elo_with_error;
use lmrlab_stats::CONFIDENCE;
use maud::html;

use super::dots::{Dot, Dots, Line, MOST_LINES};
use super::file::LabFile;
use super::measures::{BETTER, Known, Measure, UNCLEAR, WORSE};
use crate::chart::Picture;
use crate::chart::axis::{Axis, Writing};
use crate::page::{Page, Section};
use crate::rows::shown;
use crate::table::printable;

/// The page.
pub(super) fn page(file: &LabFile) -> Result<Page, Failure> {
    file.check::<TrialRow>("trial", false)?;
    let ideas = file.names("idea");
    let mut sections = Vec::new();
    if let Some(picture) = picture(file, &ideas) {
        let mut section = Section::new("elo", "Elo of each idea");
        section.draw(picture);
        sections.push(section);
    }
    let mut table = Section::new("table", "All numbers");
    table.add(file.table(&shown::<TrialRow>("")));
    sections.push(table);
    let clear: Vec<String> = (ideas.iter())
        .filter_map(|idea| {
            let known = whole(file, idea)?;
            (Measure::Elo.judge(known) != UNCLEAR).then(|| format!("{}: {}", printable(&in_words(idea)), text(known)))
        })
        .collect();
    Ok(Page {
        title: format!("Trial of ideas for {}", file.names("policy").join(", ")),
        subtitle: format!("{}: {} ideas, {} lines", file.name, ideas.len(), file.rows.rows.len()),
        verdict: html! {
            @if clear.is_empty() { p { "No idea is clear of its error." } }
            @else { p { "Clear of their error: " (clear.join("; ")) "." } }
            p.note { "Of ideas that change nothing, about one in twenty is clear of its error by chance alone." }
        },
        sections,
        reload_seconds: None,
    })
}

/// The Elo of an idea over all settings, or in its only one.
fn whole(file: &LabFile, idea: &str) -> Option<Known> {
    let row = file.of("idea", idea).next()?;
    mean(file, row).or_else(|| Measure::Elo.of(&file.rows, row))
}

fn mean(file: &LabFile, row: &[String]) -> Option<Known> {
    let value = file.rows.number(row, "mean")?;
    let error = file.rows.number(row, "mean_error_95");
    Some(Known {
        value,
        interval: error.map(|error| (value - error, value + error)),
    })
}

fn text(known: Known) -> String {
    let error = known.interval.map(|(low, high)| high / 2.0 - low / 2.0);
    elo_with_error(known.value, error)
}

/// The ideas with their settings, one below the other.
fn picture(file: &LabFile, ideas: &[String]) -> Option<Picture> {
    let mut lines = Vec::new();
    let mut values = vec![0.0];
    let mut said = Vec::new();
    for idea in ideas {
        let rows: Vec<&[String]> = file.of("idea", idea).collect();
        let setting = |row: &[String]| {
            let cell = |column| printable(file.rows.cell(row, column));
            format!("{} {}", cell("preset"), cell("match_nodes"))
        };
        let of_row = |row: &&[String]| Some((setting(row), Measure::Elo.of(&file.rows, row)?));
        let mut known: Vec<(String, Known)> = rows.iter().filter_map(of_row).collect();
        let mean = rows.first().and_then(|row| mean(file, row));
        known.extend(mean.map(|mean| ("mean".to_owned(), mean)));
        if lines.len() + known.len() >= MOST_LINES {
            break;
        }
        lines.push(Line::Heading(format!("{}:", printable(&in_words(idea)))));
        for (name, known) in known {
            values.extend(known.extent());
            let hover = format!("{}, {name}: {}", printable(&in_words(idea)), text(known));
            said.push(hover.clone());
            lines.push(Line::Value(Dot {
                name,
                known,
                series: Measure::Elo.judge(known),
                hover,
            }));
        }
    }
    let legend = [
        (UNCLEAR, "interval includes no effect"),
        (WORSE, "weaker"),
        (BETTER, "stronger"),
    ];
    (!said.is_empty()).then(|| {
        Dots {
            id: "trial-elo".to_owned(),
            title: "Elo of each idea, by setting".to_owned(),
            description: format!("{}.", said.join("; ")),
            note: format!(
                "To the right the idea gains Elo. A setting is a preset and the nodes of a move. Bars: {CONFIDENCE} intervals.{}",
                if ideas.len() > lines.iter().filter(|line| matches!(line, Line::Heading(_))).count() {
                    " The table has the other ideas."
                } else {
                    ""
                }
            ),
            x: Axis::linear("Elo gained by the idea", values).written(Writing::Signed),
            names: String::new(),
            legend: legend.map(|(series, words)| (series, words.to_owned())).to_vec(),
            upright: Some((0.0, "no effect".to_owned())),
        }
        .draw(&lines)
    })
}
