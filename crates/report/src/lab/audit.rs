//! The page of an audit: how many of the moves that were reduced away were missed, and what tells them apart.

use std::collections::BTreeMap;

use lmrlab_lab::audit::Resamples;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::number_text::{percent, unsigned};
use maud::{Markup, html};

use super::bench::listed;
use super::blame;
use super::dots::{Dot, Dots, Line};
use super::file::{LabFile, or, slug};
use super::measures::Known;
use super::parts::Parts;
use super::profile::MOST_POLICIES;
use crate::chart::axis::{Axis, Writing, grouped};
use crate::chart::{Chart, Layer, Picture, Point};
use crate::page::{Page, Section};
use crate::rows::Shown;
use crate::table::printable;

/// The files of an audit, with columns that each must have.
pub(super) const FILES: [(&str, &[&str]); 9] = [
    (
        "totals.csv",
        &[
            "policy",
            "sampled",
            "missed_rate",
            "missed_lower_95",
            "missed_upper_95",
            "population",
            "reduced_low_low",
            "reduced_low_high",
        ],
    ),
    (
        "samples.csv",
        &[
            "policy",
            "position",
            "depth",
            "reduction",
            "failed_high",
            "shadow_raises",
            "rules",
        ],
    ),
    (
        "predictors.csv",
        &[
            "policy",
            "predictor",
            "reduce_when",
            "auc",
            "auc_lower_95",
            "auc_upper_95",
        ],
    ),
    (
        "roc.csv",
        &[
            "policy",
            "predictor",
            "raising_reduced",
            "low_reduced",
            "low_reduced_lower_95",
            "low_reduced_upper_95",
        ],
    ),
    (
        "nodes.csv",
        &[
            "policy",
            "expected",
            "outcome",
            "reduced_low_low",
            "reduced_low_high",
            "missed_rate",
        ],
    ),
    (
        "depths.csv",
        &["policy", "depth", "reduced_low_low", "reduced_low_high", "missed_rate"],
    ),
    (
        "reductions.csv",
        &["policy", "plies", "reduced_low_low", "reduced_low_high", "missed_rate"],
    ),
    (
        "rules.csv",
        &["policy", "rule", "reduced_low_low", "reduced_low_high", "missed_rate"],
    ),
    (
        "blame.csv",
        &[
            "policy",
            "position",
            "fen",
            "depth",
            "played",
            "played_score",
            "missed",
            "missed_score",
            "line",
            "reduced_on_the_way",
        ],
    ),
];

/// Files that may have no lines: nothing was found.
const MAY_BE_EMPTY: [&str; 8] = [
    "samples.csv",
    "predictors.csv",
    "roc.csv",
    "nodes.csv",
    "depths.csv",
    "reductions.csv",
    "rules.csv",
    "blame.csv",
];

/// Columns that hold numbers, where a file has them.
const NUMBERS: [&str; 19] = [
    "sampled",
    "undecided",
    "missed_rate",
    "missed_lower_95",
    "missed_upper_95",
    "population",
    "reduced_low_low",
    "reduced_low_high",
    "depth",
    "reduction",
    "failed_high",
    "shadow_raises",
    "auc",
    "auc_lower_95",
    "auc_upper_95",
    "raising_reduced",
    "low_reduced",
    "low_reduced_lower_95",
    "low_reduced_upper_95",
];

