//! Runs side by side: what differs in their descriptions, and the results of the same engines in each.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use maud::{Markup, html};

use lmrlab_runner::failure::Failure;
use lmrlab_runner::number_text::{signed, unsigned};
use lmrlab_runner::record::crosstable::crosstable;
use lmrlab_runner::record::differences::flatten;
use lmrlab_runner::record::folder::CROSSTABLE;
use lmrlab_runner::record::manifest::RunKind;
use lmrlab_runner::run::Run;
use lmrlab_runner::text_table::{Column as TextColumn, TextTable};
use lmrlab_runner::tournament::write;

use crate::chart::axis::{Axis, Writing};
use crate::chart::svg::SERIES_COLOURS;
use crate::chart::{Chart, Layer, Picture, Point};
use crate::page::{Page, Section};
use crate::rows::Rows;
use crate::table::{Column, Table};
use crate::tournament::{Course, courses};

/// What one run says.
struct Side {
    /// The end of the path of its folder, long enough to distinguish it from the other runs.
    name: String,
    /// Its heading: its folder, and its own name when that is another one.
    heading: String,
    /// The keys of its description, with dots, and their values.
    keys: BTreeMap<String, String>,
    /// The lines of crosstable.csv.
    pairings: Rows,
    /// Elo over pairs; empty without the games.
    courses: Vec<Course>,
}

/// Elo, and half the width of its 95% interval.
type Difference = (f64, Option<f64>);

/// The result of an engine against its opponent in one run.
#[derive(Clone, Copy)]
struct Measured {
    games: f64,
    elo: f64,
    error_95: Option<f64>,
}

impl Measured {
    /// How much stronger this result is than another one. The runs are taken as independent, so the variance of the
    /// difference is the sum of both.
    fn minus(&self, other: &Self) -> Difference {
        let error = self.error_95.zip(other.error_95).map(|(a, b)| a.hypot(b));
        (self.elo - other.elo, error)
    }
}

/// Two engines that played each other in more than one run.
struct Pairing {
    engine: String,
    opponent: String,
    /// Their result in each run; `None` where they did not play each other.
    measured: Vec<Option<Measured>>,
}

impl Pairing {
    /// The difference between this run and the first one with this pairing.
    fn difference(&self, run: usize) -> Option<Difference> {
        let first = self.measured.iter().position(Option::is_some)?;
        let (one, other) = (self.measured[first]?, self.measured[run]?);
        (run != first).then(|| other.minus(&one))
    }
}

/// An engine that played against the base in one of the runs.
struct Variant {
    engine: String,
    /// The place of its run.
    run: usize,
    measured: Measured,
    /// How much stronger it is than the first variant, by their results against the base. `None` for the first variant
    /// itself.
    difference: Option<Difference>,
}

/// The only engine that all runs have, and its results in them.
struct Base {
    engine: String,
    /// Its opponents that no other run has, in the order of the runs.
    variants: Vec<Variant>,
}

/// Runs side by side.
pub struct RunComparison {
    sides: Vec<Side>,
    /// The pairings that more than one run has.
    pairings: Vec<Pairing>,
    /// The engines that are compared by their games against the same engine.
    base: Option<Base>,
}

/// A table of the text and of the page.
struct Grid {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

impl Grid {
    fn text(self) -> TextTable {
        let columns = self.columns.into_iter().map(|column| match column.numbers {
            true => TextColumn::numbers(column.heading),
            false => TextColumn::words(column.heading),
        });
        let mut table = TextTable::of(columns);
        self.rows.into_iter().for_each(|row| table.push(row));
        table
    }

    /// The cells without a value are empty on a page, so they are sorted after all numbers.
    fn markup(self) -> Markup {
        let mut table = Table::new(self.columns);
        for row in &self.rows {
            table.push(row.iter().map(|cell| if cell == "-" { "" } else { cell }));
        }
        table.markup()
    }
}

impl RunComparison {
    /// Reads the runs of these folders.
    ///
    /// # Errors
    /// When one of them is no tournament or cannot be read. Also when nothing is in more than one run: neither two
    /// engines that played each other, nor an engine that others played.
    pub fn of(folders: &[PathBuf]) -> Result<Self, Failure> {
        let sides = (folders.iter().zip(labels(folders)))
            .map(|(folder, label)| side(folder, label))
            .collect::<Result<Vec<Side>, _>>()?;
        let pairings = pairings(&sides);
        let base = base(&sides);
        if pairings.is_empty() && base.is_none() {
            return Err(Failure::input(
                "these runs have no engine in common, or several but no two that played each other in more than one run",
                "a comparison needs runs in which engines of the same names play each other, or in which different engines play \
                 the same one",
            ));
        }
        Ok(Self { sides, pairings, base })
    }

