//! What a policy costs against what it gains: a point for each, with its name.

use std::collections::BTreeMap;
use std::path::Path;

use lmrlab_results::failure::Failure;
use lmrlab_stats::CONFIDENCE;
use maud::html;

use super::file::{LabFile, or};
use super::measures::{Known, Measure, ratio_axis};
use crate::chart::axis::{Axis, Writing, grouped};
use crate::chart::{Chart, Layer, Picture, Point};
use crate::page::{Page, Section};

/// A policy or an engine with its cost and its gain.
#[derive(Debug, Clone)]
pub(super) struct Named {
    pub(super) name: String,
    /// The names of all that are at the same place; empty until they are looked for.
    pub(super) all: String,
    pub(super) cost: Known,
    pub(super) gain: Known,
}

impl Named {
    pub(super) fn new(name: String, cost: Known, gain: Known) -> Self {
        let all = String::new();
        Self { name, all, cost, gain }
    }
}

/// What the two axes show.
struct Axes<'a> {
    id: String,
    title: String,
    /// What costs are: `nodes to depth, divided by those of house`.
    cost: &'a str,
    gain: Measure,
    gain_axis: &'a str,
}

/// What policies cost and what they gain, by each measure except the nodes.
pub(super) fn section(measures: &[Measure], subject: &str, points: impl Fn(Measure) -> Vec<Named>) -> Option<Section> {
    let mut section = Section::new("nodes-and-gain", "What it costs and what it brings");
    for measure in measures.iter().filter(|measure| **measure != Measure::Nodes) {
        let axes = Axes {
            id: format!("{}-by-nodes", measure.id()),
            title: format!("{} by nodes to depth: {subject}", measure.title()),
            cost: Measure::Nodes.axis(),
            gain: *measure,
            gain_axis: measure.axis(),
        };
        if let Some(picture) = draw(axes, &points(*measure)) {
            section.draw(picture);
        }
    }
    (!section.parts.is_empty()).then_some(section)
}

/// Elo by nodes.
fn elo_by_nodes(points: &[Named], what: &str, cost: &str) -> Option<Picture> {
    let axes = Axes {
        id: "nodes-elo".to_owned(),
        title: format!("Elo by nodes: {what}"),
        cost,
        gain: Measure::Elo,
        gain_axis: "Elo",
    };
    draw(axes, points)
}

/// The series of the points that no other point beats in both cost and gain.
const FRONT: usize = 2;
const OTHERS: usize = 0;

/// The picture; `None` for fewer than three points: a picture would show nothing new.
fn draw(axes: Axes<'_>, points: &[Named]) -> Option<Picture> {
    if points.len() < 3 {
        return None;
    }
    let points = &merged(points);
    let beats = |one: &Named, other: &Named| {
        let worse = axes.gain.is_better(other.gain.value, one.gain.value) || other.cost.value < one.cost.value;
        let better = axes.gain.is_better(one.gain.value, other.gain.value) || one.cost.value < other.cost.value;
        better && !worse
    };
    let is_front = |point: &Named| !points.iter().any(|other| beats(other, point));
    let as_point = |point: &Named| Point {
        at: (point.cost.value, point.gain.value),
        across: point.cost.spread(),
        along: point.gain.spread(),
        hover: format!(
            "{}: {} nodes{}, {}",
            point.all,
            grouped(point.cost.value, 3),
            (point.cost.spread())
                .map(|(low, high)| format!(" ({} to {})", grouped(low, 3), grouped(high, 3)))
                .unwrap_or_default(),
            axes.gain.known(point.gain)
        ),
        label: Some(point.name.clone()),
    };
    let (front, others): (Vec<&Named>, Vec<&Named>) = points.iter().partition(|point| is_front(point));
    let ends = |known: fn(&Named) -> Known| points.iter().flat_map(move |point| known(point).extent());
    let mut names: Vec<&Named> = front.clone();
    names.sort_by(|one, other| one.cost.value.total_cmp(&other.cost.value));
    let said: Vec<String> = names
        .iter()
        .map(|point| {
            format!(
                "{} ({} nodes, {})",
                point.name,
                grouped(point.cost.value, 3),
                axes.gain.text(point.gain.value)
            )
        })
        .collect();
    let gains = Axis::linear(axes.gain_axis, ends(|point| point.gain));
    let mut layers = Vec::new();
    if axes.gain != Measure::Missed {
        layers.push(Layer::Level(0.0, String::new()));
    }
    for (series, points) in [(FRONT, &front), (OTHERS, &others)] {
        layers.push(Layer::Points(
            series,
            points.iter().map(|point| as_point(point)).collect(),
        ));
    }
    let mut legend = vec![(FRONT, "no other beats it in both".to_owned())];
    if !others.is_empty() {
        legend.push((OTHERS, "others".to_owned()));
    }
    Some(
        Chart {
            id: axes.id,
            title: axes.title,
            description: format!("Beaten by no other in both: {}.", said.join("; ")),
            x: ratio_axis(axes.cost, &ends(|point| point.cost).collect::<Vec<_>>()),
            y: gains.written(match axes.gain {
                Measure::Missed => Writing::Percent,
                _ => Writing::Signed,
            }),
            height: 380.0,
            legend,
            note: format!(
                "{} Bars: {CONFIDENCE} intervals. A name without room shows when its point is pointed at.",
                match axes.gain {
                    Measure::Missed => "Left is cheaper, below is more accurate: the best are at the bottom left.",
                    _ => "Left is cheaper, above is better: the best are at the top left.",
                }
            ),
            layers,
        }
        .draw(),
    )
}

