//! The page of a tuning run: where the values went, what the model says of them, what the final matches said.

mod model;
mod values;

use maud::html;

use lmrlab_runner::failure::Failure;
use lmrlab_runner::number_text::{signed, unsigned};
use lmrlab_runner::run::Run;
use lmrlab_stats::{DEVIATIONS_95, Estimate};
use lmrlab_tune::gate::shown;
use lmrlab_tune::parameter::Parameter;
use lmrlab_tune::report::Outcome;
use lmrlab_tune::session::Session;

use crate::chart::axis::{Axis, Writing};
use crate::chart::{Chart, Layer, Point};
use crate::page::{Page, RELOAD_SECONDS, Section};
use crate::table::{Column, Table, printable};

/// Intervals on a path are computed whenever this many times the pairs of the last ones were played.
const BETWEEN_INTERVALS: f64 = 1.2;

/// What was known after some pairs.
struct Moment {
    pairs: u64,
    values: Vec<f64>,
    intervals: Vec<(f64, f64)>,
}

/// The page of a tuning run.
///
/// # Errors
/// When the folder holds no tuning run, or it cannot be read.
pub fn page(run: &Run, is_running: bool) -> Result<Page, Failure> {
    let session = Session::opened(run.folder())?;
    let subject = &session.plan.subject;
    let mut moments = Vec::new();
    let mut next = 0.0;
    let (pairs, mut method) = session.replay(&mut |pairs, method| {
        let values = method.recommendation();
        let wanted = pairs as f64 >= next;
        if wanted {
            next = pairs as f64 * BETWEEN_INTERVALS;
        }
        let findings = if wanted { method.findings(&values) } else { Vec::new() };
        let intervals = findings.iter().map(|finding| finding.interval).collect();
        moments.push(Moment {
            pairs,
            values,
            intervals,
        });
    })?;
    let outcome = session.outcome_of(pairs.len() as u64, &mut *method)?;
    if let Some(last) = moments.last_mut() {
        last.intervals = outcome.findings.iter().map(|finding| finding.interval).collect();
    }
    let mut sections = vec![values::section(&outcome, &subject.parameters)];
    sections.extend(paths(&moments, &subject.parameters));
    sections.extend(model::cuts(&*method, &outcome, &pairs, &subject.parameters));
    sections.extend(model::maps(&*method, &outcome, &subject.parameters));
    sections.extend(choices(&session, &outcome));
    sections.extend(gate(&outcome));
    sections.push(conditions(run, &session));
    let scheduled = session.plan.budget;
    Ok(Page {
        title: session.plan.name.clone(),
        subtitle: format!(
            "tuning run of {}, {} pairs, begun {}",
            subject.start.name,
            pairs.len(),
            run.manifest().started()
        ),
        verdict: verdict(
            &outcome,
            &session,
            is_running,
            matches!(scheduled, lmrlab_tune::plan::Budget::Pairs(all) if pairs.len() as u64 >= all),
        ),
        sections,
        reload_seconds: is_running.then_some(RELOAD_SECONDS),
    })
}

fn verdict(outcome: &Outcome, session: &Session, is_running: bool, complete: bool) -> maud::Markup {
    let found = outcome.found_something(&session.plan.subject);
    let gain = outcome.gain.map(|(gain, deviation)| {
        format!(
            "{} ± {} Elo (95%)",
            signed(Some(gain), 1),
            unsigned(Some(DEVIATIONS_95 * deviation), 1)
        )
    });
    html! {
        @match (found, &gain) {
            (true, Some(gain)) => p { "The model expects a gain of " (gain) " over the start." },
            (true, None) => p { "The tuned values differ from the start." },
            (false, _) => p { "The games show nothing better than the start." },
        }
        @if let Some(verdict) = outcome.verdict() { p { (verdict) } }
        @if !is_running && !complete { p { "The run has not spent its budget; " code { "lmrlab resume" } " resumes it." } }
    }
}

/// Where the recommended values went.
fn paths(moments: &[Moment], parameters: &[Parameter]) -> Option<Section> {
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
                moment
                    .intervals
                    .get(index)
                    .map(|(low, high)| (moment.pairs as f64, *low, *high))
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
            "Band: 95% interval of the best value, after each number of pairs."
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
                    Layer::Band {
                        series: 0,
                        points: band,
                    },
                    Layer::Line { series: 0, points },
                ],
            }
            .draw(),
        );
    }
    Some(section)
}