    /// The keys that differ between runs, with a value for each run.
    fn differing(&self) -> Vec<(String, Vec<String>)> {
        let keys: BTreeSet<&String> = self.sides.iter().flat_map(|side| side.keys.keys()).collect();
        let of = |key: &String| -> Vec<String> {
            self.sides
                .iter()
                .map(|side| side.keys.get(key).cloned().unwrap_or_else(|| "-".to_owned()))
                .collect()
        };
        keys.into_iter()
            .map(|key| (key.clone(), of(key)))
            .filter(|(_, values)| values.iter().any(|value| *value != values[0]))
            .collect()
    }

    /// The comparison as text.
    pub fn text(&self) -> String {
        let headings = self.sides.iter().map(|side| TextColumn::words(side.heading.clone()));
        let mut keys = TextTable::of(std::iter::once(TextColumn::words("What differs")).chain(headings));
        for (key, values) in self.differing() {
            keys.push(std::iter::once(key).chain(values.iter().map(|value| shortened(value))));
        }
        let mut text = format!("{keys}\n");
        if !self.pairings.is_empty() {
            let table = self.pairing_table().text();
            text += &format!("{table}\nElo ± 95%. A difference is to the first run in which the two engines played.\n");
        }
        if let Some(base) = &self.base {
            let gap = if self.pairings.is_empty() { "" } else { "\n" };
            text += &format!("{gap}{}\n{INDEPENDENT}\n", self.variant_table(base).text());
        }
        text
    }

    fn pairing_table(&self) -> Grid {
        let mut columns = vec![Column::words("Engine"), Column::words("against")];
        for (run, side) in self.sides.iter().enumerate() {
            columns.push(Column::numbers(side.heading.clone()));
            if run > 0 {
                let label = format!("{} minus {}", side.name, self.sides[0].name);
                columns.push(Column::numbers(label).meaning("To the first run in which the two engines played"));
            }
        }
        let row = |pairing: &Pairing| {
            let mut cells = vec![pairing.engine.clone(), pairing.opponent.clone()];
            cells.extend(self.cells(pairing));
            cells
        };
        Grid {
            columns,
            rows: self.pairings.iter().map(row).collect(),
        }
    }

    fn variant_table(&self, base: &Base) -> Grid {
        let row = |variant: &Variant| {
            let Measured { games, elo, error_95 } = variant.measured;
            vec![
                variant.engine.clone(),
                self.sides[variant.run].heading.clone(),
                games.to_string(),
                with_error(Some((elo, error_95))),
                with_error(variant.difference),
            ]
        };
        Grid {
            columns: vec![
                Column::words(format!("Against {}", base.engine)),
                Column::words("Run"),
                Column::numbers("Games"),
                Column::numbers("Elo"),
                Column::numbers(format!("more than {}", base.first())),
            ],
            rows: base.variants.iter().map(row).collect(),
        }
    }

    /// Elo of each run. In all but the first, the difference to the first follows.
    fn cells(&self, pairing: &Pairing) -> Vec<String> {
        let mut cells = Vec::new();
        for (run, measured) in pairing.measured.iter().enumerate() {
            cells.push(with_error(measured.map(|one| (one.elo, one.error_95))));
            if run > 0 {
                cells.push(with_error(pairing.difference(run)));
            }
        }
        cells
    }

    /// The lines of a CSV file, the names of its columns first: a line is a pairing in a run.
    pub fn csv(&self) -> Vec<Vec<String>> {
        let columns = "engine,opponent,run,games,elo,elo_error_95,difference,difference_error_95";
        let number = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.4}"));
        let line = |names: [&str; 2], run: usize, measured: Measured, difference: Option<Difference>| {
            vec![
                names[0].to_owned(),
                names[1].to_owned(),
                self.sides[run].name.clone(),
                measured.games.to_string(),
                number(Some(measured.elo)),
                number(measured.error_95),
                number(difference.map(|(elo, _)| elo)),
                number(difference.and_then(|(_, error)| error)),
            ]
        };
        let mut lines: Vec<Vec<String>> = vec![columns.split(',').map(str::to_owned).collect()];
        for pairing in &self.pairings {
            let measured =
                (pairing.measured.iter().enumerate()).filter_map(|(run, measured)| Some((run, (*measured)?)));
            lines.extend(measured.map(|(run, measured)| {
                let names = [pairing.engine.as_str(), &pairing.opponent];
                line(names, run, measured, pairing.difference(run))
            }));
        }
        if let Some(base) = &self.base {
            lines.extend(base.variants.iter().map(|variant| {
                let names = [variant.engine.as_str(), &base.engine];
                line(names, variant.run, variant.measured, variant.difference)
            }));
        }
        lines
    }

