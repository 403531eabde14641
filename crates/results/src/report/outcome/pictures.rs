//! The pictures of an outcome, drawn.

use std::collections::{BTreeMap, BTreeSet};

use crate::outcome::notation::{legal, san};
use crate::outcome::picture::{
    Bars, Board, Intervals, Judgement, Line, Lines, MOST_LINES, Map, MapCell, Mark, Picture, Quantity,
};
use crate::outcome::table::Known;
use crate::seen::Seen;
use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_stats::CONFIDENCE;
use maud::html;

use super::slug;
use crate::report::board::{Arrow, Diagram};
use crate::report::chart::axis::{Axis, Writing};
use crate::report::chart::{self, Bar, Chart, Dot, Layer};
use crate::report::page::Section;
use crate::report::table::printable;

/// Most points of a curve that have a mark.
const MOST_MARKS: usize = 40;

/// Draws a picture into a section.
pub(super) fn draw(picture: &Picture, section: &mut Section) {
    let of = slug(&section.heading);
    match picture {
        Picture::Intervals(picture) => section.draw(intervals(picture)),
        Picture::Lines(picture) => section.draw(lines(picture)),
        Picture::Bars(picture) => section.draw(bars(picture)),
        Picture::Map(picture) => section.draw(map(picture)),
        Picture::Board(picture) => board(picture, &of, section),
    }
}

/// A number of a series, so each judgement has its own mark.
fn series(judgement: Judgement) -> usize {
    judgement as usize
}

/// An axis for values and the ends of their intervals. Ratios are logarithmic where they differ by more than a factor of 3.
fn axis(quantity: &Quantity, known: impl IntoIterator<Item = Known>) -> Axis {
    let unchanged = quantity.unchanged.iter().map(|(value, _)| *value);
    let values: Vec<f64> = known.into_iter().flat_map(Known::extent).chain(unchanged).collect();
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let name = printable(&quantity.name);
    match quantity.seen {
        _ if quantity.is_ratio && low > 0.0 && high > 3.0 * low => {
            Axis::logarithmic(format!("{name} (logarithmic)"), values)
        }
        seen if seen.is_percent() => Axis::from_zero(name, values).written(Writing::Percent),
        Seen::Signed(_) => Axis::linear(name, values).written(Writing::Signed),
        _ => Axis::linear(name, values),
    }
}

/// The meanings of the marks that occur.
fn legend(quantity: &Quantity, judged: &BTreeSet<Judgement>) -> Vec<(usize, String)> {
    let [below, above] = quantity.sides;
    let (worse, better) = if quantity.is_cost {
        (above, below)
    } else {
        (below, above)
    };
    let words = |judgement: &Judgement| match judgement {
        Judgement::Unclear => "no clear change",
        Judgement::Worse => worse,
        Judgement::Better => better,
    };
    let is_judged = !quantity.sides[0].is_empty();
    let judged = judged.iter().filter(|_| is_judged);
    judged
        .map(|judgement| (series(*judgement), words(judgement).to_owned()))
        .collect()
}

fn described(note: &str, has_intervals: bool) -> String {
    let bars = if has_intervals {
        format!("Bars: {CONFIDENCE} intervals.")
    } else {
        String::new()
    };
    [note, &bars]
        .into_iter()
        .filter(|text| !text.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// At most [`MOST_LINES`] lines, in their order: those farthest from the value at which nothing has changed.
fn farthest<'l>(quantity: &Quantity, lines: &'l [Line]) -> Vec<&'l Line> {
    let distance = |line: &Line| match (line, &quantity.unchanged) {
        (Line::Value(_, known, _), Some((unchanged, _))) if quantity.is_ratio => (known.value / unchanged).ln().abs(),
        (Line::Value(_, known, _), Some((unchanged, _))) => (known.value - unchanged).abs(),
        _ => f64::INFINITY,
    };
    let mut places: Vec<usize> = (0..lines.len()).collect();
    places.sort_by(|one, other| distance(&lines[*other]).total_cmp(&distance(&lines[*one])));
    places.truncate(MOST_LINES);
    places.sort_unstable();
    places.into_iter().map(|place| &lines[place]).collect()
}

