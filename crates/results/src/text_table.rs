//! Tables of text: cells in aligned columns under their headings.
//!
//! Every table that `lmrlab` prints is one of these. Two blanks separate columns. Lines end with their last character; there are no borders.

use std::fmt;

use crate::visible::shown;

/// A column: its heading, and the side to which it is aligned.
#[derive(Debug, Clone)]
pub struct TextColumn {
    heading: String,
    is_right: bool,
}

impl TextColumn {
    /// A column of words, aligned to the left.
    pub fn words(heading: impl Into<String>) -> Self {
        Self {
            heading: shown(&heading.into()),
            is_right: false,
        }
    }

    /// A column of numbers, aligned to the right.
    pub fn numbers(heading: impl Into<String>) -> Self {
        Self {
            is_right: true,
            ..Self::words(heading)
        }
    }
}

/// Rows of cells under headings.
#[derive(Debug, Clone, Default)]
pub struct TextTable {
    columns: Vec<TextColumn>,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    /// A table with these columns.
    pub fn of(columns: impl IntoIterator<Item = TextColumn>) -> Self {
        Self {
            columns: columns.into_iter().collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row. Missing cells are empty; cells beyond the last column are left out. Cells are [`shown`].
    pub fn push<C: Into<String>>(&mut self, row: impl IntoIterator<Item = C>) {
        let row = row.into_iter().map(Into::into);
        let mut row: Vec<String> = row.map(|cell| shown(&cell)).collect();
        row.resize(self.columns.len(), String::new());
        self.rows.push(row);
    }
}

impl fmt::Display for TextTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |(index, column): (usize, &TextColumn)| {
            let cells = self.rows.iter().map(|row| row[index].chars().count());
            cells.max().unwrap_or(0).max(column.heading.chars().count())
        };
        let widths: Vec<usize> = self.columns.iter().enumerate().map(width).collect();
        let padded = |index: usize, cell: &str| {
            let (width, between) = (widths[index], if index > 0 { "  " } else { "" });
            match self.columns[index].is_right {
                false => format!("{between}{cell:<width$}"),
                true => format!("{between}{cell:>width$}"),
            }
        };
        let headings = self.columns.iter().enumerate();
        let first: String = headings.map(|(index, column)| padded(index, &column.heading)).collect();
        writeln!(f, "{}", first.trim_end())?;
        for row in &self.rows {
            let cells = row.iter().enumerate();
            let line: String = cells.map(|(index, cell)| padded(index, cell)).collect();
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let mut table = TextTable::of([TextColumn::words("policy"), TextColumn::numbers("nodes")]);
        table.push(["a", "1234567"]);
        table.push(["longer-name", "5"]);
        table.push(["short"]);
        assert_eq!(
            table.to_string(),
            "policy         nodes\na            1234567\nlonger-name        5\nshort\n"
        );
    }

    #[test]
    fn control_characters_are_shown_and_take_one_column() {
        let mut table = TextTable::of([TextColumn::words("na\tme"), TextColumn::numbers("Elo")]);
        table.push(["a\x1b[2Jb", "1"]);
        assert_eq!(table.to_string(), "na␉me   Elo\na␛[2Jb    1\n");
    }

    #[test]
    fn a_cell_of_any_length_is_printed() {
        let long = "x".repeat(100_000);
        let mut table = TextTable::of([TextColumn::words(long.clone()), TextColumn::numbers("Elo")]);
        table.push([long.clone(), long]);
        let text = table.to_string();
        assert!(text.lines().all(|line| line.chars().count() < 2_100), "{}", text.len());
        assert_eq!(text.matches('…').count(), 3);
    }
}
