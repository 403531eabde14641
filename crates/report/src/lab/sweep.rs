//! The page of a sweep: a curve over one parameter, a map over two.

use lmrlab_results::failure::Failure;
use lmrlab_stats::CONFIDENCE;
use maud::{Markup, html};

use super::best;
use super::file::LabFile;
use super::measures::{BETTER, Known, Measure, UNCLEAR, WORSE, columns};
use crate::chart::axis::Axis;
use crate::chart::{Cell, Chart, Layer, Mark, Picture, Point};
use crate::page::{Page, Section};
use crate::table::printable;

/// The most columns of a map: more cannot be read.
const MOST_COLUMNS: usize = 40;

/// A sweep, read.
struct Sweep<'f> {
    file: &'f LabFile,
    /// The policy as named.
    policy: String,
    parameters: &'f [String],
    /// The line that searches exactly as the policy as named, if there is exactly one.
    start: Option<usize>,
}

/// Whether a file is of a sweep: parameters, the policy, measures.
pub(super) fn is_one(file: &LabFile) -> bool {
    let columns = &file.rows.columns;
    let policy = columns.iter().position(|column| column == "policy");
    let first = policy.and_then(|policy| columns.get(policy + 1)).map(String::as_str);
    policy > Some(0)
        && matches!(
            first,
            Some("nodes" | "solved" | "audit_dismissed" | "n_ll" | "nodes_ratio" | "elo")
        )
}

/// The page.
pub(super) fn page(file: &LabFile) -> Result<Page, Failure> {
    file.needs("sweep", &["policy"])?;
    let measures = Measure::checked(file, "sweep")?;
    let parameters = &file.rows.columns[..file.rows.column("policy").unwrap_or(0)];
    file.numbers(&parameters.iter().map(String::as_str).collect::<Vec<_>>())?;
    // In the last line every switch is on.
    let name = file.rows.rows.last().map_or("", |row| file.rows.cell(row, "policy"));
    let sweep = Sweep {
        file,
        policy: without(name, parameters),
        parameters,
        start: start(file, &measures),
    };
    let mut sections = Vec::new();
    for measure in &measures {
        let mut section = Section::new(measure.id(), measure.title());
        match parameters {
            [_] => section.draw(sweep.curve(*measure)),
            [down, right] => match sweep.map(*measure, down, right) {
                Some(map) => section.draw(map),
                None => section.say("The map would have more columns than can be read: the table has its values."),
            },
            _ => {}
        }
        section.say(sweep.best_in_words(*measure));
        sections.push(section);
    }
    let mut section = Section::new("table", "All numbers");
    if parameters.len() > 2 {
        section.say("A map shows two parameters; this grid has more. A click on a heading sorts the table.");
    }
    // Every line has the same policy, with other values. The page names the policy once.
    section.add(file.table_without(&["policy"], &columns()));
    sections.push(section);
    Ok(Page {
        title: format!("Sweep of {} over {}", sweep.policy, parameters.join(" and ")),
        subtitle: format!("{}: {} points of the grid", file.name, file.rows.rows.len()),
        verdict: sweep.verdict(&measures),
        sections,
        reload_seconds: None,
    })
}

/// The policy as named: without the values that the sweep gave it.
fn without(name: &str, parameters: &[String]) -> String {
    let Some((policy, overrides)) = name.split_once('@') else {
        return printable(name);
    };
    let swept = |change: &&str| {
        let name = change
            .split('=')
            .next()
            .unwrap_or_default()
            .trim_start_matches(['+', '-']);
        parameters
            .iter()
            .flat_map(|swept| swept.split('+'))
            .any(|swept| swept == name)
    };
    let others: Vec<&str> = overrides.split(',').filter(|change| !swept(change)).collect();
    match others[..] {
        [] => printable(policy),
        _ => printable(&format!("{policy}@{}", others.join(","))),
    }
}

/// The only line without a change: in every position it has the nodes of the policy as named, or in every game its
/// results.
fn start(file: &LabFile, measures: &[Measure]) -> Option<usize> {
    let same = |row: &[String]| {
        measures.iter().all(|measure| {
            let known = measure.of(&file.rows, row);
            match measure {
                Measure::Nodes => known.is_some_and(|known| known.value == 1.0 && known.interval == Some((1.0, 1.0))),
                Measure::Elo => {
                    let decided = ["n_ll", "n_ld", "n_wd", "n_ww"].map(|column| file.rows.number(row, column));
                    known.is_some_and(|known| known.value == 0.0) && decided.iter().all(|pairs| *pairs == Some(0.0))
                }
                Measure::Solved => known.is_some_and(|known| known.value == 0.0),
                Measure::Missed => true,
            }
        })
    };
    if !measures
        .iter()
        .any(|measure| matches!(measure, Measure::Nodes | Measure::Elo))
    {
        return None;
    }
    let mut found = file
        .rows
        .rows
        .iter()
        .enumerate()
        .filter(|(_, row)| same(row))
        .map(|(index, _)| index);
    match (found.next(), found.next()) {
        (Some(one), None) => Some(one),
        _ => None,
    }
}

