//! The page of a tuning run: where the values went, what the model says of them, what the final matches said.

use maud::html;

use lmrlab_runner::failure::Failure;
use lmrlab_runner::number_text::{signed, unsigned};
use lmrlab_runner::run::Run;
use lmrlab_stats::{DEVIATIONS_95, Estimate};
use lmrlab_tune::Method;
use lmrlab_tune::gate::shown;
use lmrlab_tune::parameter::Parameter;
use lmrlab_tune::report::{Outcome, short};
use lmrlab_tune::session::Session;
use lmrlab_tune::tuning_pairs::TuningPair;

use crate::chart::axis::{Axis, Writing};
use crate::chart::{Bar, Cell, Chart, Layer, Mark, Picture, Point};
use crate::page::{Page, RELOAD_SECONDS, Section};
use crate::table::{Column, Table, printable};

/// Steps of a cut through the model, and of each side of a map.
const CUT_STEPS: u32 = 60;
const MAP_STEPS: usize = 11;
/// Most pairs of parameters that get a map.
const MOST_MAPS: usize = 6;
/// Most moments of a path at which intervals are computed.
const MOST_MOMENTS: usize = 24;

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
pub fn page(run: &Run, goes_on: bool) -> Result<Page, Failure> {
    let session = Session::opened(run.folder())?;
    let subject = &session.plan.subject;
    let mut moments = Vec::new();
    let mut batches = 0;
    session.replay(&mut |_, _| batches += 1)?;
    let every = (batches / MOST_MOMENTS).max(1);
    let mut batch = 0;
    let (pairs, mut method) = session.replay(&mut |pairs, method| {
        batch += 1;
        let values = method.recommendation();
        let wanted = batch == batches || batch % every == 0;
        let findings = if wanted { method.findings(&values) } else { Vec::new() };
        let intervals = findings.iter().map(|finding| finding.interval).collect();
        moments.push(Moment {
            pairs,
            values,
            intervals,
        });
    })?;
    let outcome = session.outcome_of(pairs.len() as u64, &mut *method)?;
    let mut sections = vec![values(&outcome, &subject.parameters)];
    sections.extend(paths(&moments, &subject.parameters));
    sections.extend(cuts(&*method, &outcome, &pairs, &subject.parameters));
    sections.extend(maps(&*method, &outcome, &subject.parameters));
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
            goes_on,
            matches!(scheduled, lmrlab_tune::plan::Budget::Pairs(all) if pairs.len() as u64 >= all),
        ),
        sections,
        reload_seconds: goes_on.then_some(RELOAD_SECONDS),
    })
}

fn verdict(outcome: &Outcome, session: &Session, goes_on: bool, complete: bool) -> maud::Markup {
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
        @if !goes_on && !complete { p { "The run has not spent its budget; " code { "lmrlab resume" } " goes on with it." } }
    }
}

