//! The page of the public record: what ideas are worth here, against what authors of other engines reported.

use lmrlab_runner::failure::Failure;
use lmrlab_runner::number_text::{percent, signed};
use maud::html;

use super::file::LabFile;
use crate::chart::axis::{Axis, Writing};
use crate::chart::{Chart, Layer, Picture, Point};
use crate::page::{Page, Section};
use crate::rows::Shown;
use crate::table::printable;

/// The columns that only this file has together.
pub(super) const SIGN: [&str; 3] = ["idea", "our_elo", "reported_elo"];

/// The columns that the page needs.
const NUMBERS: [&str; 10] = [
    "our_elo",
    "engine_low",
    "engine_high",
    "reported_elo",
    "reported_error_95",
    "raw_elo",
    "raw_error_95",
    "engines",
    "engines_covered",
    "sign_agrees",
];

/// Ideas that are worth no more, here and elsewhere, have a picture of their own: beside large ones they lie on one place.
const SMALL: f64 = 12.0;

/// An idea that was measured and reported.
struct Both {
    name: String,
    ours: f64,
    interval: (f64, f64),
    theirs: f64,
    error: f64,
}

/// The page.
pub(super) fn page(file: &LabFile) -> Result<Page, Failure> {
    file.needs("record", &NUMBERS)?;
    file.numbers(&NUMBERS)?;
    let number = |row: &[String], column: &str| file.rows.cell(row, column).parse::<f64>().ok();
    let both = |row: &Vec<String>| {
        Some(Both {
            name: printable(file.rows.cell(row, "idea")),
            ours: number(row, "our_elo")?,
            interval: (number(row, "engine_low")?, number(row, "engine_high")?),
            theirs: number(row, "reported_elo")?,
            error: number(row, "reported_error_95")?,
        })
    };
    let all: Vec<Both> = file.rows.rows.iter().filter_map(both).collect();
    let sum = |column: &str| -> f64 {
        let with_both = file.rows.rows.iter().filter(|row| both(row).is_some());
        with_both.filter_map(|row| number(row, column)).sum()
    };
    let agreeing: Vec<f64> = file
        .rows
        .rows
        .iter()
        .filter_map(|row| number(row, "sign_agrees"))
        .collect();
    let share = |of: f64, all: f64| (all > 0.0).then(|| of / all);
    let same = agreeing.iter().sum::<f64>();
    let verdict = [
        format!(
            "{} of {} engines' results ({}) lie in the interval that is expected here.",
            sum("engines_covered"),
            sum("engines"),
            percent(share(sum("engines_covered"), sum("engines")))
        ),
        format!(
            "Of the ideas whose reports agree among themselves, {same} of {} ({}) have the same sign here.",
            agreeing.len(),
            percent(share(same, agreeing.len() as f64))
        ),
    ];
    let is_small = |idea: &&Both| idea.ours.abs() <= SMALL && idea.theirs.abs() <= SMALL;
    let small: Vec<&Both> = all.iter().filter(is_small).collect();
    let mut pictures = Section::new("worth", "Here and elsewhere");
    if small.len() < all.len() && !small.is_empty() {
        pictures.draw(picture("record-small", format!("Ideas within {SMALL} Elo"), &small));
    }
    if !all.is_empty() {
        pictures.draw(picture(
            "record-all",
            "All ideas".to_owned(),
            &all.iter().collect::<Vec<_>>(),
        ));
    }
    let mut table = Section::new("table", "All numbers");
    table.add(file.table(&[
        Shown::new("idea", "Idea", ""),
        Shown::new("our_elo", "Ours", "worth by our games, in Elo; no report plays a part"),
        Shown::new("raw_elo", "Alone", "mean over the idea's own cells, in Elo"),
        Shown::new(
            "reported_elo",
            "Reported",
            "mean over engines, corrected for early stops, in Elo",
        ),
        Shown::new(
            "engines_covered",
            "Covered",
            "engines whose result lies in our interval",
        ),
    ]));
    Ok(Page {
        title: "The public record".to_owned(),
        subtitle: format!("{}: {} ideas", file.name, file.rows.rows.len()),
        verdict: html! { @for sentence in &verdict { p { (sentence) } } },
        sections: vec![pictures, table],
        reload_seconds: None,
    })
}

fn picture(id: &str, title: String, ideas: &[&Both]) -> Picture {
    let reach = |idea: &&Both| [idea.ours, idea.interval.0, idea.interval.1];
    let values: Vec<f64> = ideas.iter().flat_map(reach).collect();
    let reported = ideas.iter().map(|idea| idea.theirs);
    let x = Axis::linear("reported Elo, corrected for early stops", reported).written(Writing::Signed);
    let y = Axis::linear("Elo here", values).written(Writing::Signed);
    let said = |idea: &Both| {
        format!(
            "{}: here {} ({} to {}), reported {} ± {:.1} Elo",
            idea.name,
            signed(Some(idea.ours), 1),
            signed(Some(idea.interval.0), 1),
            signed(Some(idea.interval.1), 1),
            signed(Some(idea.theirs), 1),
            idea.error
        )
    };
    let points = ideas.iter().map(|idea| Point {
        at: (idea.theirs, idea.ours),
        across: Some((x.clamped(idea.theirs - idea.error), x.clamped(idea.theirs + idea.error))),
        along: Some(idea.interval),
        hover: said(idea),
        label: Some(idea.name.clone()),
    });
    let points = points.collect();
    let (low, high) = (x.range().0.max(y.range().0), x.range().1.min(y.range().1));
    let described: Vec<String> = ideas.iter().map(|idea| said(idea)).collect();
    Chart {
        id: id.to_owned(),
        title,
        description: described.join("; "),
        height: 460.0,
        legend: Vec::new(),
        note: "Bars: the 95% interval of the reports' mean, cut off at the edge, and our interval for an engine that was not measured. On \
               the line both say the same."
            .to_owned(),
        layers: vec![
            Layer::Level(0.0, String::new()),
            Layer::Upright(0.0, String::new()),
            Layer::Line {
                series: 1,
                points: vec![(low, low), (high, high)],
            },
            Layer::Points { series: 0, points },
        ],
        x,
        y,
    }
    .draw()
}
