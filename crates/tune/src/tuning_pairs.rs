//! tuning.csv, the journal of a tuning run: one line a pair, with the parameters of both sides and its result.
//!
//! Everything that a run has learned is computed from it again whenever the run goes on.

use std::path::Path;

use super::Probe;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::record::folder::{ResultsFolder, TUNING_PAIRS};
use lmrlab_runner::record::journal::{self, Journal, LineFormat};
use lmrlab_stats::{GameOutcome, PairOutcome};

/// The columns before those of the parameters.
const FIXED: [&str; 4] = ["pair", "opening", "first_game", "second_game"];

/// A line of tuning.csv.
#[derive(Debug, Clone, PartialEq)]
pub struct TuningPair {
    /// Its number, from 1.
    pub pair: u64,
    /// The number of its opening in the file, from 1.
    pub opening: usize,
    /// The first game, in which the first side has White, and the second, both from the first side.
    pub games: [GameOutcome; 2],
    /// The parameters of both sides.
    pub probe: Probe,
}

impl TuningPair {
    /// Its outcome, from the first side.
    pub fn outcome(&self) -> PairOutcome {
        PairOutcome::of(self.games[0], self.games[1])
    }
}

/// The format of tuning.csv for parameters and choices of these names.
pub struct TuningFormat(pub Vec<String>);

impl LineFormat for TuningFormat {
    type Line = TuningPair;
    const NAME: &'static str = "pair";

    fn columns(&self) -> Vec<String> {
        let sides = ["first", "second"];
        let values = sides
            .iter()
            .flat_map(|side| self.0.iter().map(move |name| format!("{side}:{name}")));
        FIXED.iter().map(|name| (*name).to_owned()).chain(values).collect()
    }

    fn write(&self, line: &TuningPair, out: &mut csv::Writer<Vec<u8>>) -> Result<(), csv::Error> {
        let mut record = vec![line.pair.to_string(), line.opening.to_string()];
        record.extend(line.games.map(|game| (game as u8 as f64 / 2.0).to_string()));
        let values = line.probe.first.iter().chain(&line.probe.second);
        record.extend(values.map(f64::to_string));
        out.write_record(record)
    }

    fn read(&self, record: &csv::StringRecord) -> Option<TuningPair> {
        let game = |index: usize| match record.get(index)? {
            "0" => Some(GameOutcome::Loss),
            "0.5" => Some(GameOutcome::Draw),
            "1" => Some(GameOutcome::Win),
            _ => None,
        };
        let values = |from: usize| -> Option<Vec<f64>> {
            (from..from + self.0.len())
                .map(|index| record.get(index)?.parse().ok())
                .collect()
        };
        let first = FIXED.len();
        Some(TuningPair {
            pair: record.get(0)?.parse().ok()?,
            opening: record.get(1)?.parse().ok()?,
            games: [game(2)?, game(3)?],
            probe: Probe {
                first: values(first)?,
                second: values(first + self.0.len())?,
            },
        })
    }
}

/// tuning.csv of a run that goes on.
pub type TuningJournal = Journal<TuningFormat, 1>;

/// Opens tuning.csv, or begins it, and reads its pairs.
///
/// # Errors
/// When it is not the journal of a run with these names, another process writes to it, or it cannot be written.
pub fn open(folder: &ResultsFolder, names: Vec<String>) -> Result<(TuningJournal, Vec<TuningPair>), Failure> {
    let mut pairs = Vec::new();
    let journal = Journal::open(folder, TUNING_PAIRS, TuningFormat(names))?;
    let journal = journal.recover(&mut |[pair]: [TuningPair; 1]| {
        let is_next = pair.pair == pairs.len() as u64 + 1;
        pairs.push(pair);
        Ok(is_next)
    })?;
    Ok((journal, pairs))
}

/// The number of the first line of a tuning.csv that somebody has edited, from 1; nothing when there is none.
///
/// # Errors
/// When it cannot be read, or is not the journal of a run with these names.
pub fn edited_line(path: &Path, names: Vec<String>) -> Result<Option<u64>, Failure> {
    journal::edited_line(path, &TuningFormat(names))
}

/// Reads the pairs of a tuning.csv, even while a run writes to it: takes no lock and changes nothing.
///
/// # Errors
/// When it cannot be read, or is not the journal of a run with these names.
pub fn read(path: &Path, names: Vec<String>) -> Result<Vec<TuningPair>, Failure> {
    let mut pairs = Vec::new();
    journal::read(path, &TuningFormat(names), &mut |[pair]| {
        pairs.push(pair);
        Ok(())
    })?;
    Ok(pairs)
}