    /// The comparison as a page.
    pub fn page(&self) -> Page {
        let names: Vec<&str> = self.sides.iter().map(|side| side.heading.as_str()).collect();
        let mut elo = Section::new("elo", "The same engines in each run");
        if !self.pairings.is_empty() {
            elo.draw(self.picture());
            elo.add(self.pairing_table().markup());
        }
        let mut variants = Section::new("variants", "Against the same engine");
        if let Some(base) = &self.base {
            variants.add(self.variant_table(base).markup());
            variants.say(INDEPENDENT);
        }
        let mut curves = Section::new("trajectory", "Pair by pair");
        for (index, pairing) in self.pairings.iter().take(SERIES_COLOURS).enumerate() {
            if let Some(picture) = self.curves(pairing, index + 1) {
                curves.draw(picture);
            }
        }
        let mut keys = Section::new("descriptions", "What differs");
        let mut table = Table::new(std::iter::once(&"Key").chain(&names).map(|name| Column::words(*name)));
        for (key, values) in self.differing() {
            table.push(std::iter::once(key).chain(values));
        }
        keys.add(if table.is_empty() {
            html! { p { "Nothing in their descriptions." } }
        } else {
            table.markup()
        });
        let mut sections = vec![elo, variants, curves, keys];
        sections.retain(|section| !section.parts.is_empty());
        Page {
            title: names.join(" and "),
            subtitle: format!("comparison of {} runs", names.len()),
            verdict: html! { @for sentence in self.sentences() { p { (sentence) } } },
            sections,
            reload_seconds: None,
        }
    }

    /// Where runs differ by more than their errors.
    fn sentences(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        for pairing in &self.pairings {
            for (run, side) in self.sides.iter().enumerate() {
                if let Some((elo, Some(error))) = pairing.difference(run)
                    && elo.abs() > error
                {
                    let (engine, opponent) = (&pairing.engine, &pairing.opponent);
                    let elo = signed(Some(elo), 1);
                    sentences.push(format!(
                        "{engine} against {opponent}: {elo} ± {error:.1} Elo in {}.",
                        side.name
                    ));
                }
            }
        }
        if sentences.is_empty() && !self.pairings.is_empty() {
            sentences.push("No pairing differs between the runs by more than its error.".to_owned());
        }
        sentences.extend(self.base.iter().flat_map(Base::sentences));
        sentences
    }

    fn picture(&self) -> Picture {
        let rows: Vec<String> = self
            .pairings
            .iter()
            .map(|pairing| format!("{} against {}", pairing.engine, pairing.opponent))
            .collect();
        let runs = self.sides.len() as f64;
        let mut layers = vec![Layer::Upright(0.0, "even".to_owned())];
        let mut ends = vec![0.0];
        for (run, side) in self.sides.iter().enumerate() {
            let points = self.pairings.iter().enumerate().filter_map(|(row, pairing)| {
                let measured = pairing.measured[run]?;
                let error = measured.error_95.unwrap_or(0.0);
                ends.extend([measured.elo - error, measured.elo + error]);
                Some(Point {
                    at: (
                        measured.elo,
                        row as f64 + (run as f64 - (runs - 1.0) / 2.0) * 0.6 / runs,
                    ),
                    across: Some((measured.elo - error, measured.elo + error)),
                    hover: format!(
                        "{}, {}: {} ± {error:.1} Elo",
                        rows[row],
                        side.name,
                        signed(Some(measured.elo), 1)
                    ),
                    ..Point::default()
                })
            });
            layers.push(Layer::Points(run, points.collect()));
        }
        Chart {
            id: "comparison".to_owned(),
            title: "Elo of the same engines in each run".to_owned(),
            description: self.sentences().join(" "),
            x: Axis::linear("Elo of the engine over its opponent", ends).written(Writing::Signed),
            height: 40.0 + rows.len() as f64 * (14.0 + 14.0 * runs),
            y: Axis::names("", rows).reversed(),
            legend: self.legend(),
            note: "Bars: 95% intervals.".to_owned(),
            layers,
        }
        .draw()
    }

    fn legend(&self) -> Vec<(usize, String)> {
        self.sides.iter().map(|side| side.name.clone()).enumerate().collect()
    }

