//! Sheets of cells: with aligned columns for a person, as CSV for a program.

use std::fs;
use std::path::Path;

use super::table::TextTable;
use lmrlab_runner::failure::Failure;

/// Cells of text under the names of their columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Sheet {
    /// A sheet without rows.
    pub fn new<C: Into<String>>(columns: impl IntoIterator<Item = C>) -> Self {
        Self {
            columns: columns.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row; cells that are missing are empty, those beyond the last column are left out.
    pub fn push<C: Into<String>>(&mut self, row: impl IntoIterator<Item = C>) {
        let mut row: Vec<String> = row.into_iter().map(Into::into).collect();
        row.resize(self.columns.len(), String::new());
        self.rows.push(row);
    }

    /// The names of its columns.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Its rows.
    pub fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }

    /// Characters of the widest cell of each column.
    pub fn widths(&self) -> Vec<usize> {
        let lines = || std::iter::once(&self.columns).chain(&self.rows);
        let width = |column: usize| lines().map(|row| row[column].chars().count()).max();
        (0..self.columns.len())
            .map(|column| width(column).unwrap_or(0))
            .collect()
    }

    /// For a person: the first `left` columns to the left, as words are, the others to the right, as numbers are.
    pub fn text(&self, left: usize) -> String {
        let mut table = TextTable::new(left, self.columns.clone());
        for row in &self.rows {
            table.push(row.clone());
        }
        table.to_string()
    }

    /// As CSV, the names of the columns first.
    pub fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        // Writing to memory does not fail, and all rows have the same length.
        for row in std::iter::once(&self.columns).chain(&self.rows) {
            let _ = writer.write_record(row);
        }
        let bytes = writer.into_inner().unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Writes it as CSV.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write_csv(&self, path: &Path) -> Result<(), Failure> {
        fs::write(path, self.csv()).map_err(|error| Failure::write(path, &error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_sees_columns_and_a_program_cells() {
        let mut sheet = Sheet::new(["policy", "nodes"]);
        sheet.push(["none", "12345"]);
        sheet.push(["a, b", "7"]);
        sheet.push(["short"]);
        assert_eq!(
            sheet.text(1),
            "policy  nodes\nnone    12345\na, b        7\nshort\n"
        );
        assert_eq!(
            sheet.csv(),
            "policy,nodes\nnone,12345\n\"a, b\",7\nshort,\n"
        );
    }
}