const HEADINGS: [Shown<'_>; 27] = [
    Shown::new("policy", "Policy", ""),
    Shown::new("depth", "Depth", "Of the node, in plies"),
    Shown::new("plies", "Plies", "Plies of reduction; negative: extended"),
    Shown::new("rule", "Rule", "Empty: no rule"),
    Shown::new("expected", "Expected", "What the node was expected to be"),
    Shown::new("outcome", "Turned out", ""),
    Shown::new("sampled", "Sampled", "Late moves of the sample"),
    Shown::new("undecided", "Undecided", "Shadow searches that ran out of nodes"),
    Shown::new(
        "reduced_low_low",
        "Rightly dismissed",
        "Reduced, failed low, and fails low at full depth",
    ),
    Shown::new(
        "reduced_low_high",
        "Missed",
        "Reduced, failed low, but raises alpha at full depth",
    ),
    Shown::new(
        "missed_rate",
        "Missed rate",
        "Missed moves divided by all that were reduced and failed low",
    ),
    Shown::new(
        "reduced_high_low",
        "False alarms",
        "Reduced, failed high, but fails low at full depth",
    ),
    Shown::new(
        "reduced_high_high",
        "Recognized",
        "Reduced, failed high, and raises alpha",
    ),
    Shown::new("unreduced_low_low", "Not reduced: low, low", ""),
    Shown::new(
        "unreduced_low_high",
        "low, high",
        "Not reduced, failed low, but the shadow search raises alpha",
    ),
    Shown::new("unreduced_high_low", "high, low", ""),
    Shown::new("unreduced_high_high", "high, high", ""),
    Shown::new("reduced", "Reduced", "Reduced and judged"),
    Shown::new(
        "missed_lower_95",
        "from",
        "Low end of the 95% interval of the missed rate",
    ),
    Shown::new(
        "missed_upper_95",
        "to",
        "High end of the 95% interval of the missed rate",
    ),
    Shown::new("population", "Late moves", "From which the sample was drawn"),
    Shown::new("nodes", "Nodes", "Of the observed searches"),
    Shown::new("shadow_nodes", "Shadow nodes", "Of the shadow searches"),
    Shown::new("predictor", "Predictor", "reduction is the policy itself"),
    Shown::new("reduce_when", "Reduce when it is", ""),
    Shown::new(
        "auc",
        "AUC",
        "Chance that it picks the move that fails low of one that does and one that raises alpha; 0.5 is guessing",
    ),
    Shown::new("auc_lower_95", "from", "Low end of the 95% interval of the AUC"),
];

/// Sets of positions drawn for an interval.
const RESAMPLES: usize = 1_000;
/// Predictors that are drawn, as in the table of text.
const SHOWN_PREDICTORS: usize = 20;
/// Curves of one picture beside the policy's.
const SHOWN_CURVES: usize = 5;

/// The page of a folder, or of one of its files.
pub(super) fn page(parts: &Parts) -> Result<Page, Failure> {
    for (name, columns) in FILES {
        if let Some(file) = parts.file(name) {
            if !(MAY_BE_EMPTY.contains(&name) && file.rows.rows.is_empty() && file.has(columns)) {
                file.needs("audit", columns)?;
            }
            file.numbers(&NUMBERS)?;
        }
    }
    let policies = parts.policies();
    let drawn = || policies.iter().take(MOST_POLICIES);
    let mut sections = Vec::new();
    if let Some(file) = parts.file("totals.csv") {
        let mut section = Section::new("totals", "Totals");
        if policies.len() > MOST_POLICIES {
            section.say(format!(
                "The first {MOST_POLICIES} policies have pictures; the tables have all."
            ));
        }
        section.add(file.table(&HEADINGS));
        sections.push(section);
    }
    let groups = [
        ("depths.csv", "depths", "By depth of the node", "depth", "depth (plies)"),
        (
            "reductions.csv",
            "reductions",
            "By plies of reduction",
            "plies",
            "reduction (plies)",
        ),
        ("rules.csv", "rules", "By rule", "rule", "rule"),
    ];
    for (name, id, heading, column, axis) in groups {
        let Some(file) = parts.file(name) else { continue };
        let mut section = Section::new(id, heading);
        for policy in drawn() {
            if let Some(picture) = rates(file, parts.file("samples.csv"), policy, column, axis) {
                section.draw(picture);
            }
        }
        section.add(file.table(&HEADINGS));
        sections.push(section);
    }
    if let Some(file) = parts.file("nodes.csv") {
        let mut section = Section::new("nodes", "By kind of node");
        section.add(file.table(&HEADINGS));
        sections.push(section);
    }
    let mut section = Section::new("predictors", "What tells missed moves apart");
    for policy in drawn() {
        if let Some(picture) = parts.file("predictors.csv").and_then(|file| aucs(file, policy)) {
            section.draw(picture);
        }
        if let Some(picture) = parts.file("roc.csv").and_then(|file| curves(file, policy)) {
            section.draw(picture);
        }
    }
    if let Some(file) = parts.file("predictors.csv") {
        let table = file.table(&HEADINGS);
        section.add(html! { details { summary { "Every predictor" } (table) } });
    }
    if !section.parts.is_empty() {
        sections.push(section);
    }
    if let Some(file) = parts.file("blame.csv") {
        sections.push(blame::section(file, &policies));
    }
    Ok(Page {
        title: format!("Audit of {}", listed(&policies)),
        subtitle: format!("{}: sampled late moves, searched again at full depth", parts.place()),
        verdict: verdict(parts),
        sections,
        reload_seconds: None,
    })
}