fn intervals(picture: &Intervals) -> chart::Picture {
    let quantity = &picture.quantity;
    let shown = farthest(quantity, &picture.lines);
    let left = picture.lines.len() - shown.len();
    // The name of the vertical line is written above the first value.
    let room = Line::Heading(String::new());
    let lines: Vec<&Line> = quantity.unchanged.iter().map(|_| &room).chain(shown).collect();
    let (mut layers, mut said, mut values, mut judged) = (Vec::new(), Vec::new(), Vec::new(), BTreeSet::new());
    layers.extend((quantity.unchanged.iter()).map(|(value, name)| Layer::Upright(*value, printable(name))));
    let mut points: [Vec<Dot>; 3] = [const { Vec::new() }; 3];
    for (index, line) in lines.iter().enumerate() {
        let Line::Value(name, known, is_marked) = line else {
            continue;
        };
        let judgement = if *is_marked {
            Judgement::Worse
        } else {
            quantity.judge(*known)
        };
        let hover = format!("{}: {}", printable(name), quantity.text(*known));
        said.push(hover.clone());
        values.push(*known);
        judged.insert(judgement);
        points[series(judgement)].push(Dot {
            at: (known.value, index as f64),
            across: known.spread(),
            hover,
            ..Dot::default()
        });
    }
    layers.extend(
        points
            .into_iter()
            .enumerate()
            .map(|(series, points)| Layer::Points(series, points)),
    );
    let names = lines.iter().map(|line| match line {
        Line::Heading(text) | Line::Value(text, ..) => printable(text),
    });
    let more = if left > 0 {
        format!(" The table has {left} more lines.")
    } else {
        String::new()
    };
    let has_intervals = values.iter().any(|known| known.spread().is_some());
    Chart {
        id: slug(&picture.title),
        title: printable(&picture.title),
        description: format!("{}.{more}", said.join("; ")),
        x: axis(quantity, values),
        y: Axis::names("", names.collect()).reversed(),
        // Room for the name of the axis, too.
        height: (30.0 + 25.0 * lines.len() as f64).max(125.0),
        legend: legend(quantity, &judged),
        note: described(&picture.note, has_intervals) + &more,
        layers,
    }
    .draw()
}

