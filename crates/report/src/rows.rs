//! Lines of CSV files as tables, with the digits of the files.

use std::path::Path;

use lmrlab_results::csv_file::cells;
use lmrlab_results::row::{self as results, Row};
use lmrlab_runner::failure::Failure;

use crate::table::{Column, Table};

/// A column of a CSV file as it stands on a page.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'n> {
    /// Its name in the file.
    pub name: &'n str,
    /// Its heading on the page.
    pub heading: &'n str,
    /// What it means, shown when the heading is pointed at; may be empty.
    pub meaning: &'n str,
}

impl<'n> Shown<'n> {
    /// A column with its heading and meaning.
    pub const fn new(name: &'n str, heading: &'n str, meaning: &'n str) -> Self {
        Self { name, heading, meaning }
    }
}

impl From<results::Column> for Shown<'static> {
    fn from(column: results::Column) -> Self {
        Self::new(column.name, column.heading, column.meaning)
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

    /// The rows as a table of these columns; those that the file does not have are left out.
    pub fn table(&self, shown: &[Shown<'_>]) -> Table {
        let there: Vec<(usize, &Shown<'_>)> = shown
            .iter()
            .filter_map(|shown| Some((self.column(shown.name)?, shown)))
            .collect();
        let is_number = |column: usize| {
            let mut cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.all(|cell| cell.is_empty() || cell.parse::<f64>().is_ok())
        };
        let mut table = Table::new(there.iter().map(|(column, shown)| {
            let column = match is_number(*column) {
                true => Column::numbers(shown.heading),
                false => Column::words(shown.heading),
            };
            column.meaning(shown.meaning)
        }));
        for row in &self.rows {
            table.push(
                there
                    .iter()
                    .map(|(column, _)| row.get(*column).map_or("", String::as_str)),
            );
        }
        table
    }
}

/// The longest CSV file that is read whole, in bytes.
const MAX_BYTES: u64 = 1 << 28;
