//! What a sweep found.

use std::iter::zip;

use lmrlab_results::outcome::files::Wide;
use lmrlab_results::outcome::picture::{Curve, Lines, Map, MapCell, Mark, Quantity};
use lmrlab_results::outcome::table::{Known, Table};
use lmrlab_results::outcome::{Outcome, Section};
use lmrlab_results::rows::experiments::{Measures, SweepRow};
use lmrlab_results::seen::Seen;
use lmrlab_results::tables;
use lmrlab_results::value::Value;
use lmrlab_runner::outcome::sentences::caution;

use super::axis::value_text;
use super::best::{Candidate, in_words, ranked};
use super::criterion::Criterion;
use super::{Axis, Point};

/// The rows of the policy as named and of the best point.
type Marked = [Option<usize>; 2];

/// The most columns of a map: more cannot be read.
const MOST_COLUMNS: usize = 40;

tables! {
    /// The file of a sweep. Before its own columns it has the values of the parameters.
    SweepTables {
        sweep: Wide<SweepRow>,
    }
}

impl SweepTables {
    /// The table of what was measured of points. The policy as named comes before them in `measured`, and has this name.
    pub fn of(as_named: &str, axes: &[Axis], points: &[Point], measured: &[Measures]) -> Self {
        let measured = measured.get(1..).unwrap_or_default();
        let row = |(point, measures): (&Point, &Measures)| SweepRow {
            policy: point.variant.name.clone(),
            measures: measures.clone(),
            as_named: as_named.to_owned(),
        };
        Self {
            sweep: Wide {
                rows: zip(points, measured).map(row).collect(),
                others: axes.iter().map(|axis| axis.parameter.clone()).collect(),
                values: zip(points, measured).map(|(point, _)| point.values.clone()).collect(),
                are_behind: false,
            },
        }
    }

    /// What the tables say. `conditions` are what was searched and played, and how.
    pub fn outcome(self, conditions: &str) -> Outcome {
        let Wide { rows, others, .. } = &self.sweep;
        let tables = self.tables();
        let criteria = Criterion::of(rows.iter().map(|row| &row.measures));
        let points = tables.first().cloned().unwrap_or_default();
        let mut sections = vec![Section::new("Points").table(self.shown(points))];
        let start = self.start();
        let decisive = Criterion::decisive(&criteria);
        let of = |criterion: &Criterion| self.section(*criterion, start, Some(*criterion) == decisive);
        sections.extend(criteria.iter().map(of));
        let said = decisive.map(|criterion| {
            let said = in_words(criterion, &self.candidates(criterion, start));
            format!("{}. {said}", criterion.words().title)
        });
        let policy = self.policy();
        let place = match start {
            Some(start) => format!("The policy as named, {policy}, is at {}.", self.point(start)),
            None => format!("The policy as named is {policy}. No single point of the grid is the same as it."),
        };
        Outcome {
            title: format!("Sweep of {policy} over {}", others.join(" and ")),
            conditions: conditions.to_owned(),
            verdict: said.into_iter().chain([place]).collect(),
            sections,
            notes: caution(rows.len()).into_iter().collect(),
            tables,
        }
    }

    /// The name of the policy as named.
    fn policy(&self) -> &str {
        self.sweep.rows.first().map_or("", |row| &row.as_named)
    }

    /// The table for a person.
    fn shown(&self, mut table: Table) -> Table {
        for (row, values) in zip(&mut table.rows, &self.sweep.values) {
            for (axis, (cell, value)) in zip(row, values).enumerate().filter(|(axis, _)| self.is_switch(*axis)) {
                *cell = Value::Text(self.value(axis, *value));
            }
        }
        table.without_empty()
    }

    /// The values of the parameters of a row: `divisor 2, base 0.5`.
    fn point(&self, row: usize) -> String {
        let values = self.sweep.values.get(row).map_or(&[][..], Vec::as_slice);
        let named = zip(&self.sweep.others, values).enumerate();
        let named = named.map(|(axis, (name, value))| format!("{name} {}", self.value(axis, *value)));
        named.collect::<Vec<_>>().join(", ")
    }

    /// A value of a parameter.
    fn value(&self, axis: usize, value: f64) -> String {
        value_text(self.is_switch(axis), value)
    }

    /// Whether a parameter is a switch: the name of no policy gives it a number.
    fn is_switch(&self, axis: usize) -> bool {
        let number = self
            .sweep
            .others
            .get(axis)
            .map_or_else(String::new, |name| format!("{name}="));
        !self.sweep.rows.iter().any(|row| row.policy.contains(&number))
    }

    /// The only row without a change: in every position it has the nodes of the policy as named, and in every game its results.
    fn start(&self) -> Option<usize> {
        let is_same = |measures: &Measures| {
            let ratio = Criterion::Nodes.known(measures);
            (ratio.is_some() || measures.pairs.is_some())
                && ratio.is_none_or(|ratio| ratio.extent() == [1.0; 3])
                && measures.pairs == measures.n_dd_wl
                && measures.solved_gain.unwrap_or(0) == 0
        };
        let rows = self.sweep.rows.iter().enumerate();
        let mut found = rows.filter(|(_, row)| is_same(&row.measures)).map(|(index, _)| index);
        found.next().filter(|_| found.next().is_none())
    }

