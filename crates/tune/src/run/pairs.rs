//! tuning.csv: the pairs of a tuning run, one line each, with the parameters of both sides and its result. It is computed
//! from the journal. Version 1 had it in place of a journal.

use std::io;
use std::path::Path;

use cozy_chess::Color;

use crate::{PairResult, Probe};
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::games::GameRow;
use lmrlab_results::text_file::read_utf8;
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

    /// The line, with its end.
    pub fn line(&self) -> String {
        let mut cells = vec![self.pair.to_string(), self.opening.to_string()];
        cells.extend(self.games.map(|game| (game as u8 as f64 / 2.0).to_string()));
        cells.extend(self.faults.iter().map(u8::to_string));
        cells.extend(self.probe.first.iter().chain(&self.probe.second).map(f64::to_string));
        cells.join(",") + "\n"
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

/// The longest tuning.csv that is read, in bytes.
const MAX_FILE: u64 = 1 << 30;

/// The format of tuning.csv.
pub struct TuningFormat {
    /// The names of the parameters, or of the ideas.
    names: Vec<String>,
}

impl TuningFormat {
    /// The format for these names of parameters or ideas.
    pub fn new(names: Vec<String>) -> Self {
        Self { names }
    }

    fn columns(&self) -> Vec<String> {
        let of = |side: &'static str| self.names.iter().map(move |name| format!("{side}:{name}"));
        let fixed = FIXED.iter().map(|name| (*name).to_owned());
        fixed.chain(of("first")).chain(of("second")).collect()
    }

    /// The first line, with its end.
    ///
    /// # Errors
    /// When it cannot be written as CSV.
    pub fn header(&self) -> Result<Vec<u8>, Failure> {
        let mut out = csv::Writer::from_writer(Vec::new());
        let written = out.write_record(self.columns()).map_err(io::Error::from);
        let text = written.and_then(|()| out.into_inner().map_err(csv::IntoInnerError::into_error));
        text.map_err(|error| Failure::encode("the names of parameters", &error))
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

/// Reads the pairs of a run: takes no lock and changes nothing. A line that a kill has cut short is left out.
///
/// # Errors
/// When the file cannot be read, or is not that of a run with these names.
pub fn read(path: &Path, names: Vec<String>) -> Result<Vec<TuningPair>, Failure> {
    let shown = path.display();
    let refuse = |what: String| Failure::input(what, "the file was changed, or is of another run or version of lmrlab");
    let text = read_utf8(path, MAX_FILE).map_err(|error| refuse(format!("cannot read `{shown}`: {error}")))?;
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    let format = TuningFormat::new(names);
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(whole.as_bytes());
    let is_first = |columns: &csv::StringRecord| columns.is_empty() || columns.iter().eq(format.columns());
    if !reader.headers().is_ok_and(is_first) {
        return Err(refuse(format!(
            "the columns in line 1 of `{shown}` are not those of this run"
        )));
    }
    let pairs = reader.records().zip(2..).map(|(record, line)| {
        let pair = record.ok().and_then(|record| format.read(&record));
        pair.ok_or_else(|| refuse(format!("line {line} of `{shown}` is not a pair")))
    });
    pairs.collect()
}