fn verdict(parts: &Parts) -> Markup {
    let Some(totals) = parts.file("totals.csv") else {
        return html! { p { "One file of an audit. The folder of the audit has the totals." } };
    };
    let rows = &totals.rows;
    let said = rows.rows.iter().map(|row| {
        let number = |name| rows.number(row, name);
        let interval = number("missed_lower_95").zip(number("missed_upper_95"));
        let interval = interval.map(|(low, high)| format!(" (95%: {} to {})", percent(Some(low)), percent(Some(high))));
        format!(
            "{}: {}{} of the moves that were reduced and failed low would have raised alpha ({} sampled of {} late moves).",
            printable(rows.cell(row, "policy")),
            percent(number("missed_rate")),
            interval.unwrap_or_default(),
            grouped(number("sampled").unwrap_or(0.0), 0),
            grouped(number("population").unwrap_or(0.0), 0),
        )
    });
    html! { @for sentence in said { p { (sentence) } } }
}

/// The missed rates of one policy by something, with intervals from the samples of the same folder.
fn rates(file: &LabFile, samples: Option<&LabFile>, policy: &str, column: &str, axis: &str) -> Option<Picture> {
    let known: Vec<(String, Known, f64, f64)> = file
        .of("policy", policy)
        .filter_map(|row| {
            let number = |name| file.rows.number(row, name);
            let (right, missed) = (number("reduced_low_low")?, number("reduced_low_high")?);
            let name = file.rows.cell(row, column);
            let known = Known {
                value: number("missed_rate")?,
                interval: samples.and_then(|samples| interval(samples, policy, column, name)),
            };
            Some((or(&printable(name), "(no rule)"), known, missed, right + missed))
        })
        .collect();
    if known.is_empty() {
        return None;
    }
    let text = |(name, known, missed, all): &(String, Known, f64, f64)| {
        let interval = known
            .interval
            .map(|(low, high)| format!(", 95%: {} to {}", percent(Some(low)), percent(Some(high))));
        format!(
            "{name}: {} ({missed} of {all}{})",
            percent(Some(known.value)),
            interval.unwrap_or_default()
        )
    };
    let said: Vec<String> = known.iter().map(text).collect();
    let lines: Vec<Line> = known
        .iter()
        .map(|line| {
            Line::Value(Dot {
                name: format!("{} ({})", line.0, grouped(line.3, 0)),
                value: line.1.value,
                interval: line.1.interval,
                series: 0,
                hover: text(line),
            })
        })
        .collect();
    let (missed, all) = known
        .iter()
        .fold((0.0, 0.0), |(missed, all), line| (missed + line.2, all + line.3));
    let ends = known
        .iter()
        .flat_map(|line| [line.1.value, line.1.interval.map_or(0.0, |(_, high)| high)]);
    let policy = printable(policy);
    Some(
        Dots {
            id: format!("missed-by-{column}-{}", slug(&policy)),
            title: format!("Missed moves of {policy} by {axis}"),
            description: format!("{}.", said.join("; ")),
            note: format!(
                "Share of the moves that were reduced and failed low, but raise alpha at full depth; in brackets how many such \
                 moves were sampled.{}",
                if known.iter().any(|line| line.1.interval.is_some()) {
                    " Bars: 95% intervals, from resampling positions; none where nothing was missed."
                } else {
                    ""
                }
            ),
            x: Axis::from_zero("missed (% of the moves that were reduced and failed low)", ends).written(Writing::Percent),
            names: axis.to_owned(),
            legend: Vec::new(),
            // A sample has several rules: their sum is not that of the samples.
            upright: (column != "rule").then(|| (missed / all, format!("all: {}", percent(Some(missed / all))))),
        }
        .draw(&lines),
    )
}