    /// The rows that have a value.
    fn candidates(&self, criterion: Criterion, start: Option<usize>) -> Vec<Candidate> {
        let rows = self.sweep.rows.iter().enumerate();
        let candidate = |(index, row): (usize, &SweepRow)| {
            Some(Candidate {
                row: index,
                name: self.point(index),
                known: criterion.known(&row.measures)?,
                is_start: start == Some(index),
            })
        };
        rows.filter_map(candidate).collect()
    }

    /// The picture of a criterion, and what it says about the best point.
    fn section(&self, criterion: Criterion, start: Option<usize>, is_decisive: bool) -> Section {
        let points = self.candidates(criterion, start);
        let marked = [start, ranked(criterion, &points).first().map(|best| best.row)];
        let section = Section::for_page(criterion.words().title);
        let section = match &self.sweep.others[..] {
            [parameter] => section.draw([self.curve(criterion, parameter, &points, marked)]),
            [down, right] => match self.map(criterion, [down, right], &points, marked) {
                Some(map) => section.draw([map]),
                None => section.say("The map would have more columns than can be read: the table has its values."),
            },
            _ => section,
        };
        match is_decisive {
            // The verdict has the sentence.
            true => section,
            false => section.say(in_words(criterion, &points)),
        }
    }

    fn curve(&self, criterion: Criterion, parameter: &str, points: &[Candidate], [start, best]: Marked) -> Lines {
        let at = |row: usize| self.sweep.values[row].first().copied().unwrap_or(0.0);
        let points = points.iter().map(|point| (at(point.row), point.known));
        let mut points: Vec<(f64, Known)> = points.collect();
        points.sort_by(|one, other| one.0.total_cmp(&other.0));
        let labels = match start == best {
            true => vec![(start, "start, best")],
            false => vec![(start, "start"), (best, "best")],
        };
        let label = |(row, label): (Option<usize>, &str)| Some((at(row?), label.to_owned()));
        Lines {
            title: format!("{} of {} by {parameter}", criterion.words().title, self.policy()),
            x: Quantity::new(parameter, Seen::AsWritten),
            y: criterion.quantity(start.map(|start| &self.sweep.rows[start].measures)),
            curves: vec![Curve {
                name: self.policy().to_owned(),
                points,
                has_band: false,
            }],
            labels: labels.into_iter().filter_map(label).collect(),
            ..Lines::default()
        }
    }

    fn map(
        &self,
        criterion: Criterion,
        [down, right]: [&String; 2],
        candidates: &[Candidate],
        [start, best]: Marked,
    ) -> Option<Map> {
        let values = |axis: usize| {
            let mut values: Vec<f64> = self.sweep.values.iter().map(|values| values[axis]).collect();
            values.sort_by(f64::total_cmp);
            values.dedup();
            values
        };
        let (rows, columns) = (values(0), values(1));
        if columns.len() > MOST_COLUMNS {
            return None;
        }
        let quantity = criterion.quantity(None);
        let unchanged = quantity.unchanged.as_ref().map_or(0.0, |(value, _)| *value);
        // Better is above zero. Ratios as far above 1 as below it have the same strength.
        let height = |candidate: &Candidate| match criterion {
            Criterion::Nodes => -candidate.known.value.max(f64::MIN_POSITIVE).ln(),
            _ => candidate.known.value - unchanged,
        };
        let heights = candidates.iter().map(|candidate| height(candidate).abs());
        let most = heights.fold(1e-9, f64::max);
        let cells = candidates.iter().filter_map(|candidate| {
            let at = &self.sweep.values[candidate.row];
            let place = |of: &[f64], value: f64| of.iter().position(|known| *known == value);
            let text = quantity.seen.number(candidate.known.value);
            let detail = quantity.text(candidate.known);
            Some(MapCell {
                row: place(&rows, at[0])?,
                column: place(&columns, at[1])?,
                level: height(candidate) / most,
                detail: detail.replacen(&text, "", 1).trim().to_owned(),
                text,
                mark: match Some(candidate.row) {
                    place if place == best => Mark::Best,
                    place if place == start => Mark::Start,
                    _ => Mark::None,
                },
            })
        });
        let policy = self.policy();
        let colours = criterion.words().colours.replace("POLICY", policy);
        let frames = match (start, best) {
            (Some(start), Some(best)) if start == best => " The start is the best.",
            (Some(_), _) => " Dashed frame: the start.",
            (None, _) => " The start is no point of the grid.",
        };
        let names = |axis: usize, values: &[f64]| values.iter().map(|value| self.value(axis, *value)).collect();
        Some(Map {
            title: format!("{} of {policy} by {down} and {right}", criterion.words().title),
            down: down.clone(),
            right: right.clone(),
            rows: names(0, &rows),
            columns: names(1, &columns),
            cells: cells.collect(),
            note: format!("In the cells: {}. {colours} Frame: the best.{frames}", quantity.name),
        })
    }
}