/// Joins points at one place to one point with all names. For example, rules that change nothing are where the policy
/// as named is.
fn merged(points: &[Named]) -> Vec<Named> {
    let mut merged: Vec<(Named, Vec<&str>)> = Vec::new();
    for point in points {
        let same = |(other, _): &&mut (Named, Vec<&str>)| {
            (other.cost.value, other.gain.value) == (point.cost.value, point.gain.value)
        };
        match merged.iter_mut().find(same) {
            Some((_, names)) => names.push(&point.name),
            None => merged.push((point.clone(), vec![&point.name])),
        }
    }
    let name = |names: &[&str]| match names {
        [one] => (*one).to_owned(),
        [first, rest @ ..] => format!("{first} and {} more", rest.len()),
        [] => String::new(),
    };
    merged
        .into_iter()
        .map(|(point, names)| Named {
            name: name(&names),
            all: names.join(", "),
            ..point
        })
        .collect()
}

/// Columns that name the subject of a line.
const NAMES: [&str; 3] = ["policy", "engine", "name"];
/// Columns of costs, and their axes.
const COSTS: [(&str, &str); 3] = [
    ("nodes_ratio", "nodes to depth, ratio to the policy as named"),
    ("mean_nodes", "nodes of a search (mean)"),
    ("nodes", "nodes"),
];

/// The columns of names, nodes and Elo of a file, where it has them.
fn columns_of(file: &LabFile) -> (Option<&'static str>, Option<(&'static str, &'static str)>, bool) {
    let name = NAMES.into_iter().find(|name| file.has(&[name]));
    let cost = COSTS.into_iter().find(|(column, _)| file.has(&[column]));
    (name, cost, file.has(&["elo"]))
}

/// Whether a file has names, nodes and Elo.
pub(super) fn is_one(file: &LabFile) -> bool {
    matches!(columns_of(file), (Some(_), Some(_), true))
}

/// What several files together say about nodes and Elo, for each name that has both, in whichever files. `None` when
/// the files do not complement each other, or when one of them has both.
pub(super) fn across(paths: &[&Path]) -> Result<Option<Page>, Failure> {
    let mut costs: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    let mut intervals: BTreeMap<String, Known> = BTreeMap::new();
    let mut gains: BTreeMap<String, Known> = BTreeMap::new();
    let mut axis = "";
    let mut files = Vec::new();
    for path in paths {
        let file = LabFile::read(path)?;
        let (Some(name), cost, has_elo) = columns_of(&file) else {
            continue;
        };
        if cost.is_some() && has_elo && Measure::of_file(&file).contains(&Measure::Nodes) {
            return Ok(None);
        }
        for row in &file.rows.rows {
            let name = file.rows.cell(row, name).to_owned();
            if let Some(known) = Measure::Elo.of(&file.rows, row) {
                gains.insert(name, known);
            } else if let (Some((column, words)), false) = (cost, has_elo) {
                let Some(value) = file.rows.number(row, column) else {
                    continue;
                };
                axis = words;
                costs.entry(name.clone()).or_default().push(value);
                intervals.extend(Measure::Nodes.of(&file.rows, row).map(|known| (name, known)));
            }
        }
        files.push(file.name);
    }
    let points: Vec<Named> = gains
        .into_iter()
        .filter_map(|(name, gain)| {
            let sum = Known::exact(costs.get(&name)?.iter().sum());
            let cost = intervals.get(&name).copied().unwrap_or(sum);
            Some(Named::new(name, cost, gain))
        })
        .collect();
    let what = format!("{} policies of {}", points.len(), files.join(", "));
    let picture = elo_by_nodes(&points, &what, axis);
    Ok(picture.map(|picture| {
        let mut section = Section::new("nodes-elo", "Elo by nodes");
        section.draw(picture);
        Page {
            title: "Elo by nodes".to_owned(),
            subtitle: files.join(", "),
            verdict: html! { p { (points.len()) " policies have both nodes and Elo in these files." } },
            sections: vec![section],
            reload_seconds: None,
        }
    }))
}

