//! What a sweep found.

use std::iter::zip;
use std::path::Path;

use lmrlab_results::failure::Failure;
use lmrlab_results::folder::EFFECTS;
use lmrlab_results::lab_rows::{EffectRow, SweepRow};
use lmrlab_results::outcome::picture::{Curve, Lines, Map, MapCell, Mark, Picture, Quantity};
use lmrlab_results::outcome::table::{Known, Table};
use lmrlab_results::outcome::{Outcome, Section, files};
use lmrlab_results::seen::Seen;
use lmrlab_results::value::Value;

use super::effects::{Effect, EffectKind, elo_effects, node_effects};
use super::{Axis, Point};
use crate::measures::best::{self, best, in_words};
use crate::measures::criterion::Criterion;
use crate::measures::{Measured, caution};

/// The most columns of a map: more cannot be read.
const MOST_COLUMNS: usize = 40;

/// The files of a sweep.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SweepTables {
    /// The names of the parameters.
    pub parameters: Vec<String>,
    /// The values of the parameters, and the rows of sweep.csv.
    pub sweep: Vec<(Vec<f64>, SweepRow)>,
    /// The rows of effects.csv, when all parameters are switches.
    pub effects: Vec<EffectRow>,
}

impl SweepTables {
    /// The tables of what was measured of points. The policy as named comes before them in `measured`, and has this name.
    pub fn of(as_named: &str, axes: &[Axis], points: &[Point], measured: &[Measured]) -> Self {
        let measured = measured.get(1..).unwrap_or_default();
        let rows = zip(points, measured).map(|(point, measured)| {
            let row = SweepRow {
                policy: point.variant.name.clone(),
                measures: measured.row.clone(),
                as_named: as_named.to_owned(),
            };
            (point.values.clone(), row)
        });
        let is_whole = measured.len() == points.len();
        Self {
            parameters: axes.iter().map(|axis| axis.parameter.clone()).collect(),
            sweep: rows.collect(),
            effects: match is_whole && axes.iter().all(|axis| axis.is_switch) {
                true => effects(axes, points, measured),
                false => Vec::new(),
            },
        }
    }

    /// Reads the files of a folder.
    ///
    /// # Errors
    /// When one of them cannot be read, or is not as lmrlab writes it.
    pub fn read(folder: &Path) -> Result<Self, Failure> {
        let read = files::read_with_others(folder, "sweep")?;
        let effects = match folder.join(EFFECTS.name()).exists() {
            true => files::read(folder, "effects")?,
            false => Vec::new(),
        };
        Ok(Self {
            parameters: read.others,
            sweep: zip(read.values, read.rows).collect(),
            effects,
        })
    }

    /// What the tables say. `conditions` are what was searched and played, and how.
    pub fn outcome(self, conditions: &str) -> Outcome {
        let rows: Vec<SweepRow> = self.sweep.iter().map(|(_, row)| row.clone()).collect();
        let values = self.sweep.iter().map(|(values, _)| values.as_slice());
        let table = Table::of("sweep", &rows).behind(&self.parameters, values);
        let criteria = Criterion::of(rows.iter().map(|row| &row.measures));
        let mut sections = vec![Section::new("Points").table(self.shown(table.clone()))];
        let mut tables = vec![table];
        if !self.effects.is_empty() {
            let effects = Table::of("effects", &self.effects);
            sections.push(Section::new("Effects").table(effects.clone().without_empty()));
            tables.push(effects);
        }
        let start = self.start(&criteria);
        let decisive = Criterion::decisive(&criteria);
        let of = |criterion: &Criterion| self.section(*criterion, start, Some(*criterion) == decisive);
        sections.extend(criteria.iter().map(of));
        let mut verdict: Vec<String> = decisive
            .map(|criterion| {
                format!(
                    "{}. {}",
                    criterion.title(),
                    in_words(criterion, &self.points(criterion, start))
                )
            })
            .into_iter()
            .collect();
        let policy = self.policy();
        verdict.push(match start {
            Some(start) => format!("The policy as named, {policy}, is at {}.", self.point(start)),
            None => format!("The policy as named is {policy}. No single point of the grid is the same as it."),
        });
        Outcome {
            title: format!("Sweep of {policy} over {}", self.parameters.join(" and ")),
            conditions: conditions.to_owned(),
            verdict,
            sections,
            notes: caution(rows.len()),
            tables,
        }
    }

    /// The name of the policy as named.
    fn policy(&self) -> &str {
        self.sweep.first().map_or("", |(_, row)| &row.as_named)
    }

