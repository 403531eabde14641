//! The comparison as text and as a page.

use maud::{Markup, html};

use lmrlab_results::number_text::{signed, unsigned};
use lmrlab_runner::text_table::{Column as TextColumn, TextTable};
use lmrlab_stats::CONFIDENCE;

use super::{Base, Difference, Measured, Pairing, RunComparison, Variant};
use crate::chart::axis::{Axis, Writing};
use crate::chart::{Chart, Layer, Picture, Point};
use crate::page::{Page, Section};
use crate::table::{Column, Table};

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
            text += &format!(
                "{table}\nElo ± {CONFIDENCE}. A difference is to the first run in which the two engines played.\n"
            );
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
        let mut sections = vec![elo, variants, keys];
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
            note: format!("Bars: {CONFIDENCE} intervals."),
            layers,
        }
        .draw()
    }

    fn legend(&self) -> Vec<(usize, String)> {
        self.sides.iter().map(|side| side.name.clone()).enumerate().collect()
    }
}

/// The assumption behind the error of a difference between variants.
const INDEPENDENT: &str =
    "The runs are independent games: the error of a difference is that of both runs together. Elo ± 95%.";

impl Base {
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

/// A long value in a narrow table.
fn shortened(value: &str) -> String {
    const MOST: usize = 40;
    match value.chars().count() {
        0..=MOST => value.to_owned(),
        _ => value.chars().take(MOST - 1).chain(['…']).collect(),
    }
}