/// The interval of a missed rate, as the audit makes that of the whole: whole positions are resampled.
fn interval(samples: &LabFile, policy: &str, column: &str, name: &str) -> Option<(f64, f64)> {
    let rows = &samples.rows;
    let mut by_position: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    for row in samples.of("policy", policy) {
        let counts = by_position.entry(rows.cell(row, "position").to_owned()).or_default();
        let is_here = match column {
            "rule" if name.is_empty() => rows.cell(row, "rules").is_empty(),
            "rule" => rows.cell(row, "rules").split(' ').any(|rule| rule == name),
            "plies" => rows.cell(row, "reduction") == name,
            _ => rows.cell(row, column) == name,
        };
        let is_dismissed = rows.number(row, "reduction") > Some(0.0) && rows.cell(row, "failed_high") == "0";
        if is_here && is_dismissed {
            match rows.cell(row, "shadow_raises") {
                "1" => *counts = (counts.0 + 1, counts.1 + 1),
                "0" => counts.1 += 1,
                _ => {}
            }
        }
    }
    let resamples = Resamples::new(by_position.len(), RESAMPLES, 1);
    resamples.interval(|weights| {
        let (mut missed, mut all) = (0, 0);
        for ((part, whole), weight) in by_position.values().zip(weights) {
            missed += part * weight;
            all += whole * weight;
        }
        (all > 0).then(|| f64::from(missed) / f64::from(all))
    })
}

/// How well each number does, with intervals.
fn aucs(file: &LabFile, policy: &str) -> Option<Picture> {
    let known: Vec<(String, Known, String)> = file
        .of("policy", policy)
        .filter_map(|row| {
            let number = |name| file.rows.number(row, name);
            Some((
                printable(file.rows.cell(row, "predictor")),
                Known {
                    value: number("auc")?,
                    interval: number("auc_lower_95").zip(number("auc_upper_95")),
                },
                printable(file.rows.cell(row, "reduce_when")),
            ))
        })
        .collect();
    let all = known.len();
    let known: Vec<_> = known.into_iter().take(SHOWN_PREDICTORS).collect();
    if known.is_empty() {
        return None;
    }
    let text = |(name, known, when): &(String, Known, String)| {
        let interval = known
            .interval
            .map(|(low, high)| format!(" (95%: {low:.3} to {high:.3})"));
        format!(
            "{name}, reduce when {when}: AUC {}{}",
            unsigned(Some(known.value), 3),
            interval.unwrap_or_default()
        )
    };
    let said: Vec<String> = known.iter().map(text).collect();
    let ends = known.iter().flat_map(|line| {
        let (low, high) = line.1.interval.unwrap_or((line.1.value, line.1.value));
        [low, high]
    });
    let ends: Vec<f64> = ends.chain([0.5]).collect();
    let lines: Vec<Line> = known
        .iter()
        .map(|line| {
            let is_policy = line.0 == "reduction";
            Line::Value(Dot {
                name: if is_policy {
                    "reduction (the policy)".to_owned()
                } else {
                    format!("{} ({})", line.0, line.2)
                },
                value: line.1.value,
                interval: line.1.interval,
                series: usize::from(is_policy),
                hover: text(line),
            })
        })
        .collect();
    let left_out = match all - known.len() {
        0 => String::new(),
        rest => format!(" {rest} more are in the table."),
    };
    let policy = printable(policy);
    Some(
        Dots {
            id: format!("auc-{}", slug(&policy)),
            title: format!("{policy}: how well each number separates moves that fail low from moves that raise alpha"),
            description: format!("{}.{left_out}", said.join("; ")),
            note: format!(
                "AUC: take one move that fails low and one that raises alpha; the chance that the number, used as a reason to \
                 reduce, picks the first. In brackets: reduce when it is great or small. Bars: 95% intervals.{left_out}"
            ),
            x: Axis::linear("AUC (chance to pick the right one of two moves)", ends),
            names: String::new(),
            legend: vec![(1, "the policy itself".to_owned()), (0, "numbers that could be a reason to reduce".to_owned())],
            upright: Some((0.5, "guessing".to_owned())),
        }
        .draw(&lines),
    )
}