    /// The table for a person.
    fn shown(&self, mut table: Table) -> Table {
        if !self.effects.is_empty() {
            for (row, (values, _)) in zip(&mut table.rows, &self.sweep) {
                for (cell, value) in zip(row, values) {
                    *cell = Value::Text(self.value(*value));
                }
            }
        }
        table.without_empty()
    }

    /// The values of the parameters of a row: `divisor 2, base 0.5`.
    fn point(&self, row: usize) -> String {
        let values = self.sweep.get(row).map_or(&[][..], |(values, _)| values);
        let named = zip(&self.parameters, values).map(|(name, value)| format!("{name} {}", self.value(*value)));
        named.collect::<Vec<_>>().join(", ")
    }

    /// A value of a parameter. With effects, every parameter is a switch.
    fn value(&self, value: f64) -> String {
        match (self.effects.is_empty(), value > 0.0) {
            (true, _) => value.to_string(),
            (false, true) => "on".to_owned(),
            (false, false) => "off".to_owned(),
        }
    }

    /// The only row without a change: in every position it has the nodes of the policy as named, or in every game its
    /// results.
    fn start(&self, criteria: &[Criterion]) -> Option<usize> {
        let same = |row: &SweepRow| {
            let measures = &row.measures;
            criteria.iter().all(|criterion| match criterion {
                Criterion::Nodes => {
                    criterion.known(measures)
                        == Some(Known {
                            value: 1.0,
                            interval: Some((1.0, 1.0)),
                        })
                }
                Criterion::Elo => measures.pairs.is_some() && measures.n_dd_wl == measures.pairs,
                Criterion::Solved => measures.solved_gain == Some(0),
                Criterion::Missed => true,
            })
        };
        let tells = |criterion: &Criterion| matches!(criterion, Criterion::Nodes | Criterion::Elo);
        if !criteria.iter().any(tells) {
            return None;
        }
        let mut found = (0..self.sweep.len()).filter(|index| same(&self.sweep[*index].1));
        found.next().filter(|_| found.next().is_none())
    }

    /// The rows that have a value.
    fn known(&self, criterion: Criterion) -> Vec<(usize, Known)> {
        let rows = self.sweep.iter().enumerate();
        rows.filter_map(|(index, (_, row))| Some((index, criterion.known(&row.measures)?)))
            .collect()
    }

    fn points(&self, criterion: Criterion, start: Option<usize>) -> Vec<best::Point> {
        let known = self.known(criterion).into_iter();
        let point = |(index, known): (usize, Known)| best::Point {
            name: self.point(index),
            known,
            pairs: self.sweep[index].1.measures.pairs.unwrap_or(0) as f64,
            is_start: start == Some(index),
        };
        known.map(point).collect()
    }

