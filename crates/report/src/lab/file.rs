//! A CSV file of the lab: read whole, and checked for the columns that a page needs.

use std::path::Path;

use maud::{Markup, html};

use lmrlab_results::failure::Failure;

use crate::chart::axis::grouped;
use crate::rows::{Rows, Shown};

/// Most cells of one table on a page.
const MOST_CELLS: usize = 9_000;

/// A file that was read.
#[derive(Debug)]
pub(super) struct LabFile {
    /// Its path, as it was given.
    pub(super) place: String,
    /// Its name without the folder.
    pub(super) name: String,
    pub(super) rows: Rows,
}

impl LabFile {
    /// Reads it.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let name = path.file_name().unwrap_or_default();
        Ok(Self {
            place: path.display().to_string(),
            name: name.to_string_lossy().into_owned(),
            rows: Rows::read(path)?,
        })
    }

    /// Whether it has all of these columns.
    pub(super) fn has(&self, columns: &[&str]) -> bool {
        columns.iter().all(|column| self.rows.column(column).is_some())
    }

    /// Checks that the file has lines, and the columns that a page needs. The message names `command`, which writes
    /// such files.
    pub(super) fn needs(&self, command: &str, columns: &[&str]) -> Result<(), Failure> {
        let missing: Vec<String> = columns
            .iter()
            .filter(|column| self.rows.column(column).is_none())
            .map(|column| format!("`{column}`"))
            .collect();
        if !missing.is_empty() {
            return Err(Failure::input(
                format!(
                    "`{}` looks like a file of `{command}`, but has no column {}",
                    self.place,
                    missing.join(", ")
                ),
                format!("let `lmrlab {command}` write it again; docs/files.md names the columns"),
            ));
        }
        if self.rows.rows.is_empty() {
            return Err(Failure::input(
                format!("`{}` has the columns of `{command}`, but no lines", self.place),
                "there is nothing to show; let the command finish a line first",
            ));
        }
        Ok(())
    }

    /// Checks that these columns hold numbers. A cell may be empty: then its value is undefined.
    pub(super) fn numbers(&self, columns: &[&str]) -> Result<(), Failure> {
        for (index, row) in self.rows.rows.iter().enumerate() {
            for column in columns {
                let cell = self.rows.cell(row, column);
                if !cell.is_empty() && cell.parse::<f64>().is_err() {
                    return Err(Failure::input(
                        format!(
                            "`{}`, line {}: `{cell}` in column `{column}` is no number",
                            self.place,
                            index + 2
                        ),
                        "let the command write the file again",
                    ));
                }
            }
        }
        Ok(())
    }

    /// The names in a column, each once, in the order of the file.
    pub(super) fn names(&self, column: &str) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for row in &self.rows.rows {
            let name = self.rows.cell(row, column);
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        names
    }

    /// The lines that have this in a column.
    pub(super) fn of<'f>(&'f self, column: &str, name: &str) -> impl Iterator<Item = &'f [String]> + use<'f> {
        let (index, name) = (self.rows.column(column), name.to_owned());
        let cell = move |row: &'f Vec<String>| row.get(index?);
        self.rows
            .rows
            .iter()
            .filter(move |row| cell(row).is_some_and(|cell| *cell == name))
            .map(Vec::as_slice)
    }

    /// The file as a table without some columns. The others have these headings, or else their own names. Of a long file the
    /// first lines.
    pub(super) fn table_without(&self, left_out: &[&str], headings: &[Shown<'_>]) -> Markup {
        let shown: Vec<Shown<'_>> = (self.rows.columns.iter())
            .filter(|name| !left_out.contains(&name.as_str()))
            .map(|name| {
                let known = headings.iter().find(|known| known.name == name);
                known.copied().unwrap_or(Shown::new(name, name, ""))
            })
            .collect();
        let most = (MOST_CELLS / self.rows.columns.len().max(1)).max(1);
        let all = self.rows.rows.len();
        let first = Rows {
            columns: self.rows.columns.clone(),
            rows: self.rows.rows.iter().take(most).cloned().collect(),
        };
        html! {
            (first.table(&shown))
            @if all > most {
                p.note {
                    "The first " (grouped(most as f64, 0)) " of " (grouped(all as f64, 0)) " lines; " (self.name) " has all."
                }
            }
        }
    }
}
