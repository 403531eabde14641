//! Results as CSV files.

use std::fmt;
use std::path::Path;

use lmrlab_runner::failure::Failure;
use lmrlab_runner::output_file;

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

    /// Adds a row. Missing cells are empty; cells beyond the last column are left out.
    pub fn push<C: Into<String>>(&mut self, row: impl IntoIterator<Item = C>) {
        let mut row: Vec<String> = row.into_iter().map(Into::into).collect();
        row.resize(self.columns.len(), String::new());
        self.rows.push(row);
    }

    /// Writes it, the names of the columns first.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), Failure> {
        output_file::write(path, self.to_string())
    }
}

/// The text of a sheet, the names of the columns first.
impl fmt::Display for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let mut lines = std::iter::once(&self.columns).chain(&self.rows);
        lines
            .try_for_each(|line| writer.write_record(line))
            .map_err(|_| fmt::Error)?;
        f.write_str(&String::from_utf8_lossy(&writer.into_inner().map_err(|_| fmt::Error)?))
    }
}