    /// The trajectories of a pairing in the runs that have their games.
    fn curves(&self, pairing: &Pairing, number: usize) -> Option<Picture> {
        let mut layers = vec![Layer::Level(0.0, "even".to_owned())];
        let (mut pairs, mut values) = (vec![], vec![]);
        for (series, side) in self.sides.iter().enumerate() {
            let points: Vec<(f64, f64)> = side
                .courses
                .iter()
                .find_map(|course| course.elo_of(&pairing.engine, &pairing.opponent))
                .unwrap_or_default();
            pairs.extend(points.last().map(|(pairs, _)| *pairs));
            values.extend(
                points
                    .iter()
                    .skip((points.len() / 10).clamp(5, 200))
                    .map(|(_, elo)| *elo),
            );
            layers.push(Layer::Line(series, points));
        }
        if pairs.is_empty() {
            return None;
        }
        Some(
            Chart {
                id: format!("trajectory-{number}"),
                title: format!(
                    "Elo of {} against {} over the pairs played",
                    pairing.engine, pairing.opponent
                ),
                description: self.cells(pairing).join("; "),
                x: Axis::from_zero("pairs", pairs),
                y: Axis::linear("Elo", values.into_iter().chain([0.0])).written(Writing::Signed),
                height: 220.0,
                legend: self.legend(),
                note: String::new(),
                layers,
            }
            .draw(),
        )
    }
}

/// The assumption behind the error of a difference between variants.
const INDEPENDENT: &str =
    "The runs are independent games: the error of a difference is that of both runs together. Elo ± 95%.";

impl Base {
    /// The name of the first variant.
    fn first(&self) -> &str {
        self.variants.first().map_or("", |variant| &variant.engine)
    }

    /// How the variants compare with the first.
    fn sentences(&self) -> impl Iterator<Item = String> {
        self.variants.iter().filter_map(|variant| {
            let (elo, error) = variant.difference?;
            let clear = match error {
                Some(error) if elo.abs() > error => "",
                _ => ". The games do not separate them",
            };
            Some(format!(
                "{} against {}, by their games with {}: {} Elo{clear}.",
                variant.engine,
                self.first(),
                self.engine,
                with_error(variant.difference)
            ))
        })
    }
}

fn with_error(difference: Option<Difference>) -> String {
    let text = |(elo, error)| format!("{} ± {}", signed(Some(elo), 1), unsigned(error, 1));
    difference.map_or_else(|| "-".to_owned(), text)
}

/// The only engine that all runs have, with the opponents that only one run has. `None` when there is no such engine,
/// or when fewer than two runs have such opponents.
fn base(sides: &[Side]) -> Option<Base> {
    let engines = |side: &Side| -> BTreeSet<String> {
        let rows = side.pairings.rows.iter();
        rows.map(|row| side.pairings.cell(row, "engine").to_owned()).collect()
    };
    let all: Vec<BTreeSet<String>> = sides.iter().map(engines).collect();
    let common = all.iter().cloned().reduce(|one, other| &one & &other)?;
    let engine = Some(common.into_iter().collect::<Vec<_>>())
        .filter(|names| names.len() == 1)?
        .pop()?;
    let is_alone = |name: &str| all.iter().filter(|names| names.contains(name)).count() == 1;
    let mut variants: Vec<Variant> = Vec::new();
    for (run, side) in sides.iter().enumerate() {
        for row in &side.pairings.rows {
            let (name, opponent) = (side.pairings.cell(row, "engine"), side.pairings.cell(row, "opponent"));
            if opponent == engine && is_alone(name) {
                let Some(measured) = measured(&side.pairings, row) else {
                    continue;
                };
                variants.push(Variant {
                    engine: name.to_owned(),
                    run,
                    measured,
                    difference: variants.first().map(|first| measured.minus(&first.measured)),
                });
            }
        }
    }
    let runs: BTreeSet<usize> = variants.iter().map(|variant| variant.run).collect();
    (runs.len() > 1).then_some(Base { engine, variants })
}

/// The result of a line of crosstable.csv; `None` when an engine won or lost everything.
fn measured(pairings: &Rows, row: &[String]) -> Option<Measured> {
    Some(Measured {
        games: pairings.number(row, "games").unwrap_or(0.0),
        elo: pairings.number(row, "elo")?,
        error_95: pairings.number(row, "elo_error_95"),
    })
}

