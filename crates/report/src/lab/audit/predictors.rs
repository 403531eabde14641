//! How well the policy, and each number that it could have used, separates moves that fail low from moves that raise alpha.

use lmrlab_results::number_text::{percent, unsigned};
use lmrlab_stats::CONFIDENCE;

use crate::chart::axis::{Axis, Writing};
use crate::chart::{Chart, Layer, Picture, Point};
use crate::lab::dots::{Dot, Dots, Line};
use crate::lab::file::{LabFile, slug};
use crate::lab::measures::Known;
use crate::table::printable;

/// The number of predictors that are drawn; the table of text has the same number.
const SHOWN_PREDICTORS: usize = 20;
/// Curves of one picture beside the policy's.
const SHOWN_CURVES: usize = 5;
/// The series of the diagonal: behind all curves.
const DIAGONAL: usize = 6;

/// How well each number does, with intervals.
pub(super) fn aucs(file: &LabFile, policy: &str) -> Option<Picture> {
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
            .map(|(low, high)| format!(" ({CONFIDENCE}: {low:.3} to {high:.3})"));
        format!(
            "{name}, reduce when {when}: AUC {}{}",
            unsigned(Some(known.value), 3),
            interval.unwrap_or_default()
        )
    };
    let said: Vec<String> = known.iter().map(text).collect();
    let ends = known.iter().flat_map(|line| line.1.extent()).chain([0.5]);
    let ends: Vec<f64> = ends.collect();
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
                known: line.1,
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
                 reduce, picks the first. In brackets: reduce when it is great or small. Bars: {CONFIDENCE} intervals.{left_out}"
            ),
            x: Axis::linear("AUC (chance to pick the right one of two moves)", ends),
            names: String::new(),
            legend: vec![(1, "the policy itself".to_owned()), (0, "numbers that could be a reason to reduce".to_owned())],
            upright: Some((0.5, "guessing".to_owned())),
        }
        .draw(&lines),
    )
}

/// The ROC curves of the policy and of the best predictors.
pub(super) fn curves(file: &LabFile, policy: &str) -> Option<Picture> {
    let mut curves: Vec<(String, Vec<&[String]>)> = Vec::new();
    for row in file.of("policy", policy) {
        let predictor = file.rows.cell(row, "predictor");
        match curves.iter_mut().find(|(name, _)| name == predictor) {
            Some((_, points)) => points.push(row),
            None => curves.push((predictor.to_owned(), vec![row])),
        }
    }
    // In the file, the policy's own reduction is first, and the others follow, the best first.
    curves.truncate(SHOWN_CURVES + 1);
    if curves.is_empty() {
        return None;
    }
    let mut layers = vec![Layer::Line(DIAGONAL, vec![(0.0, 0.0), (1.0, 1.0)])];
    let mut legend = Vec::new();
    let mut said = Vec::new();
    for (series, (name, rows)) in curves.iter().enumerate() {
        let number = |row: &[String], name| file.rows.number(row, name);
        let points: Vec<(f64, f64)> = rows
            .iter()
            .filter_map(|row| number(row, "raising_reduced").zip(number(row, "low_reduced")))
            .collect();
        // Several bands would cover each other: only the policy's is drawn.
        if series == 0 {
            let band = rows.iter().filter_map(|row| {
                Some((
                    number(row, "raising_reduced")?,
                    number(row, "low_reduced_lower_95")?,
                    number(row, "low_reduced_upper_95")?,
                ))
            });
            layers.push(Layer::Band(series, band.collect()));
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
        layers.push(Layer::Line(series, points));
        layers.push(Layer::Points(series, marks));
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
            note: "The nearer a curve is to the top left, the better the number separates the moves. Band: 95% interval of the policy's curve. \
                   Dotted diagonal: guessing."
                .to_owned(),
            layers,
        }
        .draw(),
    )
}
