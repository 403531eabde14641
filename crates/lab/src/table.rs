//! Tables for a person, and CSV files for programs.

use std::fmt;
use std::path::Path;

use serde::Serialize;

use lmrlab_runner::failure::Failure;

/// Columns that are aligned: words to the left, numbers to the right.
#[derive(Debug, Clone, Default)]
pub struct TextTable {
    words: usize,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    /// A table with these headings; the first `words` columns hold words.
    pub fn new<H: Into<String>>(words: usize, header: impl IntoIterator<Item = H>) -> Self {
        Self {
            words,
            rows: vec![header.into_iter().map(Into::into).collect()],
        }
    }

    /// Adds a line.
    pub fn push(&mut self, row: impl IntoIterator<Item = String>) {
        self.rows.push(row.into_iter().collect());
    }

    /// Whether there is nothing under the headings.
    pub fn is_empty(&self) -> bool {
        self.rows.len() < 2
    }
}

impl fmt::Display for TextTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in &self.rows {
            let mut line = String::new();
            for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
                if column > 0 {
                    line.push_str("  ");
                }
                line.push_str(&if column < self.words {
                    format!("{cell:<width$}")
                } else {
                    format!("{cell:>width$}")
                });
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// A number with so many decimals, or `-`.
pub fn decimal(value: Option<f64>, decimals: usize) -> String {
    value
        .filter(|value| value.is_finite())
        .map_or_else(|| "-".to_owned(), |value| format!("{value:.decimals$}"))
}

/// A share as a percentage with one decimal, or `-`.
pub fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{:.1}%", 100.0 * share))
}

/// `part` of `whole`; `None` of nothing.
pub fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Writes rows as CSV with a header.
///
/// # Errors
/// When the file cannot be written.
pub fn write_csv<T: Serialize>(
    path: &Path,
    rows: impl IntoIterator<Item = T>,
) -> Result<(), Failure> {
    let write = || -> csv::Result<()> {
        let mut writer = csv::Writer::from_path(path)?;
        for row in rows {
            writer.serialize(row)?;
        }
        writer.flush()?;
        Ok(())
    };
    write().map_err(|error| Failure::Run(format!("cannot write `{}`: {error}", path.display())))
}

/// Writes cells as CSV under a header.
///
/// # Errors
/// When the file cannot be written.
pub fn write_cells(
    path: &Path,
    header: &[&str],
    rows: impl IntoIterator<Item = Vec<String>>,
) -> Result<(), Failure> {
    let write = || -> csv::Result<()> {
        let mut writer = csv::Writer::from_path(path)?;
        writer.write_record(header)?;
        for row in rows {
            writer.write_record(row)?;
        }
        writer.flush()?;
        Ok(())
    };
    write().map_err(|error| Failure::Run(format!("cannot write `{}`: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let mut table = TextTable::new(1, ["policy", "nodes"]);
        table.push(["a".to_owned(), "1234567".to_owned()]);
        table.push(["longer-name".to_owned(), "5".to_owned()]);
        assert_eq!(
            table.to_string(),
            "policy         nodes\na            1234567\nlonger-name        5\n"
        );
    }
}