fn choices(session: &Session, outcome: &Outcome) -> Option<Section> {
    let subject = &session.plan.subject;
    if subject.choices.is_empty() {
        return None;
    }
    let mut section = Section::new("choices", "Choices");
    let mut table = Table::new(["Choice", "Value", "Against the start"].map(Column::words));
    for (choice, decision) in subject.choices.iter().zip(&outcome.decisions) {
        for index in 1..=choice.values.len() {
            let taken = if decision.taken == index { " (taken)" } else { "" };
            table.push([
                choice.name.clone(),
                format!("{}{taken}", choice.value(index)),
                decision.in_words(index),
            ]);
        }
    }
    section.add(table.markup());
    for choice in subject.choices.iter().skip(outcome.decisions.len()) {
        section.say(format!("The race of {} has not begun.", choice.name));
    }
    Some(section)
}

/// The final matches.
fn gate(outcome: &Outcome) -> Option<Section> {
    if outcome.trials.is_empty() {
        return None;
    }
    let mut section = Section::new("gate", "The final matches: tuned against start");
    let mut points = Vec::new();
    let mut names = Vec::new();
    for (index, trial) in outcome.trials.iter().enumerate() {
        names.push(format!("at {}", shown(trial.limit)));
        let Some(estimate) = Estimate::of(&trial.pairs) else {
            continue;
        };
        let error = estimate.elo_error_95.map(|error| error.0);
        points.push(Point {
            at: (estimate.elo.0, index as f64),
            across: error.map(|error| (estimate.elo.0 - error, estimate.elo.0 + error)),
            hover: trial.line(),
            ..Point::default()
        });
    }
    let ends = points.iter().flat_map(|point| {
        [
            point.at.0,
            point.across.map_or(0.0, |ends| ends.0),
            point.across.map_or(0.0, |ends| ends.1),
        ]
    });
    let lines: Vec<String> = outcome.trials.iter().map(lmrlab_tune::gate::Trial::line).collect();
    section.draw(
        Chart {
            id: "gate".to_owned(),
            title: "Elo of the tuned values over the start".to_owned(),
            description: format!("{}.", lines.join("; ")),
            x: Axis::linear("Elo", ends.chain([0.0]).collect::<Vec<f64>>()).written(Writing::Signed),
            y: Axis::names("", names).reversed(),
            height: 40.0 + 34.0 * outcome.trials.len() as f64,
            legend: Vec::new(),
            note: "Openings that tuning did not use. Bars: 95% intervals.".to_owned(),
            layers: vec![
                Layer::Upright(0.0, "start".to_owned()),
                Layer::Points { series: 0, points },
            ],
        }
        .draw(),
    );
    section.add(html! { ul { @for line in &lines { li { (printable(line)) } } } });
    section.say("The folders gate-1 and gate-4 hold the matches; each has a page of its own with `lmrlab report`.");
    Some(section)
}

fn conditions(run: &Run, session: &Session) -> Section {
    let manifest = run.manifest();
    let (version, commit) = manifest.program();
    let mut section = Section::new("conditions", "What was played");
    let description: Option<toml::Table> = manifest.to_toml().parse().ok();
    let tuning = description
        .as_ref()
        .and_then(|table| table.get("tuning"))
        .map(|tuning| toml::to_string_pretty(tuning).unwrap_or_default());
    section.add(html! {
        dl {
            dt { "Command" } dd { code { (printable(manifest.command())) } }
            dt { "Engine" } dd { (printable(&session.plan.subject.start.name)) }
            dt { "Limit" } dd { (shown(session.plan.conditions.terms.limit)) }
            dt { "Begun" } dd { (manifest.started()) }
            dt { "lmrlab" } dd { (printable(version)) @if let Some(commit) = commit { ", commit " code { (printable(commit)) } } }
            @if let Some(cpu) = manifest.cpu() { dt { "Processor" } dd { (printable(cpu)) } }
        }
        @if let Some(tuning) = tuning { details { summary { "The tuning file" } pre { code { (printable(&tuning)) } } } }
    });
    section
}
