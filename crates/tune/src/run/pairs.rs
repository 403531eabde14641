//! tuning.csv: the pairs of a tuning run, one line each, with the parameters of both sides and its result. It is computed
//! from the journal. Version 1 had it in place of a journal.

use std::path::Path;

use cozy_chess::Color;

use crate::{PairResult, Probe};
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::games::GameRow;
use lmrlab_results::journal::{self, LineFormat};
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
    /// The pair of these games, with the parameters of both sides.
    pub fn of(games: &[GameRow; 2], probe: Probe) -> Self {
        let mut faults = [0; 2];
        for (game, first) in games.iter().zip([Color::White, Color::Black]) {
            if let Some(side) = game.fault_side() {
                faults[usize::from(side != first)] += 1;
            }
        }
        Self {
            pair: games[0].pair,
            opening: usize::try_from(games[0].opening).unwrap_or(usize::MAX),
            games: [
                games[0].result.outcome_for(Color::White),
                games[1].result.outcome_for(Color::Black),
            ],
            faults,
            probe,
        }
    }

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
}

impl LineFormat for TuningFormat {
    type Line = TuningPair;
    const NAME: &'static str = "pair";

    fn columns(&self) -> Vec<String> {
        let of = |side: &'static str| self.names.iter().map(move |name| format!("{side}:{name}"));
        let fixed = FIXED.iter().map(|name| (*name).to_owned());
        fixed.chain(of("first")).chain(of("second")).collect()
    }

    fn write(&self, line: &TuningPair, out: &mut csv::Writer<Vec<u8>>) -> Result<(), csv::Error> {
        let mut cells = vec![line.pair.to_string(), line.opening.to_string()];
        cells.extend(line.games.map(|game| (game as u8 as f64 / 2.0).to_string()));
        cells.extend(line.faults.iter().map(u8::to_string));
        cells.extend(line.probe.first.iter().chain(&line.probe.second).map(f64::to_string));
        out.write_record(cells)
    }

    fn read(&self, record: &csv::StringRecord) -> Option<TuningPair> {
        let game = |index: usize| match record.get(index)? {
            "0" => Some(GameOutcome::Loss),
            "0.5" => Some(GameOutcome::Draw),
            "1" => Some(GameOutcome::Win),
            _ => None,
        };
        let faults = |index: usize| record.get(index)?.parse().ok().filter(|faults| *faults <= 2);
        let parameters = self.names.len();
        let values = |from: usize| -> Option<Vec<f64>> {
            (from..from + parameters)
                .map(|index| record.get(index)?.parse().ok())
                .collect()
        };
        Some(TuningPair {
            pair: record.get(0)?.parse().ok()?,
            opening: record.get(1)?.parse().ok()?,
            games: [game(2)?, game(3)?],
            faults: [faults(4)?, faults(5)?],
            probe: Probe {
                first: values(FIXED.len())?,
                second: values(FIXED.len() + parameters)?,
            },
        })
    }
}

/// Reads the pairs of a run of version 1: takes no lock and changes nothing.
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
