//! Pairs and their results as lines of CSV files, for other machines.

use crate::openings::Openings;
use crate::record::recorded_pair::RecordedPair;
use crate::tournament::schedule::{Pair, Pairing};
use lmrlab_results::games::{GameRow, Overrides};
use lmrlab_results::journal::LineFormat;
use lmrlab_results::row::Row;
use lmrlab_results::timings::TimingRow;

/// The pairs that a part plays: one a line, with the names of the engines and the opening as FEN.
pub struct TaskLines<'t> {
    /// The names of the engines, by their index.
    pub names: &'t [String],
    /// The openings that the pairs may have.
    pub openings: &'t Openings,
    /// Whether the sides have overrides.
    pub has_overrides: bool,
}

impl LineFormat for TaskLines<'_> {
    type Line = Pair;
    const NAME: &'static str = "pair";

    fn columns(&self) -> Vec<String> {
        let fixed = ["pair", "round", "opening", "fen", "first", "second"].map(str::to_owned);
        fixed.into_iter().chain(override_columns(self.has_overrides)).collect()
    }

    fn write(&self, pair: &Pair, out: &mut csv::Writer<Vec<u8>>) -> Result<(), csv::Error> {
        let names = self.names;
        let numbers = [pair.index + 1, pair.round + 1, pair.opening as u64 + 1].map(|number| number.to_string());
        let texts = [
            self.openings.fen(pair.opening).unwrap_or_default(),
            &names[pair.pairing.first],
            &names[pair.pairing.second],
        ];
        let overrides = pair.overrides.iter().flatten().map(|overrides| &**overrides);
        out.write_record(numbers.iter().map(String::as_str).chain(texts).chain(overrides))
    }

    fn read(&self, record: &csv::StringRecord) -> Option<Self::Line> {
        let index = |column: usize| record.get(column)?.parse::<u64>().ok()?.checked_sub(1);
        let engine = |column: usize| position(self.names, record.get(column)?);
        let pair = Pair {
            index: index(0)?,
            round: index(1)?,
            opening: usize::try_from(index(2)?).ok()?,
            pairing: Pairing {
                first: engine(4)?,
                second: engine(5)?,
            },
            overrides: overrides(record, 6),
        };
        (self.openings.fen(pair.opening) == record.get(3)).then_some(pair)
    }
}

/// The results of pairs: both games and their times in one line.
pub struct PlayedLines {
    /// The names of the engines, by their index.
    pub names: Vec<String>,
    /// Whether the sides have overrides.
    pub has_overrides: bool,
}

impl LineFormat for PlayedLines {
    type Line = RecordedPair;
    const NAME: &'static str = "pair";

    fn columns(&self) -> Vec<String> {
        let of = |which: &'static str| {
            let game = GameRow::names().into_iter().map(move |name| format!("{which}_{name}"));
            let clock = TimingRow::names().into_iter();
            game.chain(clock.map(move |name| format!("{which}_clock_{name}")))
        };
        let games = of("first").chain(of("second"));
        games.chain(override_columns(self.has_overrides)).collect()
    }

    fn write(&self, pair: &RecordedPair, out: &mut csv::Writer<Vec<u8>>) -> Result<(), csv::Error> {
        let [first, second] = pair.games();
        let [clock_of_first, clock_of_second] = pair.timings();
        match &first.overrides {
            Some([of_first, of_second]) if self.has_overrides => {
                let overrides = (&**of_first, &**of_second);
                out.serialize((first, clock_of_first, second, clock_of_second, overrides))
            }
            _ => out.serialize((first, clock_of_first, second, clock_of_second)),
        }
    }

    fn read(&self, record: &csv::StringRecord) -> Option<RecordedPair> {
        let (mut first, clock_of_first, mut second, clock_of_second): (GameRow, TimingRow, GameRow, TimingRow) =
            record.deserialize(None).ok()?;
        if self.has_overrides {
            let [of_first, of_second] = overrides(record, record.len().checked_sub(2)?)?;
            second.overrides = Some([of_second.clone(), of_first.clone()]);
            first.overrides = Some([of_first, of_second]);
        }
        let pair = Pair {
            index: first.pair.checked_sub(1)?,
            round: first.round.checked_sub(1)?,
            opening: usize::try_from(first.opening.checked_sub(1)?).ok()?,
            pairing: Pairing {
                first: position(&self.names, &first.white)?,
                second: position(&self.names, &first.black)?,
            },
            overrides: first.overrides.clone(),
        };
        let timings = [clock_of_first, clock_of_second];
        Some(RecordedPair::recorded(pair, [first, second], Some(timings)))
    }
}

/// The columns with the overrides of both sides, in a run that has them.
fn override_columns(has_overrides: bool) -> impl Iterator<Item = String> {
    let columns = ["first_overrides", "second_overrides"].into_iter();
    columns.filter(move |_| has_overrides).map(str::to_owned)
}

/// The overrides of both sides, from the cell `from` on.
fn overrides(record: &csv::StringRecord, from: usize) -> Option<Overrides> {
    Some([record.get(from)?.into(), record.get(from + 1)?.into()])
}

/// The index of an engine.
fn position(names: &[String], name: &str) -> Option<usize> {
    names.iter().position(|known| known == name)
}