    /// The picture of a criterion, and what it says about the best point.
    fn section(&self, criterion: Criterion, start: Option<usize>, is_decisive: bool) -> Section {
        let points = self.points(criterion, start);
        let known = self.known(criterion);
        let best = best(criterion, &points)
            .and_then(|place| known.get(place))
            .map(|(row, _)| *row);
        let section = Section::for_page(criterion.title());
        let section = match &self.parameters[..] {
            [parameter] => section.draw([self.curve(criterion, parameter, &known, start, best)]),
            [down, right] => match self.map(criterion, [down, right], &known, start, best) {
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

    fn curve(
        &self,
        criterion: Criterion,
        parameter: &str,
        known: &[(usize, Known)],
        start: Option<usize>,
        best: Option<usize>,
    ) -> Picture {
        let at = |row: usize| self.sweep[row].0.first().copied().unwrap_or(0.0);
        let mut points: Vec<(f64, Known)> = known.iter().map(|(row, known)| (at(*row), *known)).collect();
        points.sort_by(|one, other| one.0.total_cmp(&other.0));
        let labels = match (start, best) {
            (Some(start), Some(best)) if start == best => vec![(start, "start, best")],
            (start, best) => (start.map(|start| (start, "start")).into_iter())
                .chain(best.map(|best| (best, "best")))
                .collect(),
        };
        Lines {
            title: format!("{} of {} by {parameter}", criterion.title(), self.policy()),
            x: Quantity::new(parameter, Seen::AsWritten),
            y: criterion.quantity(start.map(|start| &self.sweep[start].1.measures)),
            curves: vec![Curve {
                name: self.policy().to_owned(),
                points,
                has_band: false,
            }],
            labels: labels
                .into_iter()
                .map(|(row, label)| (at(row), label.to_owned()))
                .collect(),
            ..Lines::default()
        }
        .into()
    }

    fn map(
        &self,
        criterion: Criterion,
        [down, right]: [&String; 2],
        known: &[(usize, Known)],
        start: Option<usize>,
        best: Option<usize>,
    ) -> Option<Picture> {
        let values = |axis: usize| {
            let mut values: Vec<f64> = self.sweep.iter().map(|(values, _)| values[axis]).collect();
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
        let height = |value: f64| match criterion {
            Criterion::Nodes => -value.max(f64::MIN_POSITIVE).ln(),
            _ => value - unchanged,
        };
        let most = known
            .iter()
            .map(|(_, known)| height(known.value).abs())
            .fold(1e-9, f64::max);
        let cells = known.iter().filter_map(|(index, known)| {
            let place = |axis: usize, of: &[f64]| of.iter().position(|value| *value == self.sweep[*index].0[axis]);
            let text = quantity.seen.number(known.value);
            Some(MapCell {
                row: place(0, &rows)?,
                column: place(1, &columns)?,
                level: height(known.value) / most,
                detail: quantity.text(*known).replacen(&text, "", 1).trim().to_owned(),
                text,
                mark: match Some(*index) {
                    place if place == best => Mark::Best,
                    place if place == start => Mark::Start,
                    _ => Mark::None,
                },
            })
        });
        let policy = self.policy();
        let colours = match criterion {
            Criterion::Nodes => format!("Blue: fewer nodes than {policy}; orange: more."),
            Criterion::Solved => format!("Blue: more solved than by {policy}; orange: fewer."),
            Criterion::Elo => format!("Blue: stronger than {policy}; orange: weaker."),
            Criterion::Missed => "The stronger the colour, the more was missed.".to_owned(),
        };
        let frames = match (start, best) {
            (Some(start), Some(best)) if start == best => " The start is the best.",
            (Some(_), _) => " Dashed frame: the start.",
            (None, _) => " The start is no point of the grid.",
        };
        let names = |values: &[f64]| values.iter().map(|value| self.value(*value)).collect();
        let map = Map {
            title: format!("{} of {policy} by {down} and {right}", criterion.title()),
            down: down.clone(),
            right: right.clone(),
            rows: names(&rows),
            columns: names(&columns),
            cells: cells.collect(),
            note: format!("In the cells: {}. {colours} Frame: the best.{frames}", quantity.name),
        };
        Some(map.into())
    }
}

/// What each switch is worth, alone and with another. Empty when neither nodes nor games were measured.
fn effects(axes: &[Axis], points: &[Point], measured: &[Measured]) -> Vec<EffectRow> {
    let on = |point: &Point| point.values.iter().map(|value| *value > 0.0).collect();
    let levels: Vec<Vec<bool>> = points.iter().map(on).collect();
    let has_nodes = measured.iter().all(|row| !row.nodes.is_empty());
    let nodes: Vec<Vec<u64>> = measured.iter().map(|row| row.nodes.clone()).collect();
    let nodes = has_nodes.then(|| node_effects(&levels, &nodes));
    let outcomes: Option<Vec<_>> = measured.iter().map(|row| row.outcomes.clone()).collect();
    let elo = outcomes.map(|outcomes| elo_effects(&levels, &outcomes));
    let any = nodes.as_ref().or(elo.as_ref()).map_or(&[][..], Vec::as_slice);
    let row = |(index, effect): (usize, &Effect)| {
        let of = |effects: &Option<Vec<Effect>>| effects.as_ref().map(|effects| effects[index].size);
        let (factor, ends) = of(&nodes).map_or((None, None), |size| {
            let (factor, ends) = size.factor();
            (Some(factor), ends)
        });
        EffectRow {
            effect: name(axes, effect.kind),
            nodes_factor: factor.into(),
            nodes_factor_low_95: ends.map(|ends| ends.0).into(),
            nodes_factor_high_95: ends.map(|ends| ends.1).into(),
            elo: of(&elo).map(|size| size.mean).into(),
            elo_error_95: of(&elo).and_then(|size| size.error_95).into(),
        }
    };
    any.iter().enumerate().map(row).collect()
}

fn name(axes: &[Axis], kind: EffectKind) -> String {
    let name = |factor: usize| axes.get(factor).map_or("", |axis| axis.parameter.as_str());
    match kind {
        EffectKind::Main(factor) => name(factor).to_owned(),
        EffectKind::Interaction(first, second) => format!("{} with {}", name(first), name(second)),
        EffectKind::Given { other, on } => format!(
            "{} where {} is {}",
            name(axes.len() - 1),
            name(other),
            if on { "on" } else { "off" }
        ),
    }
}
