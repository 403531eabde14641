//! An outcome as a folder: a CSV file for each table, and outcome.toml, which says what wrote it.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Outcome;
use super::table::Table;
use crate::folder::{self, ResultFile, ResultsFolder, replace};
use crate::manifest::Invocation;
use crate::output_file;
use crate::row::Row;
use crate::shell_words::shell_words;
use crate::text_file::read_utf8;
use crate::utc::Utc;
use lmrlab_diagnostics::failure::Failure;

/// The name of the manifest.
pub const OUTCOME: &str = folder::OUTCOME.name();
/// The longest CSV file that is read whole, in bytes.
const MAX_BYTES: u64 = 1 << 28;
/// The version of the manifest.
const FORMAT_VERSION: u32 = 1;

/// What wrote a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    format_version: u32,
    /// The command: `profile`.
    pub kind: String,
    /// What was searched or played, and how.
    pub conditions: String,
    /// The version of lmrlab.
    pub lmrlab: String,
    /// The commit that it was built from, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The bench fingerprint of its search, in nodes.
    pub bench: u64,
    /// When the files were written, in UTC.
    pub written: String,
    /// The command line.
    pub command: String,
}

impl About {
    /// What an outcome that is written now says of itself.
    pub fn of(kind: &str, outcome: &Outcome, invocation: &Invocation) -> Self {
        Self {
            format_version: FORMAT_VERSION,
            kind: kind.to_owned(),
            conditions: outcome.conditions.clone(),
            lmrlab: invocation.version.clone(),
            commit: invocation.commit.clone(),
            bench: invocation.bench,
            written: Utc::now().to_string(),
            command: shell_words(&invocation.command),
        }
    }

    /// Whether a folder holds an outcome.
    pub fn is_in(folder: &Path) -> bool {
        folder.join(OUTCOME).is_file()
    }

    /// Reads the manifest of a folder.
    ///
    /// # Errors
    /// When it cannot be read, or is of another version.
    pub fn load(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join(OUTCOME);
        let refuse = |what: String| {
            Failure::input(
                format!("cannot read `{}`: {what}", path.display()),
                "let the command write the folder again",
            )
        };
        let text = read_utf8(&path, MAX_BYTES).map_err(|error| refuse(error.to_string()))?;
        let about: Self = toml::from_str(&text).map_err(|error| refuse(error.message().to_owned()))?;
        match about.format_version {
            FORMAT_VERSION => Ok(about),
            other => Err(refuse(format!(
                "it is of version {other}, and this program reads version {FORMAT_VERSION}"
            ))),
        }
    }
}

/// Writes the tables and the manifest. Each file is replaced as a whole, the manifest last.
///
/// # Errors
/// When a file cannot be written.
pub fn write(folder: &Path, outcome: &Outcome, about: &About) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| Failure::write(folder, &error))?;
    let mut files = texts(outcome, about)?.into_iter();
    files.try_for_each(|(name, text)| output_file::write(&folder.join(name), text))
}

/// The same in the folder of a run, which has these files beside its own.
///
/// # Errors
/// When a file cannot be written.
pub fn write_to_run(folder: &ResultsFolder, outcome: &Outcome, about: &About) -> Result<(), Failure> {
    let mut files = texts(outcome, about)?.into_iter();
    files.try_for_each(|(name, text)| replace(folder, ResultFile::named(&name)?, &text))
}

/// The files of an outcome by their names, the manifest last.
fn texts(outcome: &Outcome, about: &About) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let table = |table: &Table| Ok((format!("{}.csv", table.name), csv(table)?));
    let mut texts: Vec<_> = outcome.tables.iter().map(table).collect::<Result<_, Failure>>()?;
    let text = toml::to_string(about).map_err(|error| Failure::encode(OUTCOME, &error))?;
    texts.push((OUTCOME.to_owned(), text.into()));
    Ok(texts)
}

/// A table as a CSV file.
fn csv(table: &Table) -> Result<Vec<u8>, Failure> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let names = table.columns.iter().map(|column| column.name.as_bytes());
    let cells = |row: &Vec<_>| row.iter().map(ToString::to_string).collect::<Vec<String>>();
    writer
        .write_record(names)
        .and_then(|()| table.rows.iter().try_for_each(|row| writer.write_record(cells(row))))
        .map_err(|error| Failure::encode("a table", &error))?;
    writer.into_inner().map_err(|error| Failure::encode("a table", &error))
}

/// The file of a table.
pub fn file_of(folder: &Path, table: &str) -> PathBuf {
    folder.join(format!("{table}.csv"))
}

/// Reads a CSV file as lmrlab writes it.
///
/// # Errors
/// When it cannot be read, has other columns or is cut short, and when a cell is no number where one has to be.
pub fn read<R: Row>(folder: &Path, table: &str) -> Result<Vec<R>, Failure> {
    Rows::read(folder, table)
}

/// The rows of a file of an outcome, as a field of [`tables!`](crate::tables).
pub trait Rows: Sized {
    /// Reads the file of a table.
    ///
    /// # Errors
    /// As [`read`].
    fn read(folder: &Path, table: &str) -> Result<Self, Failure>;

    /// The table; `None` when the folder has no such file.
    fn table(&self, name: &str) -> Option<Table>;
}

impl<R: Row> Rows for Vec<R> {
    fn read(folder: &Path, table: &str) -> Result<Self, Failure> {
        read_all(folder, table, false).map(|read| read.rows)
    }

    fn table(&self, name: &str) -> Option<Table> {
        Some(Table::of(name, self))
    }
}