impl Sweep<'_> {
    fn known(&self, measure: Measure) -> Vec<(usize, Known)> {
        let rows = self.file.rows.rows.iter().enumerate();
        rows.filter_map(|(index, row)| Some((index, measure.of(&self.file.rows, row)?)))
            .collect()
    }

    /// The line with the best value.
    fn best(&self, measure: Measure) -> Option<usize> {
        let known = self.known(measure);
        let place = best::best(measure, &self.points(measure))?;
        known.get(place).map(|(index, _)| *index)
    }

    fn points(&self, measure: Measure) -> Vec<best::Point> {
        let known = self.known(measure).into_iter();
        known
            .map(|(index, known)| {
                let row = self.file.rows.rows.get(index).map_or(&[][..], Vec::as_slice);
                let counts = ["n_ll", "n_ld", "n_dd_wl", "n_wd", "n_ww"].map(|name| self.file.rows.number(row, name));
                best::Point {
                    name: self.point(index),
                    known,
                    pairs: counts.iter().flatten().sum(),
                    is_start: self.start == Some(index),
                }
            })
            .collect()
    }

    /// The values of a line's parameters: `divisor 2, base 0.5`.
    fn point(&self, index: usize) -> String {
        let row = self.file.rows.rows.get(index).map_or(&[][..], Vec::as_slice);
        let values = self
            .parameters
            .iter()
            .zip(row)
            .map(|(name, value)| format!("{name} {value}"));
        printable(&values.collect::<Vec<_>>().join(", "))
    }

    fn best_in_words(&self, measure: Measure) -> String {
        best::in_words(measure, &self.points(measure))
    }

    fn verdict(&self, measures: &[Measure]) -> Markup {
        let measure = Measure::decisive(measures);
        let start = match self.start {
            Some(index) => format!("The policy as named, {}, is at {}.", self.policy, self.point(index)),
            None => format!(
                "The policy as named is {}. No single point of the grid is the same as it.",
                self.policy
            ),
        };
        html! {
            p { (measure.title()) ". " (self.best_in_words(measure)) }
            p.note { (start) }
        }
    }

    fn curve(&self, measure: Measure) -> Picture {
        let parameter = self.parameters.first().map_or("", String::as_str);
        let known = self.known(measure);
        let at = |index: usize| {
            let row = self.file.rows.rows.get(index);
            row.and_then(|row| self.file.rows.number(row, parameter)).unwrap_or(0.0)
        };
        let best = self.best(measure);
        let mut line: Vec<(f64, f64)> = known.iter().map(|(index, known)| (at(*index), known.value)).collect();
        line.sort_by(|one, other| one.0.total_cmp(&other.0));
        let points = known.iter().map(|(index, known)| {
            let label = match (self.start == Some(*index), best == Some(*index)) {
                (true, true) => Some("start, best"),
                (true, false) => Some("start"),
                (false, true) => Some("best"),
                (false, false) => None,
            };
            let point = Point {
                at: (at(*index), known.value),
                along: known.spread(),
                hover: format!("{}: {}", self.point(*index), measure.known(*known)),
                label: label.map(str::to_owned),
                ..Point::default()
            };
            (measure.judge(*known), point)
        });
        let points: Vec<(usize, Point)> = points.collect();
        let values: Vec<Known> = known.iter().map(|(_, known)| *known).collect();
        let mut layers: Vec<Layer> = Vec::new();
        layers.extend(measure.unchanged().map(|value| Layer::Level(value, String::new())));
        layers.push(Layer::Line(UNCLEAR, line));
        for series in [UNCLEAR, WORSE, BETTER] {
            layers.push(Layer::Points(
                series,
                points
                    .iter()
                    .filter(|(of, _)| *of == series)
                    .map(|(_, point)| point.clone())
                    .collect(),
            ));
        }
        let said: Vec<String> = known
            .iter()
            .map(|(index, known)| format!("{}: {}", self.point(*index), measure.known(*known)))
            .collect();
        Chart {
            id: format!("sweep-{}", measure.id()),
            title: format!("{} of {} by {parameter}", measure.title(), self.policy),
            description: format!("{}. {}", said.join("; "), self.best_in_words(measure)),
            x: Axis::linear(parameter, points.iter().map(|(_, point)| point.at.0)),
            y: measure.axis_of(&values),
            height: 270.0,
            legend: measure.legend(points.iter().map(|(series, _)| *series)),
            note: format!(
                "{}.{} Bars: {CONFIDENCE} intervals.",
                measure.directions(),
                if measure.unchanged().is_some() {
                    " Dashed line: the policy as named."
                } else {
                    ""
                }
            ),
            layers,
        }
        .draw()
    }

    fn map(&self, measure: Measure, down: &str, right: &str) -> Option<Picture> {
        let (rows, columns) = (sorted(self.file.names(down)), sorted(self.file.names(right)));
        if columns.len() > MOST_COLUMNS {
            return None;
        }
        let known = self.known(measure);
        let unchanged = measure.unchanged().unwrap_or(0.0);
        // Better is above zero. Ratios as far above 1 as below it have the same strength.
        let height = |value: f64| match measure {
            Measure::Nodes => -value.max(f64::MIN_POSITIVE).ln(),
            _ => value - unchanged,
        };
        let most = known
            .iter()
            .map(|(_, known)| height(known.value).abs())
            .fold(0.0, f64::max)
            .max(1e-9);
        let best = self.best(measure);
        let cells = known.iter().filter_map(|(index, known)| {
            let row = self.file.rows.rows.get(*index)?;
            let (down, right) = (self.file.rows.cell(row, down), self.file.rows.cell(row, right));
            Some(Cell {
                row: rows.iter().position(|name| name == down)?,
                column: columns.iter().position(|name| name == right)?,
                level: height(known.value) / most,
                text: match measure {
                    Measure::Nodes => format!("{:.2}", known.value),
                    Measure::Elo => measure.text(known.value).replace(" Elo", ""),
                    _ => measure.text(known.value),
                },
                hover: format!("{}: {}", self.point(*index), measure.known(*known)),
                mark: match Some(*index) {
                    place if place == best => Mark::Framed,
                    place if place == self.start => Mark::Dashed,
                    _ => Mark::None,
                },
            })
        });
        let start = match (self.start, best) {
            (Some(start), Some(best)) if start == best => " The start is the best.",
            (Some(_), _) => " Dashed frame: the start.",
            (None, _) => " The start is no point of the grid.",
        };
        let colours = match measure {
            Measure::Nodes => format!("Blue: fewer nodes than {}; orange: more.", self.policy),
            Measure::Solved => format!("Blue: more solved than by {}; orange: fewer.", self.policy),
            Measure::Elo => format!("Blue: stronger than {}; orange: weaker.", self.policy),
            Measure::Missed => "The stronger the colour, the more was missed.".to_owned(),
        };
        let values: Vec<f64> = known.iter().map(|(_, known)| known.value).collect();
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Some(
            Chart {
                id: format!("sweep-{}", measure.id()),
                title: format!("{} of {} by {down} and {right}", measure.title(), self.policy),
                description: format!(
                    "{} cells, from {} to {}. {}",
                    known.len(),
                    measure.text(low),
                    measure.text(high),
                    self.best_in_words(measure)
                ),
                x: Axis::names(right, columns.clone()),
                y: Axis::names(down, rows.clone()).reversed(),
                height: 30.0 + 28.0 * rows.len() as f64,
                legend: Vec::new(),
                note: format!(
                    "In the cells: {}. {colours} Frame: the best.{start} Intervals show when a cell is pointed at.",
                    measure.axis()
                ),
                layers: vec![Layer::Cells(cells.collect())],
            }
            .draw(),
        )
    }
}

/// Values as numbers, the least first.
fn sorted(mut names: Vec<String>) -> Vec<String> {
    let number = |name: &String| name.parse().unwrap_or(f64::INFINITY);
    names.sort_by(|one, other| number(one).total_cmp(&number(other)));
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_as_named_is_found_in_the_names_of_points() {
        let parameters = ["base".to_owned(), "divisor".to_owned()];
        assert_eq!(without("house@divisor=2,base=0.5", &parameters), "house");
        assert_eq!(
            without("house@-history,divisor=2,base=0.5", &parameters),
            "house@-history"
        );
        assert_eq!(without("house", &parameters), "house");
    }
}
