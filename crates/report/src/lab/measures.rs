//! What `ablate` and `sweep` measure of a policy: its values with their intervals, and what better means.

use std::collections::BTreeSet;

use lmrlab_results::failure::Failure;
use lmrlab_results::lab_rows::{AuditMeasured, GamesMeasured, NodesMeasured, SuiteMeasured};
use lmrlab_results::number_text::{percent, signed};
use lmrlab_stats::CONFIDENCE;

use super::file::LabFile;
use crate::chart::axis::{Axis, Writing, grouped};
use crate::rows::{Rows, Shown, shown};

/// A measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    /// Nodes to a depth, as a ratio to those of the policy as named.
    Nodes,
    /// Positions solved, less those of the policy as named.
    Solved,
    /// The share of dismissed moves that were missed.
    Missed,
    /// Elo against the policy as named.
    Elo,
}

/// A value, with its 95% interval where there is one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Known {
    pub(super) value: f64,
    pub(super) interval: Option<(f64, f64)>,
}

impl Known {
    /// A value without an interval.
    pub(super) const fn exact(value: f64) -> Self {
        Self { value, interval: None }
    }

    /// Its interval, if it has a width.
    pub(super) fn spread(self) -> Option<(f64, f64)> {
        self.interval.filter(|(low, high)| low < high)
    }

    /// What an axis has to show: the value and the ends of its interval.
    pub(super) fn extent(self) -> [f64; 3] {
        let (low, high) = self.interval.unwrap_or((self.value, self.value));
        [self.value, low, high]
    }
}

/// A value that is neither better nor worse than that of the policy as named. This and the next two are numbers of
/// series, so each has its own mark.
pub(super) const UNCLEAR: usize = 0;
/// A worse value.
pub(super) const WORSE: usize = 1;
/// A better value.
pub(super) const BETTER: usize = 2;

/// The columns of measures on a page.
pub(super) fn columns() -> Vec<Shown<'static>> {
    [
        shown::<NodesMeasured>(""),
        shown::<SuiteMeasured>(""),
        shown::<AuditMeasured>(""),
        shown::<GamesMeasured>(""),
    ]
    .concat()
}

