//! A CSV file of the lab: read whole, and checked for the columns that a page needs.

use std::path::Path;

use maud::{Markup, html};
use serde::de::DeserializeOwned;

use lmrlab_results::failure::Failure;
use lmrlab_results::row::Row;

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

    /// Checks that the file has the rows that `command` writes. Where nothing was found, some files have no lines.
    pub(super) fn check<R: Row + DeserializeOwned>(&self, command: &str, may_be_empty: bool) -> Result<(), Failure> {
        let names = R::names();
        if !(may_be_empty && self.rows.rows.is_empty() && self.has(&names)) {
            self.needs(command, &names)?;
        }
        let places: Vec<usize> = names.iter().filter_map(|name| self.rows.column(name)).collect();
        for (index, row) in self.rows.rows.iter().enumerate() {
            let cells: Vec<&str> = places.iter().map(|place| row[*place].as_str()).collect();
            let Err(error) = csv::StringRecord::from(cells.clone()).deserialize::<R>(None) else {
                continue;
            };
            let field = match error.kind() {
                csv::ErrorKind::Deserialize { err, .. } => err.field().and_then(|field| usize::try_from(field).ok()),
                _ => None,
            };
            let what = match field.and_then(|field| cells.get(field).zip(names.get(field))) {
                Some((cell, name)) => format!("`{cell}` in column `{name}` is no number"),
                None => error.to_string(),
            };
            return Err(Failure::input(
                format!("`{}`, line {}: {what}", self.place, index + 2),
                "let the command write the file again",
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

    /// The sum of a column over the lines of a policy.
    pub(super) fn sum(&self, policy: &str, column: &str) -> f64 {
        let rows = self.of("policy", policy);
        rows.filter_map(|row| self.rows.number(row, column)).sum()
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

    /// The file as a table. Its columns have these headings, or else their own names. Of a long file the first lines.
    pub(super) fn table(&self, headings: &[Shown<'_>]) -> Markup {
        self.table_without(&[], headings)
    }

    /// The same without some columns.
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

/// Letters, digits and dashes for the name of a picture or a section.
pub(super) fn slug(text: &str) -> String {
    let mut slug = String::new();
    for letter in text.chars().take(40) {
        match letter {
            letter if letter.is_ascii_alphanumeric() => slug.push(letter.to_ascii_lowercase()),
            _ if !slug.ends_with('-') && !slug.is_empty() => slug.push('-'),
            _ => {}
        }
    }
    slug.trim_end_matches('-').to_owned()
}

/// A text, or `instead` when it is empty.
pub(super) fn or(text: &str, instead: &str) -> String {
    if text.is_empty() { instead } else { text }.to_owned()
}