/// The page of a file that has nodes and Elo, whatever wrote it.
pub(super) fn page(file: &LabFile) -> Result<Page, Failure> {
    let (Some(name), Some((column, words)), _) = columns_of(file) else {
        return Err(super::unknown(&file.place));
    };
    file.needs("report", &[name, column, "elo"])?;
    file.numbers(&[column, "elo", "elo_error_95"])?;
    let points: Vec<Named> = file
        .rows
        .rows
        .iter()
        .filter_map(|row| {
            let cost = match column {
                "nodes_ratio" => Measure::Nodes.of(&file.rows, row)?,
                _ => Known::exact(file.rows.number(row, column)?),
            };
            let name = or(file.rows.cell(row, name), "(no name)");
            Some(Named::new(name, cost, Measure::Elo.of(&file.rows, row)?))
        })
        .collect();
    let mut section = Section::new("nodes-elo", "Elo by nodes");
    let what = format!("the {} lines of {}", points.len(), file.name);
    match elo_by_nodes(&points, &what, words) {
        Some(picture) => section.draw(picture),
        None => section.say("Fewer than three lines have both nodes and Elo: the table says it all."),
    }
    section.add(file.table(&[]));
    Ok(Page {
        title: file.name.clone(),
        subtitle: "nodes and Elo".to_owned(),
        verdict: html! { p { (points.len()) " lines have both nodes and Elo." } },
        sections: vec![section],
        reload_seconds: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str, cost: f64, gain: f64) -> Named {
        Named::new(name.to_owned(), Known::exact(cost), Known::exact(gain))
    }

    fn axes(gain: Measure) -> Axes<'static> {
        Axes {
            id: "x".to_owned(),
            title: "x".to_owned(),
            cost: "nodes",
            gain,
            gain_axis: "gain",
        }
    }

    #[test]
    fn what_no_other_beats_in_both_is_marked() {
        let points = [
            named("a", 1.0, 0.0),
            named("b", 0.5, -10.0),
            named("c", 1.2, -5.0),
            named("d", 1.0, -3.0),
        ];
        let picture = draw(axes(Measure::Elo), &points).unwrap();
        assert_eq!(
            picture.description,
            "Beaten by no other in both: b (0.5 nodes, -10.0 Elo); a (1 nodes, +0.0 Elo)."
        );
        // Of missed moves fewer are better.
        let points = [named("a", 1.0, 0.1), named("b", 0.5, 0.2), named("c", 1.2, 0.3)];
        let picture = draw(axes(Measure::Missed), &points).unwrap();
        assert!(
            picture
                .description
                .contains(": b (0.5 nodes, 20.0%); a (1 nodes, 10.0%).")
        );
        assert!(draw(axes(Measure::Elo), &points[..2]).is_none());
    }

    #[test]
    fn points_at_one_place_have_one_name_and_say_all() {
        let points = [
            named("as named", 1.0, 0.0),
            named("-a", 1.0, 0.0),
            named("-b", 1.0, 0.0),
            named("-c", 0.9, 0.0),
        ];
        let merged = merged(&points);
        assert_eq!(merged.len(), 2);
        assert_eq!(
            (merged[0].name.as_str(), merged[0].all.as_str()),
            ("as named and 2 more", "as named, -a, -b")
        );
    }
}
