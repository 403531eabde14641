//! The model of a tuning run: cuts along each parameter, and maps for pairs of them.

use lmrlab_results::number_text::{signed, unsigned};
use lmrlab_results::tuning::{TunedParameter, TuningView};
use lmrlab_stats::CONFIDENCE;
use lmrlab_stats::DEVIATIONS_95;

use crate::chart::axis::{Axis, Writing};
use crate::chart::{Bar, Cell, Chart, Layer, Mark, Picture, Point};
use crate::page::Section;

/// Steps of a cut through the model, and of each side of a map.
const CUT_STEPS: u32 = 60;
const MAP_STEPS: usize = 11;
/// Most pairs of parameters that get a map.
const MOST_MAPS: usize = 6;

/// The model along each parameter through the tuned point, and the points that were played.
pub(super) fn cuts(view: &TuningView) -> Option<Section> {
    let (gain, _) = (view.model)(&view.point)?;
    let mut section = Section::new("cuts", "What the model says along each parameter");
    let unknown: Vec<&str> = (view.parameters.iter())
        .filter(|parameter| !is_known(parameter))
        .map(|parameter| parameter.name.as_str())
        .collect();
    if !unknown.is_empty() {
        section.say(format!(
            "Not drawn: {}. So far the prior says more about them than the games do.",
            unknown.join(", ")
        ));
    }
    for (index, parameter) in view
        .parameters
        .iter()
        .enumerate()
        .filter(|(_, parameter)| is_known(parameter))
    {
        let cut: Vec<(f64, f64, f64)> = (0..=CUT_STEPS)
            .filter_map(|step| {
                let value = parameter.min + (parameter.max - parameter.min) * f64::from(step) / f64::from(CUT_STEPS);
                let (gain, deviation) = with(view, &[(index, value)])?;
                Some((value, gain, DEVIATIONS_95 * deviation))
            })
            .collect();
        let played = view.played.iter().map(|values| values[index]);
        let bars = rug(parameter, played);
        let best = parameter.tuned;
        // Far from the played points the model says little. So the range of the axis is that around the best point.
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
                parameter.short(from),
                parameter.short(to)
            ),
            text: String::new(),
        });
        section.draw(
            Chart {
                id: format!("cut-{}", index + 1),
                title: format!("{}: Elo over the start, the other parameters as tuned", parameter.name),
                description: format!(
                    "{} at the tuned value {best}; {} at the start's value {}.",
                    elo_at(view, index, best),
                    elo_at(view, index, parameter.start),
                    parameter.start
                ),
                x: Axis::linear(&parameter.name, [parameter.min, parameter.max]),
                y: Axis::exact("Elo over the start", (bottom, high + room)).written(Writing::Signed),
                height: 200.0,
                legend: vec![(0, "the model".to_owned()), (6, "values that were played".to_owned())],
                note: format!("Band: {CONFIDENCE} interval. Bars at the bottom: how often values were played."),
                layers: vec![
                    Layer::Bars(6, bars.collect()),
                    Layer::Band(
                        0,
                        cut.iter()
                            .map(|(x, gain, error)| (*x, gain - error, gain + error))
                            .collect(),
                    ),
                    Layer::Line(0, cut.iter().map(|(x, gain, _)| (*x, *gain)).collect()),
                    Layer::Upright(best, "tuned".to_owned()),
                    Layer::Points(
                        0,
                        vec![Point {
                            at: (best, gain),
                            hover: format!("tuned: {best}"),
                            ..Point::default()
                        }],
                    ),
                ],
            }
            .draw(),
        );
    }
    Some(section)
}

/// Whether the games say more about a parameter than the prior.
fn is_known(parameter: &TunedParameter) -> bool {
    parameter.finding.is_none_or(|finding| finding.is_measured())
}

/// The model's gain and its deviation at the tuned point, with other values of these parameters.
fn with(view: &TuningView, changes: &[(usize, f64)]) -> Option<(f64, f64)> {
    let mut point = view.point.clone();
    for (index, value) in changes {
        point[*index] = *value;
    }
    (view.model)(&point)
}

fn elo_at(view: &TuningView, index: usize, value: f64) -> String {
    with(view, &[(index, value)]).map_or_else(String::new, |(gain, deviation)| {
        format!(
            "{} ± {} Elo",
            signed(Some(gain), 1),
            unsigned(Some(DEVIATIONS_95 * deviation), 1)
        )
    })
}

/// How often values were played: from, to, share of the most frequent, count.
fn rug(parameter: &TunedParameter, played: impl Iterator<Item = f64>) -> Vec<(f64, f64, f64, u64)> {
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
pub(super) fn maps(view: &TuningView) -> Option<Section> {
    (view.model)(&view.point)?;
    let count = view.parameters.len();
    let couples = (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other)));
    let known = |index: usize| view.parameters.get(index).is_some_and(is_known);
    let mut couples: Vec<(usize, usize)> = couples.filter(|(one, other)| known(*one) && known(*other)).collect();
    if couples.is_empty() {
        return None;
    }
    let mut section = Section::new("maps", "What the model says for pairs of parameters");
    // The pairs that matter most come first.
    let weight = |index: &usize| {
        view.parameters[*index]
            .finding
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
        section.draw(map(view, (one, other), number + 1));
    }
    Some(section)
}

fn map(view: &TuningView, places: (usize, usize), number: usize) -> Picture {
    let (one, other) = (&view.parameters[places.0], &view.parameters[places.1]);
    let grid = |parameter: &TunedParameter| -> Vec<f64> {
        let step = (parameter.max - parameter.min) / (MAP_STEPS - 1) as f64;
        (0..MAP_STEPS).map(|at| parameter.min + step * at as f64).collect()
    };
    let (columns, rows) = (grid(one), grid(other));
    let nearest = |grid: &[f64], value: f64| {
        let away = |index: &usize| (grid[*index] - value).abs();
        (0..grid.len()).min_by(|a, b| away(a).total_cmp(&away(b))).unwrap_or(0)
    };
    let tuned = (nearest(&columns, one.tuned), nearest(&rows, other.tuned));
    let start = (nearest(&columns, one.start), nearest(&rows, other.start));
    let mut cells = Vec::new();
    for (row, y) in rows.iter().enumerate() {
        for (column, x) in columns.iter().enumerate() {
            let Some((gain, deviation)) = with(view, &[(places.0, *x), (places.1, *y)]) else {
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
                    one.name,
                    one.short(*x),
                    other.name,
                    other.short(*y),
                    signed(Some(gain), 1),
                    unsigned(Some(error), 1)
                ),
            });
        }
    }
    let names = |parameter: &TunedParameter, values: &[f64]| {
        values.iter().map(|value| parameter.short(*value).to_string()).collect()
    };
    Chart {
        id: format!("map-{number}"),
        title: format!("{} and {}: Elo over the start", one.name, other.name),
        description: format!(
            "The tuned point is {} {}, {} {}.",
            one.name, one.tuned, other.name, other.tuned
        ),
        x: Axis::names(&one.name, names(one, &columns)),
        y: Axis::names(&other.name, names(other, &rows)),
        height: 300.0,
        legend: Vec::new(),
        note: "Blue, with a plus: better than the start; orange, with a minus: worse. Far from the played values the model only guesses; point at a cell for its error. Frame: nearest to the tuned point; dashed frame: to the start.".to_owned(),
        layers: vec![Layer::Cells(cells)],
    }
    .draw()
}
