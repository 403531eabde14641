//! The page of a tuning run: the path of the values, the model, and the final matches.

mod model;
mod values;

use maud::{Markup, html};

use lmrlab_results::number_text::elo_with_error;
use lmrlab_results::tuning::{FinalMatchResult, TuningView};
use lmrlab_runner::run::Run;
use lmrlab_stats::CONFIDENCE;

use crate::chart::axis::{Axis, Writing};
use crate::chart::{Chart, Layer, Point};
use crate::page::{Page, RELOAD_SECONDS, Section};
use crate::table::{Column, Table, printable};
use crate::tournament::provenance;

/// The page of a tuning run.
pub fn page(run: &Run, view: &TuningView) -> Page {
    let is_running = run.is_running();
    let mut sections = vec![values::section(&view.parameters)];
    sections.extend(paths(view));
    sections.extend(model::cuts(view));
    sections.extend(model::maps(view));
    sections.extend(choices(view));
    sections.extend(final_matches(view));
    sections.push(conditions(run, view));
    Page {
        title: view.name.clone(),
        subtitle: format!(
            "tuning run of {}, {} pairs, begun {}",
            view.engine,
            view.result.pairs,
            run.manifest().started()
        ),
        verdict: verdict(view, is_running),
        sections,
        reload_seconds: is_running.then_some(RELOAD_SECONDS),
    }
}

fn verdict(view: &TuningView, is_running: bool) -> Markup {
    let result = &view.result;
    let gain = (result.expected_gain_elo).map(|gain| elo_with_error(gain, result.expected_gain_error_95));
    html! {
        @match (result.changed, &gain) {
            (true, Some(gain)) => p { "The model expects a gain of " (gain) " over the start." },
            (true, None) => p { "The tuned values differ from the start." },
            (false, _) => p { "The games show nothing better than the start." },
        }
        @if let Some(verdict) = &result.verdict { p { (verdict) } }
        @if !is_running && !view.is_complete { p { "The run has not spent its budget; " code { "lmrlab resume" } " resumes it." } }
    }
}

/// The path of the recommended values.
fn paths(view: &TuningView) -> Option<Section> {
    let (moments, parameters) = (&view.moments, &view.parameters);
    if moments.len() < 2 || parameters.is_empty() {
        return None;
    }
    let mut section = Section::new("paths", "Paths of the values");
    for (index, parameter) in parameters.iter().enumerate() {
        let points: Vec<(f64, f64)> = moments
            .iter()
            .map(|moment| (moment.pairs as f64, moment.values[index]))
            .collect();
        let band: Vec<(f64, f64, f64)> = (moments.iter())
            .filter_map(|moment| {
                let (low, high) = (*moment.intervals.get(index)?)?;
                Some((moment.pairs as f64, low, high))
            })
            .collect();
        let ends = band.iter().flat_map(|(_, low, high)| [*low, *high]);
        let values = points
            .iter()
            .map(|(_, value)| *value)
            .chain(ends)
            .chain([parameter.start]);
        let last = points.last().map_or(parameter.start, |(_, value)| *value);
        let note = if band.is_empty() {
            ""
        } else {
            "Band: 95% interval of the best value, from the pairs on that say more about it than the prior."
        };
        section.draw(
            Chart {
                id: format!("path-{}", index + 1),
                title: format!("{}: the recommended value over the pairs played", parameter.name),
                description: format!(
                    "From {} to {last} after {} pairs.",
                    parameter.start,
                    moments.last().map_or(0, |moment| moment.pairs)
                ),
                x: Axis::from_zero("pairs", points.iter().map(|(pairs, _)| *pairs)),
                y: Axis::linear(&parameter.name, values),
                height: 170.0,
                legend: Vec::new(),
                note: note.to_owned(),
                layers: vec![
                    Layer::Level(parameter.start, "start".to_owned()),
                    Layer::Band(0, band),
                    Layer::Line(0, points),
                ],
            }
            .draw(),
        );
    }
    Some(section)
}

fn choices(view: &TuningView) -> Option<Section> {
    let raced = &view.result.choice;
    if raced.is_empty() && view.not_raced.is_empty() {
        return None;
    }
    let mut section = Section::new("choices", "Choices");
    let mut table = Table::new(["Choice", "Value", "Against the start"].map(Column::words));
    for choice in raced {
        for value in &choice.value {
            let taken = if value.value == choice.taken { " (taken)" } else { "" };
            table.push([choice.name.clone(), format!("{}{taken}", value.value), value.in_words()]);
        }
    }
    section.add(table.markup());
    for choice in &view.not_raced {
        section.say(format!("The race of {choice} has not begun."));
    }
    Some(section)
}

/// The final matches.
fn final_matches(view: &TuningView) -> Option<Section> {
    let matches = &view.result.gate;
    if matches.is_empty() {
        return None;
    }
    let mut section = Section::new("gate", "The final matches: tuned against start");
    let points = (matches.iter().enumerate()).filter_map(|(index, last)| {
        let elo = last.elo?;
        Some(Point {
            at: (elo, index as f64),
            across: last.elo_error_95.map(|error| (elo - error, elo + error)),
            hover: last.line(),
            ..Point::default()
        })
    });
    let points: Vec<Point> = points.collect();
    let names = matches.iter().map(|last| format!("at {}", last.limit)).collect();
    let ends = points.iter().filter_map(|point| point.across);
    let ends = ends
        .flat_map(|(low, high)| [low, high])
        .chain(points.iter().map(|point| point.at.0));
    let lines: Vec<String> = matches.iter().map(FinalMatchResult::line).collect();
    section.draw(
        Chart {
            id: "gate".to_owned(),
            title: "Elo of the tuned values over the start".to_owned(),
            description: format!("{}.", lines.join("; ")),
            x: Axis::linear("Elo", ends.chain([0.0]).collect::<Vec<f64>>()).written(Writing::Signed),
            y: Axis::names("", names).reversed(),
            height: 40.0 + 34.0 * matches.len() as f64,
            legend: Vec::new(),
            note: format!("Openings that tuning did not use. Bars: {CONFIDENCE} intervals."),
            layers: vec![Layer::Upright(0.0, "start".to_owned()), Layer::Points(0, points)],
        }
        .draw(),
    );
    section.add(html! { ul { @for line in &lines { li { (printable(line)) } } } });
    section.say("The folders gate-1 and gate-4 hold the matches; each has a page of its own with `lmrlab report`.");
    Some(section)
}

fn conditions(run: &Run, view: &TuningView) -> Section {
    let mut section = Section::new("conditions", "What was played");
    let tuning = toml::to_string_pretty(&run.manifest().description()).unwrap_or_default();
    section.add(html! {
        dl {
            dt { "Engine" } dd { (printable(&view.engine)) }
            dt { "Limit" } dd { (printable(&view.limit)) }
            @if let Some(gate) = &view.gate { dt { "Final matches" } dd { (printable(gate)) } }
            (provenance(run.manifest()))
        }
        details { summary { "The tuning file" } pre { code { (printable(&tuning)) } } }
    });
    section
}