/// A file that not every folder has.
impl<R: Row> Rows for Option<Vec<R>> {
    fn read(folder: &Path, table: &str) -> Result<Self, Failure> {
        let is_there = file_of(folder, table).exists();
        is_there.then(|| read(folder, table)).transpose()
    }

    fn table(&self, name: &str) -> Option<Table> {
        self.as_ref().map(|rows| Table::of(name, rows))
    }
}

/// Rows of a file with more columns than theirs, which have numbers: parameters of a sweep, facts of an audit.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Wide<R> {
    /// The rows.
    pub rows: Vec<R>,
    /// The names of the other columns.
    pub others: Vec<String>,
    /// Their values for each row; an empty cell is not a number.
    pub values: Vec<Vec<f64>>,
    /// Whether they stand behind the columns of the rows; otherwise before them.
    pub are_behind: bool,
}

impl<R: Row> Rows for Wide<R> {
    fn read(folder: &Path, table: &str) -> Result<Self, Failure> {
        read_all(folder, table, true)
    }

    fn table(&self, name: &str) -> Option<Table> {
        let table = Table::of(name, &self.rows);
        let at = if self.are_behind { table.columns.len() } else { 0 };
        let values = self.values.iter().map(Vec::as_slice);
        Some(table.with_columns(at, &self.others, values))
    }
}

fn read_all<R: Row>(folder: &Path, table: &str, with_others: bool) -> Result<Wide<R>, Failure> {
    let path = file_of(folder, table);
    let wrong = |what: String| {
        Failure::input(
            format!("`{}` {what}", path.display()),
            "copy the folder again, or let its command write it again",
        )
    };
    let text = read_utf8(&path, MAX_BYTES).map_err(|error| wrong(format!("cannot be read: {error}")))?;
    let names = R::names();
    let mut reader = csv::ReaderBuilder::new().from_reader(text.as_bytes());
    let header = reader
        .headers()
        .map_err(|error| wrong(format!("is no CSV file: {error}")))?;
    let header: Vec<String> = header.iter().map(str::to_owned).collect();
    let place = |name: &String| header.iter().rposition(|known| known == name);
    let missing: Vec<&str> = (names.iter())
        .filter(|name| place(name).is_none())
        .map(String::as_str)
        .collect();
    if !missing.is_empty() {
        return Err(wrong(format!("has no column `{}`", missing.join("`, `"))));
    }
    if !text.ends_with('\n') {
        return Err(wrong(format!(
            "is cut short: line {} does not end",
            text.lines().count()
        )));
    }
    let places: Vec<usize> = names.iter().filter_map(place).collect();
    let others: Vec<(usize, String)> = (header.iter().cloned().enumerate())
        .filter(|(place, _)| with_others && !places.contains(place))
        .collect();
    let no_number = |cell: &str, record: &csv::StringRecord, name: &str| {
        let line = record.position().map_or(0, csv::Position::line);
        wrong(format!(
            "has `{cell}` in line {line}, column `{name}`, which is no number"
        ))
    };
    let (mut rows, mut values) = (Vec::new(), Vec::new());
    for record in reader.records() {
        let record = record.map_err(|error| match error.kind() {
            csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
                let line = pos.as_ref().map_or(0, csv::Position::line);
                wrong(format!("is cut short: line {line} has {len} of {expected_len} cells"))
            }
            _ => wrong(format!("is no CSV file: {error}")),
        })?;
        let cells: csv::StringRecord = places.iter().filter_map(|place| record.get(*place)).collect();
        rows.push(cells.deserialize(None).map_err(|error| {
            let line = record.position().map_or(0, csv::Position::line);
            let field = match error.kind() {
                csv::ErrorKind::Deserialize { err, .. } => err.field().and_then(|field| usize::try_from(field).ok()),
                _ => None,
            };
            match field.and_then(|field| cells.get(field).zip(names.get(field))) {
                Some((cell, name)) => no_number(cell, &record, name),
                None => wrong(format!("has a wrong line {line}: {error}")),
            }
        })?);
        let number = |(place, name): &(usize, String)| match record.get(*place).unwrap_or_default() {
            "" => Ok(f64::NAN),
            cell => cell.parse().map_err(|_| no_number(cell, &record, name)),
        };
        values.push(others.iter().map(number).collect::<Result<_, _>>()?);
    }
    Ok(Wide {
        rows,
        are_behind: others.first().is_some_and(|(place, _)| *place > 0),
        others: others.into_iter().map(|(_, name)| name).collect(),
        values,
    })
}

/// Declares the tables of an outcome: the name of each file, and its rows.
#[macro_export]
macro_rules! tables {
    ($(#[$attribute:meta])* $Tables:ident { $($name:ident: $Rows:ty,)+ }) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Default, PartialEq)]
        pub struct $Tables {
            $(#[doc = concat!("The rows of ", stringify!($name), ".csv.")] pub $name: $Rows,)+
        }

        impl $Tables {
            /// Reads the files of a folder.
            ///
            /// # Errors
            /// When one of them cannot be read, or is not as lmrlab writes it.
            pub fn read(folder: &std::path::Path) -> Result<Self, lmrlab_diagnostics::failure::Failure> {
                Ok(Self { $($name: $crate::outcome::files::Rows::read(folder, stringify!($name))?,)+ })
            }

            /// The tables, whole.
            pub fn tables(&self) -> Vec<$crate::outcome::table::Table> {
                let tables = [$($crate::outcome::files::Rows::table(&self.$name, stringify!($name)),)+];
                tables.into_iter().flatten().collect()
            }
        }
    };
}
