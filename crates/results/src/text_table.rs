//! Tables of text: cells in aligned columns under their headings.
//!
//! Every table that `lmrlab` prints is one of these. Lines end with their last character; there are no borders.

use std::fmt;

use crate::visible::shown;
use lmrlab_diagnostics::SHOWN_CHARACTERS;

/// Which side of its column a cell keeps to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Align {
    Left,
    Right,
}

/// A column: its heading, its side, and what separates it from the column before.
#[derive(Debug, Clone)]
pub struct Column {
    heading: String,
    side: Align,
    least: usize,
    separator: &'static str,
}

impl Column {
    /// A column of words, aligned to the left, two blanks behind the column before.
    pub fn words(heading: impl Into<String>) -> Self {
        Self {
            heading: shown(&heading.into()),
            side: Align::Left,
            least: 0,
            separator: "  ",
        }
    }

    /// A column of numbers, aligned to the right, two blanks behind the column before.
    pub fn numbers(heading: impl Into<String>) -> Self {
        Self {
            side: Align::Right,
            ..Self::words(heading)
        }
    }

    /// The same, at least `least` characters wide.
    #[must_use]
    pub fn at_least(self, least: usize) -> Self {
        let least = least.min(SHOWN_CHARACTERS + 1);
        Self { least, ..self }
    }

    /// The same with this between it and the column before.
    #[must_use]
    pub fn behind(self, separator: &'static str) -> Self {
        Self { separator, ..self }
    }
}

/// Rows of cells under headings.
#[derive(Debug, Clone, Default)]
pub struct TextTable {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    /// A table with these columns.
    pub fn of(columns: impl IntoIterator<Item = Column>) -> Self {
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
        let width = |(index, column): (usize, &Column)| {
            let cells = self.rows.iter().map(|row| row[index].chars().count());
            let heading = column.heading.chars().count();
            cells.max().unwrap_or(0).max(heading).max(column.least)
        };
        let widths: Vec<usize> = self.columns.iter().enumerate().map(width).collect();
        let padded = |index: usize, cell: &str| {
            let (column, width) = (&self.columns[index], widths[index]);
            let separator = if index > 0 { column.separator } else { "" };
            match column.side {
                Align::Left => format!("{separator}{cell:<width$}"),
                Align::Right => format!("{separator}{cell:>width$}"),
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
        let mut table = TextTable::of([Column::words("policy"), Column::numbers("nodes")]);
        table.push(["a", "1234567"]);
        table.push(["longer-name", "5"]);
        table.push(["short"]);
        assert_eq!(
            table.to_string(),
            "policy         nodes\na            1234567\nlonger-name        5\nshort\n"
        );
    }

    #[test]
    fn columns_have_their_own_sides_widths_and_separators() {
        let mut table = TextTable::of([
            Column::numbers("#").at_least(3),
            Column::words("name").behind(" "),
            Column::numbers("Elo").behind(" : "),
        ]);
        table.push(["1", "Älpha", "-3"]);
        assert_eq!(table.to_string(), "  # name  : Elo\n  1 Älpha :  -3\n");
    }

    #[test]
    fn control_characters_are_shown_and_take_one_column() {
        let mut table = TextTable::of([Column::words("na\tme"), Column::numbers("Elo")]);
        table.push(["a\x1b[2Jb", "1"]);
        assert_eq!(table.to_string(), "na␉me   Elo\na␛[2Jb    1\n");
    }

    #[test]
    fn a_cell_of_any_length_is_printed() {
        let long = "x".repeat(100_000);
        let mut table = TextTable::of([Column::words(long.clone()).at_least(long.len()), Column::numbers("Elo")]);
        table.push([long.clone(), long]);
        let text = table.to_string();
        assert!(text.lines().all(|line| line.chars().count() < 2_100), "{}", text.len());
        assert_eq!(text.matches('…').count(), 3);
    }
}
