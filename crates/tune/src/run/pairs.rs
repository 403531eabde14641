//! tuning.csv: the pairs of a tuning run, one line each, with the parameters of both sides and its result. It is computed
//! from the journal. Version 1 had it in place of a journal.

use std::io;
use std::path::Path;

use cozy_chess::Color;

use crate::{PairResult, Probe};
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::rows::games::GameRow;
use lmrlab_results::text_file::read_utf8;
use lmrlab_stats::{GameOutcome, PairOutcome};

/// The columns before those of the parameters. The points and the faults are first those of the first side.
const FIXED: [&str; 6] = [
    "pair",
    "opening",
    "first_game",
    "second_game",
    "first_faults",
    "second_faults",
];

/// The points of the first side in a game, as tuning.csv has them.
const POINTS: [(&str, GameOutcome); 3] = [
    ("0", GameOutcome::Loss),
    ("0.5", GameOutcome::Draw),
    ("1", GameOutcome::Win),
];

/// The longest tuning.csv that is read, in bytes.
const MAX_FILE: u64 = 1 << 30;

/// Both games of a pair from the first side, which has White in the first of them.
fn outcomes([first, second]: &[GameRow; 2]) -> [GameOutcome; 2] {
    [
        first.result.outcome_for(Color::White),
        second.result.outcome_for(Color::Black),
    ]
}

/// The result of a pair for the method.
pub(crate) fn result(games: &[GameRow; 2]) -> PairResult {
    let [first, second] = outcomes(games);
    PairResult {
        outcome: PairOutcome::of(first, second),
        opening: usize::try_from(games[0].opening).unwrap_or(usize::MAX),
    }
}

/// The line of a pair, with its end.
pub(crate) fn line(games: &[GameRow; 2], probe: &Probe) -> String {
    let points = |game: GameOutcome| POINTS.iter().find(|(_, outcome)| *outcome == game);
    let points = outcomes(games).map(|game| points(game).map_or("", |(points, _)| points).to_owned());
    let mut faults = [0_u8; 2];
    for (game, first) in games.iter().zip([Color::White, Color::Black]) {
        if let Some(side) = game.fault_side() {
            faults[usize::from(side != first)] += 1;
        }
    }
    let mut cells = vec![games[0].pair.to_string(), games[0].opening.to_string()];
    cells.extend(points);
    cells.extend(faults.iter().map(u8::to_string));
    cells.extend(probe.first.iter().chain(&probe.second).map(f64::to_string));
    cells.join(",") + "\n"
}

fn columns(names: &[String]) -> Vec<String> {
    let of = |side: &'static str| names.iter().map(move |name| format!("{side}:{name}"));
    let fixed = FIXED.iter().map(|name| (*name).to_owned());
    fixed.chain(of("first")).chain(of("second")).collect()
}

/// The first line for parameters or ideas of these names, with its end.
///
/// # Errors
/// When it cannot be written as CSV.
pub(crate) fn header(names: &[String]) -> Result<Vec<u8>, Failure> {
    let mut out = csv::Writer::from_writer(Vec::new());
    let written = out.write_record(columns(names)).map_err(io::Error::from);
    let text = written.and_then(|()| out.into_inner().map_err(csv::IntoInnerError::into_error));
    text.map_err(|error| Failure::encode("the names of parameters", &error))
}

/// The values of both sides of a pair, and its result.
fn pair(record: &csv::StringRecord, names: usize) -> Option<(Probe, PairResult)> {
    let game = |index: usize| {
        let mut points = POINTS.iter();
        points.find_map(|(points, game)| (record.get(index)? == *points).then_some(*game))
    };
    let values = |from: usize| -> Option<Vec<f64>> {
        let cells = from..from + names;
        cells.map(|index| record.get(index)?.parse().ok()).collect()
    };
    let probe = Probe {
        first: values(FIXED.len())?,
        second: values(FIXED.len() + names)?,
    };
    let result = PairResult {
        outcome: PairOutcome::of(game(2)?, game(3)?),
        opening: record.get(1)?.parse().ok()?,
    };
    Some((probe, result))
}

/// Reads the pairs of a run with parameters or ideas of these names: takes no lock and changes nothing. A line that a kill has
/// cut short is left out.
///
/// # Errors
/// When the file cannot be read, or is not that of a run with these names.
pub(crate) fn read(path: &Path, names: &[String]) -> Result<Vec<(Probe, PairResult)>, Failure> {
    let shown = path.display();
    let refuse = |what: String| Failure::input(what, "the file was changed, or is of another run or version of lmrlab");
    let text = read_utf8(path, MAX_FILE).map_err(|error| refuse(format!("cannot read `{shown}`: {error}")))?;
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(whole.as_bytes());
    let is_first = |found: &csv::StringRecord| found.is_empty() || found.iter().eq(columns(names));
    if !reader.headers().is_ok_and(is_first) {
        return Err(refuse(format!(
            "the columns in line 1 of `{shown}` are not those of this run"
        )));
    }
    let pairs = reader.records().zip(2..).map(|(record, line)| {
        let pair = record.ok().and_then(|record| pair(&record, names.len()));
        pair.ok_or_else(|| refuse(format!("line {line} of `{shown}` is not a pair")))
    });
    pairs.collect()
}