fn lines(picture: &Lines) -> chart::Picture {
    let (x, y) = (&picture.x, &picture.y);
    let mut layers = Vec::new();
    let levels = || y.unchanged.iter().chain(&picture.levels);
    layers.extend(levels().map(|(value, name)| Layer::Level(*value, printable(name))));
    layers.extend((x.unchanged.iter()).map(|(value, name)| Layer::Upright(*value, printable(name))));
    let is_single = picture.curves.len() == 1 && !picture.curves[0].has_band && !y.sides[0].is_empty();
    let (mut legend, mut said, mut judged) = (Vec::new(), Vec::new(), BTreeSet::new());
    for (series, curve) in picture.curves.iter().enumerate() {
        let name = printable(&curve.name);
        let hover =
            |(at, known): &(f64, Known)| format!("{name}, {} {}: {}", x.name, x.seen.number(*at), y.text(*known));
        if curve.has_band {
            let ends = curve
                .points
                .iter()
                .filter_map(|(at, known)| Some((*at, known.interval?)));
            layers.push(Layer::Band(
                series,
                ends.map(|(at, (low, high))| (at, low, high)).collect(),
            ));
        }
        layers.push(Layer::Line(
            series,
            curve.points.iter().map(|(at, known)| (*at, known.value)).collect(),
        ));
        // A line with many points answers the mouse by itself.
        let marked = if curve.points.len() > MOST_MARKS {
            &curve.points[curve.points.len() - 1..]
        } else {
            &curve.points[..]
        };
        let label = |at: f64| picture.labels.iter().find(|(place, _)| *place == at && series == 0);
        let mut points: BTreeMap<usize, Vec<Dot>> = BTreeMap::new();
        for point in marked {
            let judgement = y.judge(point.1);
            judged.insert(judgement);
            // The points of a single curve say by their marks what their intervals say.
            let mark = if is_single { self::series(judgement) } else { series };
            points.entry(mark).or_default().push(Dot {
                at: (point.0, point.1.value),
                along: (!curve.has_band).then(|| point.1.spread()).flatten(),
                hover: hover(point),
                label: label(point.0).map(|(_, label)| printable(label)),
                ..Dot::default()
            });
        }
        layers.extend(points.into_iter().map(|(series, points)| Layer::Points(series, points)));
        said.extend(marked.iter().map(hover));
        legend.push((series, name));
    }
    if is_single {
        legend = self::legend(y, &judged);
    }
    let points = || picture.curves.iter().flat_map(|curve| &curve.points);
    let has_bars = picture
        .curves
        .iter()
        .any(|curve| !curve.has_band && curve.points.iter().any(|(_, known)| known.spread().is_some()));
    Chart {
        id: slug(&picture.title),
        title: printable(&picture.title),
        description: format!("{}.", said.join("; ")),
        x: axis(x, points().map(|(at, _)| Known::exact(*at))),
        y: axis(y, points().map(|(_, known)| *known)),
        height: 270.0,
        legend: if legend.len() > 1 || is_single {
            legend
        } else {
            Vec::new()
        },
        note: described(&picture.note, has_bars),
        layers,
    }
    .draw()
}

fn bars(picture: &Bars) -> chart::Picture {
    let said = |(name, _, said): &(String, f64, String)| format!("{}: {said}", printable(name));
    let is_upright = picture.numbered.is_some();
    let bar = |(index, (name, length, meaning)): (usize, &(String, f64, String))| {
        let (along, across) = ((0.0, *length), (index as f64 - 0.32, index as f64 + 0.32));
        let next = (across.0 + 1.0, across.1 + 1.0);
        let (x, y) = if is_upright { (next, along) } else { (along, across) };
        Bar {
            x,
            y,
            hover: format!("{}: {meaning}", printable(name)),
            text: match is_upright {
                true => String::new(),
                false => picture.quantity.seen.number(*length),
            },
        }
    };
    let of_sign = |is_below: bool| {
        let bars = picture.bars.iter().enumerate();
        bars.filter(move |(_, bar)| (bar.1 < 0.0) == is_below)
            .map(bar)
            .collect()
    };
    let lengths = picture.bars.iter().map(|bar| bar.1).chain([picture.most]);
    let (axis, count) = (printable(&picture.quantity.name), picture.bars.len() as f64);
    let least = lengths.clone().fold(0.0, f64::min);
    let (x, y) = match &picture.numbered {
        Some(numbers) => (
            Axis::exact(numbers, (0.0, count + 1.0)),
            Axis::exact(axis, (1.06 * least, 1.06 * lengths.fold(0.0, f64::max))),
        ),
        None => (
            Axis::from_zero(axis, [picture.most]),
            Axis::names("", picture.bars.iter().map(|(name, ..)| printable(name)).collect()).reversed(),
        ),
    };
    let [below, above] = picture.quantity.sides.map(str::to_owned);
    Chart {
        id: slug(&picture.title),
        title: printable(&picture.title),
        description: format!("{}.", picture.bars.iter().map(said).collect::<Vec<_>>().join("; ")),
        x,
        y,
        height: if is_upright { 170.0 } else { 20.0 + 28.0 * count },
        legend: if least < 0.0 {
            vec![(0, above), (1, below)]
        } else {
            Vec::new()
        },
        note: picture.note.clone(),
        layers: vec![Layer::Bars(0, of_sign(false)), Layer::Bars(1, of_sign(true))],
    }
    .draw()
}