impl Measure {
    /// Its columns: of the value first.
    pub(super) fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Nodes => &["nodes_ratio", "nodes_ratio_low_95", "nodes_ratio_high_95"],
            Self::Solved => &["solved_gain", "solved_gain_error_95"],
            Self::Missed => &["missed_rate", "missed_rate_low_95", "missed_rate_high_95"],
            Self::Elo => &["elo", "elo_error_95"],
        }
    }

    /// The measures for which a file has a value.
    pub(super) fn of_file(file: &LabFile) -> Vec<Self> {
        let has = |measure: &Self| {
            let column = measure.columns()[0];
            file.rows.rows.iter().any(|row| file.rows.number(row, column).is_some())
        };
        let all = [Self::Nodes, Self::Solved, Self::Missed, Self::Elo];
        all.into_iter().filter(has).collect()
    }

    /// The measures of a file that `command` wrote.
    pub(super) fn checked(file: &LabFile, command: &str) -> Result<Vec<Self>, Failure> {
        let measures = Self::of_file(file);
        for measure in &measures {
            file.needs(command, measure.columns())?;
            file.numbers(measure.columns())?;
        }
        if measures.is_empty() {
            return Err(Failure::input(
                format!(
                    "`{}` looks like a file of `{command}`, but measures nothing",
                    file.place
                ),
                "its lines need nodes_ratio, solved_gain, missed_rate or elo",
            ));
        }
        Ok(measures)
    }

    /// The measure that counts in the end: Elo, or else the first.
    pub(super) fn decisive(measures: &[Self]) -> Self {
        match measures {
            [first, ..] if !measures.contains(&Self::Elo) => *first,
            _ => Self::Elo,
        }
    }

    /// For ids.
    pub(super) fn id(self) -> &'static str {
        match self {
            Self::Nodes => "nodes",
            Self::Solved => "solved",
            Self::Missed => "missed",
            Self::Elo => "elo",
        }
    }

    /// What it measures, for a title.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Nodes => "Nodes to depth",
            Self::Solved => "Positions solved",
            Self::Missed => "Missed moves",
            Self::Elo => "Elo",
        }
    }

    /// The name of an axis, with the unit.
    pub(super) fn axis(self) -> &'static str {
        match self {
            Self::Nodes => "nodes to depth, ratio to the policy as named",
            Self::Solved => "solved, more than the policy as named",
            Self::Missed => "missed (% of the dismissed moves)",
            Self::Elo => "Elo against the policy as named",
        }
    }

    /// The meaning of higher and lower values, in words.
    pub(super) fn directions(self) -> &'static str {
        match self {
            Self::Nodes => "Above 1 the search needs more nodes than the policy as named, below 1 fewer",
            Self::Solved => "Above 0 more positions are solved than by the policy as named, below 0 fewer",
            Self::Missed => {
                "Of the moves that were reduced and failed low, the share that raises alpha at full depth: the higher, the more good \
                 moves were reduced away"
            }
            Self::Elo => "Above 0 it is stronger than the policy as named, below 0 weaker",
        }
    }

    /// The value at which nothing has changed.
    pub(super) fn unchanged(self) -> Option<f64> {
        match self {
            Self::Nodes => Some(1.0),
            Self::Solved | Self::Elo => Some(0.0),
            Self::Missed => None,
        }
    }

    /// The value of a line, with its interval.
    pub(super) fn of(self, rows: &Rows, row: &[String]) -> Option<Known> {
        let number = |index: usize| rows.number(row, self.columns().get(index)?);
        let value = number(0)?;
        let interval = match self {
            Self::Nodes | Self::Missed => number(1).zip(number(2)),
            Self::Solved | Self::Elo => number(1).map(|error| (value - error, value + error)),
        };
        Some(Known { value, interval })
    }

    /// Whether one value is better than another.
    pub(super) fn is_better(self, one: f64, other: f64) -> bool {
        match self {
            Self::Nodes | Self::Missed => one < other,
            Self::Solved | Self::Elo => one > other,
        }
    }

    /// [`BETTER`] or [`WORSE`] when the whole interval is on that side, and [`UNCLEAR`] otherwise.
    pub(super) fn judge(self, known: Known) -> usize {
        let (Some(unchanged), Some((low, high))) = (self.unchanged(), known.interval) else {
            return UNCLEAR;
        };
        if (low..=high).contains(&unchanged) {
            UNCLEAR
        } else if self.is_better(known.value, unchanged) {
            BETTER
        } else {
            WORSE
        }
    }

    /// A value in words.
    pub(super) fn text(self, value: f64) -> String {
        match self {
            Self::Nodes => format!("× {}", grouped(value, 3)),
            Self::Solved => signed(Some(value), 0),
            Self::Missed => percent(Some(value)),
            Self::Elo => format!("{} Elo", signed(Some(value), 1)),
        }
    }

    /// A value with its interval in words.
    pub(super) fn known(self, known: Known) -> String {
        let value = self.text(known.value);
        match (self, known.spread()) {
            (_, None) => value,
            (Self::Nodes, Some((low, high))) => {
                format!("{value} ({CONFIDENCE}: {} to {})", grouped(low, 3), grouped(high, 3))
            }
            (Self::Missed, Some((low, high))) => {
                format!(
                    "{value} ({CONFIDENCE}: {} to {})",
                    percent(Some(low)),
                    percent(Some(high))
                )
            }
            (_, Some((low, high))) => format!("{value} ± {} ({CONFIDENCE})", grouped((high - low) / 2.0, 1)),
        }
    }

    /// An axis for values and the ends of their intervals.
    pub(super) fn axis_of(self, known: &[Known]) -> Axis {
        let ends = known.iter().flat_map(|known| known.extent());
        let values: Vec<f64> = ends.chain(self.unchanged()).collect();
        match self {
            Self::Nodes => ratio_axis(self.axis(), &values),
            Self::Missed => Axis::from_zero(self.axis(), values).written(Writing::Percent),
            Self::Solved | Self::Elo => Axis::linear(self.axis(), values).written(Writing::Signed),
        }
    }

    /// The meanings of the marks of [`Measure::judge`] that occur.
    pub(super) fn legend(self, judged: impl IntoIterator<Item = usize>) -> Vec<(usize, String)> {
        let there: BTreeSet<usize> = judged.into_iter().collect();
        let words = match self {
            Self::Nodes => ["interval includes 1: no clear change", "more nodes", "fewer nodes"],
            Self::Solved => ["interval includes 0: no clear change", "fewer solved", "more solved"],
            Self::Missed => ["missed rate", "", ""],
            Self::Elo => ["interval includes 0: no clear change", "weaker", "stronger"],
        };
        there
            .into_iter()
            .filter_map(|series| Some((series, (*words.get(series)?).to_owned())))
            .collect()
    }
}

/// An axis of ratios: logarithmic where they differ by more than a factor of 3.
pub(super) fn ratio_axis(name: &str, values: &[f64]) -> Axis {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if low > 0.0 && high > 3.0 * low {
        Axis::logarithmic(format!("{name} (logarithmic)"), values.iter().copied())
    } else {
        Axis::linear(name, values.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(value: f64, low: f64, high: f64) -> Known {
        Known {
            value,
            interval: Some((low, high)),
        }
    }

    #[test]
    fn better_is_fewer_nodes_and_more_elo() {
        assert_eq!(Measure::Nodes.judge(known(0.8, 0.7, 0.9)), BETTER);
        assert_eq!(Measure::Nodes.judge(known(1.2, 1.1, 1.3)), WORSE);
        assert_eq!(Measure::Nodes.judge(known(0.9, 0.7, 1.1)), UNCLEAR);
        assert_eq!(Measure::Elo.judge(known(20.0, 5.0, 35.0)), BETTER);
        assert_eq!(Measure::Elo.judge(known(-20.0, -35.0, -5.0)), WORSE);
        // A rate has nothing that it could be unchanged from.
        assert_eq!(Measure::Missed.judge(known(0.1, 0.05, 0.15)), UNCLEAR);
        assert_eq!(Measure::Elo.judge(Known::exact(50.0)), UNCLEAR);
    }

    #[test]
    fn values_say_their_unit_and_their_interval() {
        assert_eq!(Measure::Nodes.known(known(1.25, 1.0, 1.5)), "× 1.25 (95%: 1 to 1.5)");
        assert_eq!(Measure::Elo.known(known(20.0, 5.0, 35.0)), "+20.0 Elo ± 15 (95%)");
        assert_eq!(
            Measure::Missed.known(known(0.014, 0.008, 0.022)),
            "1.4% (95%: 0.8% to 2.2%)"
        );
        assert_eq!(Measure::Solved.known(Known::exact(3.0)), "+3");
    }
}
