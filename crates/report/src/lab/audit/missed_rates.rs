//! The missed rates of a policy by depth, plies of reduction or rule.

use std::collections::BTreeMap;

use lmrlab_results::number_text::percent;
use lmrlab_stats::{CONFIDENCE, Resamples};

use crate::chart::Picture;
use crate::chart::axis::{Axis, Writing, grouped};
use crate::lab::dots::{Dot, Dots, Line};
use crate::lab::file::{LabFile, or, slug};
use crate::lab::measures::Known;
use crate::table::printable;

/// Sets of positions drawn for an interval.
const RESAMPLES: usize = 1_000;

/// The missed rates of one policy by depth, plies or rule, with intervals from the samples of the same folder.
pub(super) fn rates(
    file: &LabFile,
    samples: Option<&LabFile>,
    policy: &str,
    column: &str,
    axis: &str,
) -> Option<Picture> {
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
            .map(|(low, high)| format!(", {CONFIDENCE}: {} to {}", percent(Some(low)), percent(Some(high))));
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
                known: line.1,
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
            // A sample may have several rules: then the sum over the rules is not that of the samples.
            upright: (column != "rule").then(|| (missed / all, format!("all: {}", percent(Some(missed / all))))),
        }
        .draw(&lines),
    )
}

/// The interval of a missed rate. Whole positions are resampled, as the audit does for its own interval.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::Rows;

    #[test]
    fn intervals_come_from_the_samples_of_the_line() {
        let columns = "policy position depth reduction failed_high shadow_raises rules";
        let mut rows = Vec::new();
        for position in 0..10 {
            for (depth, reduction, failed, raises) in [
                (3, 1, 0, 0),
                (3, 2, 0, i32::from(position < 5)),
                (4, 1, 0, 0),
                (3, 0, 0, 1),
            ] {
                let cells = format!("p,#{position},{depth},{reduction},{failed},{raises},a b");
                rows.push(cells.split(',').map(str::to_owned).collect());
            }
        }
        let samples = LabFile {
            place: "samples.csv".to_owned(),
            name: "samples.csv".to_owned(),
            rows: Rows {
                columns: columns.split(' ').map(str::to_owned).collect(),
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