fn curves(file: &LabFile, policy: &str) -> Option<Picture> {
    let mut curves: Vec<(String, Vec<&[String]>)> = Vec::new();
    for row in file.of("policy", policy) {
        let predictor = file.rows.cell(row, "predictor");
        match curves.iter_mut().find(|(name, _)| name == predictor) {
            Some((_, points)) => points.push(row),
            None => curves.push((predictor.to_owned(), vec![row])),
        }
    }
    // The file has the policy's own reduction first, then the best.
    curves.truncate(SHOWN_CURVES + 1);
    if curves.is_empty() {
        return None;
    }
    let mut layers = vec![Layer::Line {
        series: DIAGONAL,
        points: vec![(0.0, 0.0), (1.0, 1.0)],
    }];
    let mut legend = Vec::new();
    let mut said = Vec::new();
    for (series, (name, rows)) in curves.iter().enumerate() {
        let number = |row: &[String], name| file.rows.number(row, name);
        let points: Vec<(f64, f64)> = rows
            .iter()
            .filter_map(|row| number(row, "raising_reduced").zip(number(row, "low_reduced")))
            .collect();
        // One band alone can be read: that of the policy.
        if series == 0 {
            let band = rows.iter().filter_map(|row| {
                Some((
                    number(row, "raising_reduced")?,
                    number(row, "low_reduced_lower_95")?,
                    number(row, "low_reduced_upper_95")?,
                ))
            });
            layers.push(Layer::Band {
                series,
                points: band.collect(),
            });
        }
        if let Some((x, y)) = points.iter().find(|(x, _)| *x >= 0.1) {
            said.push(format!(
                "{name}: {} of the moves that fail low with {} of those that raise alpha",
                percent(Some(*y)),
                percent(Some(*x))
            ));
        }
        let marks = points.iter().skip(2 + series).step_by(8).map(|(x, y)| Point {
            at: (*x, *y),
            hover: format!(
                "{name}: {} of the moves that raise alpha, {} of those that fail low",
                percent(Some(*x)),
                percent(Some(*y))
            ),
            ..Point::default()
        });
        let marks = marks.collect();
        layers.push(Layer::Line { series, points });
        layers.push(Layer::Points { series, points: marks });
        let title = if name == "reduction" {
            "reduction (the policy)".to_owned()
        } else {
            printable(name)
        };
        legend.push((series, title));
    }
    let policy = printable(policy);
    Some(
        Chart {
            id: format!("roc-{}", slug(&policy)),
            title: format!("{policy}: ROC of the policy itself and of the best predictors"),
            description: format!("{}.", said.join("; ")),
            x: Axis::exact("dismissed share of the moves that raise alpha (wrongly)", (0.0, 1.0)).written(Writing::Percent),
            y: Axis::exact("dismissed share of the moves that fail low (rightly)", (0.0, 1.0)).written(Writing::Percent),
            height: 520.0,
            legend,
            note: "The nearer a curve is to the top left, the better the number tells apart. Band: 95% interval of the policy's curve. \
                   Dotted diagonal: guessing."
                .to_owned(),
            layers,
        }
        .draw(),
    )
}

/// The series of the diagonal: behind all curves.
const DIAGONAL: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::Rows;

    #[test]
    fn intervals_come_from_the_samples_of_the_line() {
        let columns = [
            "policy",
            "position",
            "depth",
            "reduction",
            "failed_high",
            "shadow_raises",
            "rules",
        ];
        let mut rows = Vec::new();
        for position in 0..10 {
            for (depth, reduction, failed, raises) in [
                (3, 1, 0, 0),
                (3, 2, 0, i32::from(position < 5)),
                (4, 1, 0, 0),
                (3, 0, 0, 1),
            ] {
                let cells = [
                    "p".to_owned(),
                    format!("#{position}"),
                    depth.to_string(),
                    reduction.to_string(),
                    failed.to_string(),
                    raises.to_string(),
                    "a b".to_owned(),
                ];
                rows.push(cells.to_vec());
            }
        }
        let samples = LabFile {
            place: "samples.csv".to_owned(),
            name: "samples.csv".to_owned(),
            rows: Rows {
                columns: columns.map(str::to_owned).to_vec(),
                rows,
            },
        };
        // At depth 3 half of the positions have one miss of two, and the others none: 25% within its spread.
        let (low, high) = interval(&samples, "p", "depth", "3").unwrap();
        assert!(
            (0.05..0.2).contains(&low) && (0.3..0.45).contains(&high),
            "{low} {high}"
        );
        assert_eq!(interval(&samples, "p", "depth", "4"), Some((0.0, 0.0)));
        let (low, high) = interval(&samples, "p", "plies", "2").unwrap();
        assert!(low < 0.5 && high > 0.5);
        assert_eq!(
            interval(&samples, "p", "rule", "b"),
            interval(&samples, "p", "rule", "a")
        );
        assert_eq!(interval(&samples, "p", "rule", ""), None);
        assert_eq!(interval(&samples, "p", "depth", "9"), None);
    }
}
