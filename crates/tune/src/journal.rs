//! The journal of a tuning run: every pair with the parameters of both sides and its result, one line each.
//!
//! It is the one source of truth: what a run has learned is computed from it, whenever the run goes on.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::Probe;
use lmrlab_runner::failure::Failure;
use lmrlab_stats::{GameOutcome, PairOutcome};

/// The name of the journal in the folder of a run.
pub const JOURNAL: &str = "tuning.csv";

/// The columns before those of the parameters.
const FIXED: [&str; 4] = ["pair", "opening", "first_game", "second_game"];

/// One pair.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its number, from 1.
    pub pair: u64,
    /// The number of its opening in the file, from 1.
    pub opening: usize,
    /// The first game, in which the first side has White, and the second, both from the first side.
    pub games: [GameOutcome; 2],
    /// The parameters of both sides.
    pub probe: Probe,
}

impl Row {
    /// What the pair came to.
    pub fn outcome(&self) -> PairOutcome {
        PairOutcome::of(self.games[0], self.games[1])
    }

    fn record(&self) -> Vec<String> {
        let mut record = vec![self.pair.to_string(), self.opening.to_string()];
        record.extend(self.games.map(|game| (game as u8 as f64 / 2.0).to_string()));
        let values = self.probe.first.iter().chain(&self.probe.second);
        record.extend(values.map(f64::to_string));
        record
    }

    fn read(record: &csv::StringRecord, parameters: usize) -> Option<Self> {
        let number = |index: usize| record.get(index)?.parse::<f64>().ok();
        let game = |index: usize| match record.get(index)? {
            "0" => Some(GameOutcome::Loss),
            "0.5" => Some(GameOutcome::Draw),
            "1" => Some(GameOutcome::Win),
            _ => None,
        };
        let values = |from: usize| (from..from + parameters).map(number).collect();
        let first = FIXED.len();
        Some(Self {
            pair: record.get(0)?.parse().ok()?,
            opening: record.get(1)?.parse().ok()?,
            games: [game(2)?, game(3)?],
            probe: Probe {
                first: Option::<Vec<f64>>::from_iter::<Vec<Option<f64>>>(values(first))?,
                second: Option::<Vec<f64>>::from_iter::<Vec<Option<f64>>>(values(
                    first + parameters,
                ))?,
            },
        })
    }
}

/// The columns for parameters and choices of these names.
pub fn columns(names: &[String]) -> Vec<String> {
    let sides = ["first", "second"];
    let values = sides
        .iter()
        .flat_map(|side| names.iter().map(move |name| format!("{side}:{name}")));
    FIXED
        .iter()
        .map(|name| (*name).to_owned())
        .chain(values)
        .collect()
}

/// The journal of a run that goes on.
pub struct Journal {
    file: File,
    path: PathBuf,
}

impl Journal {
    /// Begins a journal.
    ///
    /// # Errors
    /// When the file is there already or cannot be written.
    pub fn create(folder: &Path, names: &[String]) -> Result<Self, Failure> {
        let path = folder.join(JOURNAL);
        let file = File::create_new(&path).map_err(|error| Failure::write(&path, &error))?;
        let mut journal = Self { file, path };
        journal.write(&[columns(names)])?;
        Ok(journal)
    }

    /// Opens a journal, cuts off a line that was not finished, and reads the others.
    ///
    /// # Errors
    /// When it is not the journal of a run with these names, or cannot be written.
    pub fn reopen(folder: &Path, names: &[String]) -> Result<(Self, Vec<Row>), Failure> {
        let path = folder.join(JOURNAL);
        if !path.exists() {
            return Ok((Self::create(folder, names)?, Vec::new()));
        }
        let refuse = |error| Failure::write(&path, &error);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .open(&path)
            .map_err(refuse)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(refuse)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64).map_err(refuse)?;
        file.seek(SeekFrom::End(0)).map_err(refuse)?;
        let rows = if whole == 0 {
            Vec::new()
        } else {
            parse(&text[..whole], &path, names)?
        };
        let mut journal = Self { file, path };
        if whole == 0 {
            journal.write(&[columns(names)])?;
        }
        Ok((journal, rows))
    }

    /// Appends a pair.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn append(&mut self, row: &Row) -> Result<(), Failure> {
        self.write(&[row.record()])
    }

    /// Lets what was appended survive a loss of power.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn sync(&mut self) -> Result<(), Failure> {
        self.file
            .sync_data()
            .map_err(|error| Failure::write(&self.path, &error))
    }

    fn write(&mut self, records: &[Vec<String>]) -> Result<(), Failure> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let written = records
            .iter()
            .try_for_each(|record| writer.write_record(record))
            .map_err(std::io::Error::from)
            .and_then(|()| writer.into_inner().map_err(csv::IntoInnerError::into_error))
            // One write for each line: a process that is killed leaves whole lines and at most one that is not.
            .and_then(|bytes| self.file.write_all(&bytes));
        written.map_err(|error| Failure::write(&self.path, &error))
    }
}

/// Reads the rows of a journal without changing it.
///
/// # Errors
/// When it cannot be read, or is not the journal of a run with these names.
pub fn read(folder: &Path, names: &[String]) -> Result<Vec<Row>, Failure> {
    let path = folder.join(JOURNAL);
    let text = std::fs::read_to_string(&path).map_err(|error| {
        Failure::input(
            format!("cannot read `{}`: {error}", path.display()),
            "name the results folder of a tuning run",
        )
    })?;
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    parse(&text[..whole], &path, names)
}

fn parse(text: &str, path: &Path, names: &[String]) -> Result<Vec<Row>, Failure> {
    let refuse = |what: String| {
        Failure::input(
            format!(
                "`{}` is not the journal of this run: {what}",
                path.display()
            ),
            "it was changed, or belongs to another run",
        )
    };
    let mut reader = csv::ReaderBuilder::new().from_reader(text.as_bytes());
    let header = reader
        .headers()
        .map_err(|error| refuse(error.to_string()))?;
    if !header.iter().eq(columns(names)) {
        return Err(refuse(
            "its columns are not those of the parameters".to_owned(),
        ));
    }
    let mut rows = Vec::new();
    for (index, record) in reader.records().enumerate() {
        let wrong = || refuse(format!("line {} is no pair", index + 2));
        let record = record.map_err(|_| wrong())?;
        let row = Row::read(&record, names.len()).ok_or_else(wrong)?;
        if row.pair != index as u64 + 1 {
            return Err(wrong());
        }
        rows.push(row);
    }
    Ok(rows)
}