fn side(folder: &Path, name: String) -> Result<Side, Failure> {
    let run = Run::open(folder)?;
    if run.manifest().kind != RunKind::Tournament {
        return Err(Failure::input(
            format!("`{}` is a tuning run", folder.display()),
            "runs of matches and tournaments can be compared; `lmrlab report` takes several folders of any kind",
        ));
    }
    let (description, _) = run.description()?;
    let mut keys = BTreeMap::new();
    flatten("", &toml::Value::Table(write::tournament(&description)), &mut keys);
    let (version, commit) = run.manifest().program();
    keys.insert(
        "lmrlab".to_owned(),
        format!("{version}, commit {}", commit.unwrap_or("unknown")),
    );
    keys.insert(
        "bench".to_owned(),
        run.manifest()
            .bench()
            .map_or_else(|| "unknown".to_owned(), |bench| bench.to_string()),
    );
    keys.insert(
        "left out".to_owned(),
        run.note().unwrap_or_else(|| "nothing".to_owned()),
    );
    for file in run.manifest().files() {
        keys.insert(
            format!("{} (SHA-256)", file.path),
            file.sha256.chars().take(12).collect(),
        );
    }
    // The name is in the headings.
    for unimportant in ["name", "description", "threads"] {
        keys.remove(unimportant);
    }
    let (pairings, courses) = if run.has_games() || run.manifest().part.is_some() {
        let (progress, courses) = courses(&run)?;
        (Rows::of(&crosstable(&progress.tally)), courses)
    } else {
        (Rows::read(&folder.join(CROSSTABLE.name()))?, Vec::new())
    };
    let title = description.name;
    let heading = match name == title || name.ends_with(&format!("/{title}")) {
        true => name.clone(),
        false => format!("{name} ({title})"),
    };
    Ok(Side {
        name,
        heading,
        keys,
        pairings,
        courses,
    })
}

/// The shortest ends of these paths that differ from each other.
fn labels(folders: &[PathBuf]) -> Vec<String> {
    // `.` and links have names, too.
    let full: Vec<PathBuf> = (folders.iter())
        .map(|folder| folder.canonicalize().unwrap_or_else(|_| folder.clone()))
        .collect();
    let end = |path: &Path, parts: usize| -> String {
        let parts: Vec<_> = path.iter().rev().take(parts).collect();
        let end: PathBuf = parts.into_iter().rev().collect();
        end.display().to_string()
    };
    let longest = full.iter().map(|path| path.iter().count()).max().unwrap_or(1);
    full.iter()
        .map(|path| {
            let differs = |parts: &usize| {
                let same = full.iter().filter(|other| end(other, *parts) == end(path, *parts));
                same.count() == 1
            };
            end(path, (1..=longest).find(differs).unwrap_or(longest))
        })
        .collect()
}

fn pairings(sides: &[Side]) -> Vec<Pairing> {
    let mut found: Vec<Pairing> = Vec::new();
    for (run, side) in sides.iter().enumerate() {
        for row in &side.pairings.rows {
            let (engine, opponent) = (side.pairings.cell(row, "engine"), side.pairings.cell(row, "opponent"));
            let Some(measured) = measured(&side.pairings, row) else {
                continue;
            };
            let of = |pairing: &Pairing, one: &str, other: &str| pairing.engine == one && pairing.opponent == other;
            // The table has each pairing from both sides. The first one counts.
            if found.iter().any(|pairing| of(pairing, opponent, engine)) {
                continue;
            }
            let place = found
                .iter()
                .position(|pairing| of(pairing, engine, opponent))
                .unwrap_or_else(|| {
                    found.push(Pairing {
                        engine: engine.to_owned(),
                        opponent: opponent.to_owned(),
                        measured: vec![None; sides.len()],
                    });
                    found.len() - 1
                });
            found[place].measured[run] = Some(measured);
        }
    }
    found.retain(|pairing| pairing.measured.iter().flatten().count() > 1);
    found
}

/// A long value in a narrow table.
fn shortened(value: &str) -> String {
    const MOST: usize = 40;
    match value.chars().count() {
        0..=MOST => value.to_owned(),
        _ => value.chars().take(MOST - 1).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_as_short_as_they_can_be() {
        let labels = |folders: &[&str]| labels(&folders.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(labels(&["/r/before", "/r/after"]), ["before", "after"]);
        assert_eq!(labels(&["/r/a/run", "/r/b/run", "/r/c"]), ["a/run", "b/run", "c"]);
        assert_eq!(labels(&["/r/a", "/r/a"]), ["/r/a", "/r/a"]);
        assert_eq!(labels(&["/a", "/r/a"]), ["/a", "r/a"]);
    }
}
