//! Lines of CSV files as tables, with numbers rounded as on the terminal. The files have all digits.

use std::collections::BTreeMap;
use std::path::Path;

use lmrlab_results::csv_file::cells;
use lmrlab_results::row::{self as results, Row};
use lmrlab_runner::failure::Failure;
use lmrlab_runner::number_text::{percent, signed, unsigned};
use maud::{Markup, html};

use crate::table::{Column, Table, WIDE, printable};

/// A column of a CSV file as it stands on a page.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'n> {
    /// Its name in the file.
    pub name: &'n str,
    /// Its heading on the page.
    pub heading: &'n str,
    /// What it means, shown when the heading is pointed at; may be empty.
    pub meaning: &'n str,
    /// The unit of its numbers, which says how they are rounded. Without one they stand as in the file.
    unit: Option<&'n str>,
}

impl<'n> Shown<'n> {
    /// A column with its heading and meaning, its cells as they stand in the file.
    pub const fn new(name: &'n str, heading: &'n str, meaning: &'n str) -> Self {
        Self {
            name,
            heading,
            meaning,
            unit: None,
        }
    }

    /// A cell of a column with fractions, for people.
    fn rounded(&self, cell: &str) -> String {
        let (Some(unit), Ok(number)) = (self.unit, cell.parse::<f64>()) else {
            return cell.to_owned();
        };
        match unit {
            "share" => percent(Some(number)),
            "Elo" | "nElo" if self.name.contains("error") || self.name == "tau" => unsigned(Some(number), 1),
            "Elo" | "nElo" => signed(Some(number), 1),
            "plies" => unsigned(Some(number), 2),
            "points" | "positions" | "nodes" | "ms" => unsigned(Some(number), 1),
            _ => unsigned(Some(number), 3),
        }
    }
}

impl From<results::Column> for Shown<'static> {
    fn from(column: results::Column) -> Self {
        Self {
            unit: Some(column.unit),
            ..Self::new(column.name, column.heading, column.meaning)
        }
    }
}

/// The columns of a row as they stand on a page: those with these names in this order, or all.
pub fn shown<R: Row>(names: &[&str]) -> Vec<Shown<'static>> {
    let columns = R::columns();
    if names.is_empty() {
        return columns.into_iter().map(Shown::from).collect();
    }
    let named = |name: &&str| columns.iter().find(|column| column.name == *name).copied();
    names.iter().filter_map(named).map(Shown::from).collect()
}

/// A CSV file in memory: names of columns, and cells as they are written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rows {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The lines after them.
    pub rows: Vec<Vec<String>>,
}

impl Rows {
    /// Rows as the file of them would have them.
    pub fn of<R: Row>(rows: &[R]) -> Self {
        Self {
            columns: R::names().into_iter().map(str::to_owned).collect(),
            rows: rows.iter().map(cells).collect(),
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or is no CSV file.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let wrong = |error: &dyn std::fmt::Display| {
            Failure::input(
                format!("cannot read `{}`: {error}", path.display()),
                "a page needs a CSV file that lmrlab wrote",
            )
        };
        let text = lmrlab_runner::text_file::read_utf8(path, MAX_BYTES).map_err(|error| wrong(&error))?;
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let columns = reader
            .headers()
            .map_err(|error| wrong(&error))?
            .iter()
            .map(str::to_owned)
            .collect();
        let mut rows = Vec::new();
        for record in reader.records() {
            rows.push(
                record
                    .map_err(|error| wrong(&error))?
                    .iter()
                    .map(str::to_owned)
                    .collect(),
            );
        }
        Ok(Self { columns, rows })
    }

    /// The place of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }

    /// A cell; empty when there is no such column.
    pub fn cell<'r>(&self, row: &'r [String], name: &str) -> &'r str {
        self.column(name)
            .and_then(|column| row.get(column))
            .map_or("", String::as_str)
    }

    /// A cell as a number; `None` when it is empty or no number.
    pub fn number(&self, row: &[String], name: &str) -> Option<f64> {
        self.cell(row, name)
            .parse()
            .ok()
            .filter(|number: &f64| number.is_finite())
    }

    /// The rows as a table of these columns; those that the file does not have are left out. A wide table leaves out the columns that
    /// are empty, and says in a line below it which ones are 0 in every row, or the same word.
    pub fn table(&self, shown: &[Shown<'_>]) -> Markup {
        let there: Vec<(usize, &Shown<'_>)> = shown
            .iter()
            .filter_map(|shown| Some((self.column(shown.name)?, shown)))
            .collect();
        let is_wide = there.len() > WIDE && !self.rows.is_empty();
        let (alike, there): (Vec<_>, Vec<_>) =
            (there.into_iter()).partition(|(column, _)| is_wide && self.is_alike(*column));
        let is_number = |column: usize| {
            self.cells(column)
                .all(|cell| cell.is_empty() || cell.parse::<f64>().is_ok())
        };
        let mut table = Table::new(there.iter().map(|(column, shown)| {
            let column = match is_number(*column) {
                true => Column::numbers(shown.heading),
                false => Column::words(shown.heading),
            };
            column.meaning(shown.meaning)
        }));
        let has_fractions: Vec<bool> = there
            .iter()
            .map(|(column, shown)| shown.unit == Some("share") || self.cells(*column).any(|cell| cell.contains('.')))
            .collect();
        for row in &self.rows {
            table.push(
                there
                    .iter()
                    .zip(&has_fractions)
                    .map(|((column, shown), has_fractions)| {
                        let cell = row.get(*column).map_or("", String::as_str);
                        match has_fractions {
                            true => shown.rounded(cell),
                            false => cell.to_owned(),
                        }
                    }),
            );
        }
        let mut same: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (column, shown) in alike {
            let value = self.cells(column).next().unwrap_or_default();
            same.entry(value).or_default().push(shown.heading);
        }
        same.remove("");
        let same = same
            .iter()
            .map(|(value, headings)| printable(&format!("{value} in every row: {}.", headings.join("; "))));
        html! {
            (table.markup())
            @for sentence in same { p.note { (sentence) } }
        }
    }

    /// Whether all cells of a column are empty, 0, or the same word.
    fn is_alike(&self, column: usize) -> bool {
        let first = self.cells(column).next().unwrap_or_default();
        let says_little = match first.parse::<f64>() {
            Ok(number) => number == 0.0,
            Err(_) => first.is_empty() || self.rows.len() > 1,
        };
        says_little && self.cells(column).all(|cell| cell == first)
    }

    /// The cells of a column.
    fn cells(&self, column: usize) -> impl Iterator<Item = &str> {
        self.rows
            .iter()
            .filter_map(move |row| row.get(column).map(String::as_str))
    }
}

/// The longest CSV file that is read whole, in bytes.
const MAX_BYTES: u64 = 1 << 28;
