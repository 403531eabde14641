//! tuning.csv, the journal of a tuning run: one line a pair, with the parameters of both sides and its result.
//!
//! When a run is resumed, everything that it has learned is computed from this journal again.

use std::path::Path;

use super::{PairResult, Probe};
use lmrlab_results::failure::Failure;
use lmrlab_results::folder::{ResultsFolder, TUNING_PAIRS};
use lmrlab_results::journal::{self, Journal, LineFormat};
use lmrlab_stats::{GameOutcome, PairOutcome};

/// The columns before those of the parameters.
const FIXED: [&str; 6] = [
    "pair",
    "opening",
    "first_game",
    "second_game",
    "first_faults",
    "second_faults",
];

/// A line of tuning.csv.
#[derive(Debug, Clone, PartialEq)]
pub struct TuningPair {
    /// Its number, from 1.
    pub pair: u64,
    /// The number of its opening in the file, from 1.
    pub opening: usize,
    /// The first game, in which the first side has White, and the second game. Both are seen from the first side.
    pub games: [GameOutcome; 2],
    /// How many games a fault of the first side ended, and how many a fault of the second.
    pub faults: [u8; 2],
    /// The parameters of both sides.
    pub probe: Probe,
}

impl TuningPair {
    /// The result for the method.
    pub fn result(&self) -> PairResult {
        PairResult {
            outcome: PairOutcome::of(self.games[0], self.games[1]),
            faults: self.faults,
            opening: self.opening,
        }
    }
}

/// The format of tuning.csv.
pub struct TuningFormat {
    /// The names of the parameters and choices.
    names: Vec<String>,
}

impl TuningFormat {
    /// The format for these names of parameters and choices.
    pub fn new(names: Vec<String>) -> Self {
        Self { names }
    }

    /// The cells of a line.
    pub(crate) fn cells(&self, line: &TuningPair) -> Vec<String> {
        let mut cells = vec![line.pair.to_string(), line.opening.to_string()];
        cells.extend(line.games.map(|game| (game as u8 as f64 / 2.0).to_string()));
        cells.extend(line.faults.iter().map(u8::to_string));
        cells.extend(values(&line.probe));
        cells
    }
}

impl LineFormat for TuningFormat {
    type Line = TuningPair;
    const NAME: &'static str = "pair";

    fn columns(&self) -> Vec<String> {
        let fixed = FIXED.iter().map(|name| (*name).to_owned());
        fixed.chain(value_columns(&self.names)).collect()
    }

    fn write(&self, line: &TuningPair, out: &mut csv::Writer<Vec<u8>>) -> Result<(), csv::Error> {
        out.write_record(self.cells(line))
    }

    fn read(&self, record: &csv::StringRecord) -> Option<TuningPair> {
        let game = |index: usize| match record.get(index)? {
            "0" => Some(GameOutcome::Loss),
            "0.5" => Some(GameOutcome::Draw),
            "1" => Some(GameOutcome::Win),
            _ => None,
        };
        let faults = |index: usize| record.get(index)?.parse().ok().filter(|faults| *faults <= 2);
        Some(TuningPair {
            pair: record.get(0)?.parse().ok()?,
            opening: record.get(1)?.parse().ok()?,
            games: [game(2)?, game(3)?],
            faults: [faults(4)?, faults(5)?],
            probe: probe(record, FIXED.len(), self.names.len())?,
        })
    }
}

/// The columns with the values of both sides.
pub(crate) fn value_columns(names: &[String]) -> impl Iterator<Item = String> {
    let sides = ["first", "second"];
    sides
        .into_iter()
        .flat_map(move |side| names.iter().map(move |name| format!("{side}:{name}")))
}

/// The values of both sides as cells.
pub(crate) fn values(probe: &Probe) -> impl Iterator<Item = String> {
    probe.first.iter().chain(&probe.second).map(f64::to_string)
}

/// Reads the values of both sides, with `parameters` values each, from the cell `from` on.
pub(crate) fn probe(record: &csv::StringRecord, from: usize, parameters: usize) -> Option<Probe> {
    let values = |from: usize| -> Option<Vec<f64>> {
        (from..from + parameters)
            .map(|index| record.get(index)?.parse().ok())
            .collect()
    };
    Some(Probe {
        first: values(from)?,
        second: values(from + parameters)?,
    })
}

/// tuning.csv of a run, opened for writing.
pub type TuningJournal = Journal<TuningFormat, 1>;

/// Opens tuning.csv, or begins it, and reads its pairs.
///
/// # Errors
/// When it is not the journal of a run with these names, another process writes to it, or it cannot be written.
pub fn open(folder: &ResultsFolder, names: Vec<String>) -> Result<(TuningJournal, Vec<TuningPair>), Failure> {
    let mut pairs = Vec::new();
    let journal = Journal::open(folder, TUNING_PAIRS, TuningFormat::new(names))?;
    let journal = journal.recover(&mut |[pair]: [TuningPair; 1]| {
        let is_next = pair.pair == pairs.len() as u64 + 1;
        pairs.push(pair);
        Ok(is_next)
    })?;
    Ok((journal, pairs))
}

/// The number of the first edited line of a tuning.csv, from 1; `None` when no line was edited.
///
/// # Errors
/// When it cannot be read, or is not the journal of a run with these names.
pub fn edited_line(path: &Path, names: Vec<String>) -> Result<Option<u64>, Failure> {
    journal::edited_line(path, &TuningFormat::new(names))
}

/// Reads the pairs of a tuning.csv, even while a run writes to it: takes no lock and changes nothing.
///
/// # Errors
/// When it cannot be read, or is not the journal of a run with these names.
pub fn read(path: &Path, names: Vec<String>) -> Result<Vec<TuningPair>, Failure> {
    let mut pairs = Vec::new();
    journal::read(path, &TuningFormat::new(names), &mut |[pair]| {
        pairs.push(pair);
        Ok(())
    })?;
    Ok(pairs)
}