/// Start and tuned values with their intervals, as a table and each within its bounds.
fn values(outcome: &Outcome, parameters: &[Parameter]) -> Section {
    let mut section = Section::new("values", "Values");
    if parameters.is_empty() {
        section.say("No numbers were tuned.");
        return section;
    }
    let share = |parameter: &Parameter, value: f64| (value - parameter.min) / (parameter.max - parameter.min);
    let mut starts = Vec::new();
    let mut tuned = Vec::new();
    for (index, parameter) in parameters.iter().enumerate() {
        let row = index as f64;
        let value = outcome.values[index];
        let finding = outcome.findings.get(index);
        starts.push(Point {
            at: (share(parameter, parameter.start), row - 0.14),
            hover: format!("{}: start {}", parameter.name, parameter.start),
            ..Point::default()
        });
        tuned.push(Point {
            at: (share(parameter, value), row + 0.14),
            across: finding.map(|finding| {
                (
                    share(parameter, finding.interval.0),
                    share(parameter, finding.interval.1),
                )
            }),
            hover: format!("{}: tuned {value}", parameter.name),
            ..Point::default()
        });
    }
    let said = parameters.iter().zip(&outcome.values).map(|(parameter, value)| {
        format!(
            "{} from {} to {value} (bounds {} to {})",
            parameter.name, parameter.start, parameter.min, parameter.max
        )
    });
    section.draw(
        Chart {
            id: "values".to_owned(),
            title: "Start and tuned values, each within its bounds".to_owned(),
            description: format!("{}.", said.collect::<Vec<_>>().join("; ")),
            x: Axis::exact("from the least to the greatest value allowed", (-0.03, 1.03)).written(Writing::Percent),
            y: Axis::names("", parameters.iter().map(|parameter| parameter.name.clone()).collect()).reversed(),
            height: 30.0 + 30.0 * parameters.len() as f64,
            legend: vec![(6, "start".to_owned()), (0, "tuned".to_owned())],
            note: "Bars: 95% intervals of the best value.".to_owned(),
            layers: vec![
                Layer::Points {
                    series: 6,
                    points: starts,
                },
                Layer::Points {
                    series: 0,
                    points: tuned,
                },
            ],
        }
        .draw(),
    );
    let columns = [
        Column::words("Parameter"),
        Column::numbers("Start"),
        Column::numbers("Tuned"),
        Column::words("95% interval of the best value"),
        Column::words("Does it matter?").meaning("Elo lost when the value is moved by so much from the tuned one"),
    ];
    let mut table = Table::new(columns);
    for (index, parameter) in parameters.iter().enumerate() {
        let finding = outcome.findings.get(index);
        let interval = finding.map(|finding| {
            let (low, high) = finding.interval;
            format!("{} to {}", short(parameter, low), short(parameter, high))
        });
        let matters = finding.map(|finding| {
            let moved = short(parameter, finding.moved);
            let error = DEVIATIONS_95 * finding.deviation;
            let doubt = if finding.is_measurable() {
                ""
            } else {
                ", not measurable"
            };
            format!(
                "moved by {moved:+}, it loses {:.1} ± {error:.1} Elo{doubt}",
                finding.effect
            )
        });
        table.push([
            parameter.name.clone(),
            parameter.start.to_string(),
            outcome.values[index].to_string(),
            interval.unwrap_or_default(),
            matters.unwrap_or_default(),
        ]);
    }
    section.add(table.markup());
    section
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
            "Band: 95% interval of the best value, as known after so many pairs."
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

/// The model along each parameter through the tuned point, and where points were played.
fn cuts(method: &dyn Method, outcome: &Outcome, pairs: &[TuningPair], parameters: &[Parameter]) -> Option<Section> {
    method.gain(&outcome.values)?;
    let mut section = Section::new("cuts", "What the model says along each parameter");
    for (index, parameter) in parameters.iter().enumerate() {
        let cut: Vec<(f64, f64, f64)> = (0..=CUT_STEPS)
            .filter_map(|step| {
                let value = parameter.min + (parameter.max - parameter.min) * f64::from(step) / f64::from(CUT_STEPS);
                let mut point = outcome.values.clone();
                point[index] = value;
                let (gain, deviation) = method.gain(&point)?;
                Some((value, gain, DEVIATIONS_95 * deviation))
            })
            .collect();
        let played = pairs
            .iter()
            .flat_map(|pair| [pair.probe.first[index], pair.probe.second[index]]);
        let bars = rug(parameter, played);
        let best = outcome.values[index];
        let gain = method.gain(&outcome.values).map_or(0.0, |(gain, _)| gain);
        // The model says little far from what was played: the axis is for what lies around the best point.
        let near: Vec<f64> = cut
            .iter()
            .map(|(_, gain, _)| *gain)
            .filter(|value| *value > gain - 150.0)
            .collect();
        let low = near.iter().copied().fold(gain, f64::min).min(0.0);
        let high = cut
            .iter()
            .map(|(_, gain, error)| gain + error.min(60.0))
            .fold(gain, f64::max)
            .max(0.0);
        let room = (high - low).max(5.0) * 0.12;
        let bottom = low - 2.0 * room;
        let bars = bars.into_iter().map(|(from, to, share, count)| Bar {
            x: (from, to),
            y: (bottom, bottom + share * 1.6 * room),
            hover: format!(
                "{count} sides of pairs played with {} from {} to {}",
                parameter.name,
                short(parameter, from),
                short(parameter, to)
            ),
            text: String::new(),
        });
        section.draw(
            Chart {
                id: format!("cut-{}", index + 1),
                title: format!("{}: Elo over the start, the other parameters as tuned", parameter.name),
                description: format!(
                    "{} at the tuned value {best}; {} at the start's value {}.",
                    elo_at(method, outcome, index, best),
                    elo_at(method, outcome, index, parameter.start),
                    parameter.start
                ),
                x: Axis::linear(&parameter.name, [parameter.min, parameter.max]),
                y: Axis::exact("Elo over the start", (bottom, high + room)).written(Writing::Signed),
                height: 200.0,
                legend: vec![(0, "the model".to_owned()), (6, "values that were played".to_owned())],
                note: "Band: 95% interval. Bars at the bottom: how often values were played.".to_owned(),
                layers: vec![
                    Layer::Bars {
                        series: 6,
                        bars: bars.collect(),
                    },
                    Layer::Band {
                        series: 0,
                        points: cut
                            .iter()
                            .map(|(x, gain, error)| (*x, gain - error, gain + error))
                            .collect(),
                    },
                    Layer::Line {
                        series: 0,
                        points: cut.iter().map(|(x, gain, _)| (*x, *gain)).collect(),
                    },
                    Layer::Upright(best, "tuned".to_owned()),
                    Layer::Points {
                        series: 0,
                        points: vec![Point {
                            at: (best, gain),
                            hover: format!("tuned: {best}"),
                            ..Point::default()
                        }],
                    },
                ],
            }
            .draw(),
        );
    }
    Some(section)
}

fn elo_at(method: &dyn Method, outcome: &Outcome, index: usize, value: f64) -> String {
    let mut point = outcome.values.clone();
    point[index] = value;
    let gain = method.gain(&point);
    gain.map_or_else(String::new, |(gain, deviation)| {
        format!(
            "{} ± {} Elo",
            signed(Some(gain), 1),
            unsigned(Some(DEVIATIONS_95 * deviation), 1)
        )
    })
}

/// How often values were played: from, to, share of the most frequent, count.
fn rug(parameter: &Parameter, played: impl Iterator<Item = f64>) -> Vec<(f64, f64, f64, u64)> {
    const BINS: usize = 40;
    let width = (parameter.max - parameter.min) / BINS as f64;
    let mut counts = [0_u64; BINS];
    for value in played {
        let bin = ((value - parameter.min) / width).max(0.0) as usize;
        counts[bin.min(BINS - 1)] += 1;
    }
    let most = counts.iter().copied().max().unwrap_or(1).max(1) as f64;
    let bins = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    bins.map(|(bin, count)| {
        let from = parameter.min + bin as f64 * width;
        (from, from + width, *count as f64 / most, *count)
    })
    .collect()
}

/// The model for every two parameters, the others as tuned.
fn maps(method: &dyn Method, outcome: &Outcome, parameters: &[Parameter]) -> Option<Section> {
    method.gain(&outcome.values)?;
    let mut couples: Vec<(usize, usize)> = Vec::new();
    for one in 0..parameters.len() {
        couples.extend((one + 1..parameters.len()).map(|other| (one, other)));
    }
    if couples.is_empty() {
        return None;
    }
    let mut section = Section::new("maps", "What the model says for pairs of parameters");
    // Those that matter most come first.
    let weight = |index: &usize| {
        outcome
            .findings
            .get(*index)
            .map_or(0.0, |finding| finding.effect / finding.deviation.max(1e-9))
    };
    couples.sort_by(|a, b| (weight(&b.0) + weight(&b.1)).total_cmp(&(weight(&a.0) + weight(&a.1))));
    let all = couples.len();
    couples.truncate(MOST_MAPS);
    if all > couples.len() {
        section.say(format!(
            "The {} pairs of parameters that matter most are drawn, of {all}.",
            couples.len()
        ));
    }
    for (number, (one, other)) in couples.into_iter().enumerate() {
        section.draw(map(method, outcome, parameters, (one, other), number + 1));
    }
    Some(section)
}

fn map(
    method: &dyn Method,
    outcome: &Outcome,
    parameters: &[Parameter],
    (one, other): (usize, usize),
    number: usize,
) -> Picture {
    let grid = |index: usize| -> Vec<f64> {
        let parameter = &parameters[index];
        let step = (parameter.max - parameter.min) / (MAP_STEPS - 1) as f64;
        (0..MAP_STEPS).map(|at| parameter.min + step * at as f64).collect()
    };
    let (columns, rows) = (grid(one), grid(other));
    let (one, other) = ((one, &parameters[one]), (other, &parameters[other]));
    let nearest = |grid: &[f64], value: f64| {
        let away = |index: &usize| (grid[*index] - value).abs();
        (0..grid.len()).min_by(|a, b| away(a).total_cmp(&away(b))).unwrap_or(0)
    };
    let tuned = (
        nearest(&columns, outcome.values[one.0]),
        nearest(&rows, outcome.values[other.0]),
    );
    let start = (nearest(&columns, one.1.start), nearest(&rows, other.1.start));
    let mut cells = Vec::new();
    for (row, y) in rows.iter().enumerate() {
        for (column, x) in columns.iter().enumerate() {
            let mut point = outcome.values.clone();
            point[one.0] = *x;
            point[other.0] = *y;
            let Some((gain, deviation)) = method.gain(&point) else {
                continue;
            };
            let error = DEVIATIONS_95 * deviation;
            cells.push(Cell {
                column,
                row,
                level: (gain / 60.0).clamp(-1.0, 1.0),
                text: signed(Some(gain), 0),
                mark: match (column, row) {
                    cell if cell == tuned => Mark::Framed,
                    cell if cell == start => Mark::Dashed,
                    _ => Mark::None,
                },
                hover: format!(
                    "{} {}, {} {}: {} ± {} Elo over the start",
                    one.1.name,
                    short(one.1, *x),
                    other.1.name,
                    short(other.1, *y),
                    signed(Some(gain), 1),
                    unsigned(Some(error), 1)
                ),
            });
        }
    }
    let names = |parameter: &Parameter, values: &[f64]| {
        values
            .iter()
            .map(|value| short(parameter, *value).to_string())
            .collect()
    };
    Chart {
        id: format!("map-{number}"),
        title: format!("{} and {}: Elo over the start", one.1.name, other.1.name),
        description: format!(
            "The tuned point is {} {}, {} {}.",
            one.1.name, outcome.values[one.0], other.1.name, outcome.values[other.0]
        ),
        x: Axis::names(&one.1.name, names(one.1, &columns)),
        y: Axis::names(&other.1.name, names(other.1, &rows)),
        height: 300.0,
        legend: Vec::new(),
        note: "Blue, with a plus: better than the start; orange, with a minus: worse. Far from what was played the model only guesses; point at a cell for its error. Frame: nearest to the tuned point; dashed frame: to the start.".to_owned(),
        layers: vec![Layer::Cells(cells)],
    }
    .draw()
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
                decision.told(index),
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
