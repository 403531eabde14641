//! The pairs of a tournament and their results as lines of CSV files, for other machines.

use crate::openings::Openings;
use crate::record::recorder::RecordedPair;
use crate::tournament::schedule::{Pairing, ScheduledPair};
use lmrlab_results::games::GameRow;
use lmrlab_results::journal::LineFormat;
use lmrlab_results::row::Row;
use lmrlab_results::timings::TimingRow;

/// The pairs that a part plays: one a line, with the names of the engines and the opening as FEN.
pub struct ScheduledLines<'t> {
    /// The names of the engines, by their index.
    pub names: &'t [String],
    /// The openings that the pairs may have.
    pub openings: &'t Openings,
}

impl LineFormat for ScheduledLines<'_> {
    type Line = (u64, ScheduledPair);
    const NAME: &'static str = "pair";

    fn columns(&self) -> Vec<String> {
        ["pair", "round", "opening", "fen", "first", "second"]
            .map(str::to_owned)
            .into()
    }

    fn write(&self, (_, pair): &Self::Line, out: &mut csv::Writer<Vec<u8>>) -> Result<(), csv::Error> {
        let names = self.names;
        out.write_record([
            &(pair.index + 1).to_string(),
            &(pair.round + 1).to_string(),
            &(pair.opening + 1).to_string(),
            self.openings.fen(pair.opening).unwrap_or_default(),
            &names[pair.pairing.first],
            &names[pair.pairing.second],
        ])
    }

    fn read(&self, record: &csv::StringRecord) -> Option<Self::Line> {
        let index = |column: usize| record.get(column)?.parse::<u64>().ok()?.checked_sub(1);
        let engine = |column: usize| position(self.names, record.get(column)?);
        let pair = ScheduledPair {
            index: index(0)?,
            round: index(1)?,
            opening: usize::try_from(index(2)?).ok()?,
            pairing: Pairing {
                first: engine(4)?,
                second: engine(5)?,
            },
        };
        (self.openings.fen(pair.opening) == record.get(3)).then_some((pair.index, pair))
    }
}

/// The results of pairs: both games and their times in one line.
pub struct PlayedLines(
    /// The names of the engines, by their index.
    pub Vec<String>,
);

impl LineFormat for PlayedLines {
    type Line = RecordedPair;
    const NAME: &'static str = "pair";

    fn columns(&self) -> Vec<String> {
        let of = |which: &'static str| {
            let game = GameRow::names().into_iter().map(move |name| format!("{which}_{name}"));
            let clock = TimingRow::names().into_iter();
            game.chain(clock.map(move |name| format!("{which}_clock_{name}")))
        };
        of("first").chain(of("second")).collect()
    }

    fn write(&self, pair: &RecordedPair, out: &mut csv::Writer<Vec<u8>>) -> Result<(), csv::Error> {
        let [first, second] = pair.games();
        let [clock_of_first, clock_of_second] = pair.timings();
        out.serialize((first, clock_of_first, second, clock_of_second))
    }

    fn read(&self, record: &csv::StringRecord) -> Option<RecordedPair> {
        let (first, clock_of_first, second, clock_of_second) = record.deserialize(None).ok()?;
        let first: GameRow = first;
        let pair = ScheduledPair {
            index: first.pair.checked_sub(1)?,
            round: first.round.checked_sub(1)?,
            opening: usize::try_from(first.opening.checked_sub(1)?).ok()?,
            pairing: Pairing {
                first: position(&self.0, &first.white)?,
                second: position(&self.0, &first.black)?,
            },
        };
        let timings = [clock_of_first, clock_of_second];
        Some(RecordedPair::recorded(pair, [first, second], Some(timings)))
    }
}

/// The index of an engine.
fn position(names: &[String], name: &str) -> Option<usize> {
    names.iter().position(|known| known == name)
}