fn map(picture: &Map) -> chart::Picture {
    let name = |names: &[String], index: usize| names.get(index).map_or_else(String::new, |name| printable(name));
    let place = |cell: &MapCell| {
        format!(
            "{} {}, {} {}: {} {}",
            picture.down,
            name(&picture.rows, cell.row),
            picture.right,
            name(&picture.columns, cell.column),
            cell.text,
            cell.detail
        )
    };
    let cells = picture.cells.iter().map(|cell| MapCell {
        detail: place(cell),
        ..cell.clone()
    });
    let counted = || picture.cells.iter().filter(|cell| cell.mark != Mark::Few);
    let greatest = counted().max_by(|one, other| one.level.total_cmp(&other.level));
    let least = counted().min_by(|one, other| one.level.total_cmp(&other.level));
    let said = greatest
        .zip(least)
        .map(|(greatest, least)| format!("Strongest: {}; weakest: {}.", place(greatest), place(least)));
    Chart {
        id: slug(&picture.title),
        title: printable(&picture.title),
        description: said.unwrap_or_default(),
        x: Axis::names(
            picture.right.clone(),
            picture.columns.iter().map(|name| printable(name)).collect(),
        ),
        y: Axis::names(
            picture.down.clone(),
            picture.rows.iter().map(|name| printable(name)).collect(),
        )
        .reversed(),
        height: 26.0 * picture.rows.len() as f64,
        legend: Vec::new(),
        note: format!("{} Point at a cell to see what it counts.", picture.note),
        layers: vec![Layer::Cells(cells.collect())],
    }
    .draw()
}

fn board(picture: &Board, of: &str, section: &mut Section) {
    let id = format!("{of}-{}", slug(&picture.title));
    let Some(mut diagram) = Diagram::of(id, printable(&picture.title), &picture.fen) else {
        section.say(format!("{}: {}", picture.title, picture.fen));
        return;
    };
    for (mv, is_right, meaning) in &picture.moves {
        let Some(mv) = legal(&diagram.position, mv) else {
            continue;
        };
        let meaning = format!("{}: {}", san(&diagram.position, mv), printable(meaning));
        let series = series(if *is_right { Judgement::Better } else { Judgement::Worse });
        let arrow = Arrow::of(&diagram.position, mv, series, meaning);
        diagram.arrows.push(arrow);
    }
    let fen = ChessVariant::of(&diagram.position).fen(&diagram.position);
    section.card(
        diagram.draw(),
        html! {
            @for sentence in &picture.text { p { (printable(sentence)) } }
            p.note { code { (fen) } }
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_lines_those_farthest_from_no_change_are_drawn() {
        let of = |quantity: Quantity, value: fn(f64) -> f64| -> Vec<f64> {
            let line = |at: i32| Line::Value(String::new(), Known::exact(value(f64::from(at))), false);
            let lines: Vec<Line> = (-50..=50).rev().map(line).collect();
            let values = farthest(&quantity, &lines).into_iter().filter_map(|line| match line {
                Line::Value(_, known, _) => Some(known.value),
                Line::Heading(_) => None,
            });
            values.collect()
        };
        let elo = of(Quantity::elo("Elo", ""), |at| at);
        assert_eq!(
            (elo.len(), elo[0], elo[29], elo[30], elo[59]),
            (MOST_LINES, 50.0, 21.0, -21.0, -50.0)
        );
        let ratios = of(Quantity::ratio("nodes", "", ["", ""]), f64::exp);
        assert_eq!((ratios[0], ratios[59]), (50_f64.exp(), (-50_f64).exp()));
        let others = of(Quantity::new("AUC", Seen::AsWritten), |at| at);
        assert_eq!((others[0], others[59]), (50.0, -9.0));
    }
}
