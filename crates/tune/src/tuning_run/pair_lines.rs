//! The pairs of a tuning run and their results as lines of CSV files, for other machines.

use super::batch::{PairTask, PlayedPair};
use crate::plan::Plan;
use crate::tuning_pairs::{TuningFormat, probe, value_columns, values};
use lmrlab_results::journal::LineFormat;
use lmrlab_runner::openings::Openings;

/// The columns of a task before those of the parameters.
const FIXED: [&str; 3] = ["pair", "opening", "fen"];

/// The pairs that a part plays: one a line, with the opening as FEN and the parameters of both sides.
pub struct TaskLines {
    names: Vec<String>,
    openings: Openings,
    order: Vec<u32>,
}

impl TaskLines {
    pub(super) fn new(plan: &Plan, order: &[u32]) -> Self {
        Self {
            names: plan.subject.names(),
            openings: plan.openings.clone(),
            order: order.to_owned(),
        }
    }

    /// The index of the opening of a pair.
    fn opening(&self, number: u64) -> usize {
        opening(&self.order, number)
    }
}

/// The index of the opening of a pair, when the openings are used in this order.
pub(super) fn opening(order: &[u32], number: u64) -> usize {
    order[(number % order.len() as u64) as usize] as usize
}

impl LineFormat for TaskLines {
    type Line = (u64, PairTask);
    const NAME: &'static str = "pair";

    fn columns(&self) -> Vec<String> {
        FIXED
            .map(str::to_owned)
            .into_iter()
            .chain(value_columns(&self.names))
            .collect()
    }

    fn write(&self, (_, task): &Self::Line, out: &mut csv::Writer<Vec<u8>>) -> Result<(), csv::Error> {
        let opening = self.opening(task.number);
        let fen = self.openings.fen(opening).unwrap_or_default();
        let fixed = [(task.number + 1).to_string(), (opening + 1).to_string(), fen.to_owned()];
        out.write_record(fixed.into_iter().chain(values(&task.probe)))
    }

    fn read(&self, record: &csv::StringRecord) -> Option<Self::Line> {
        let number = record.get(0)?.parse::<u64>().ok()?.checked_sub(1)?;
        let opening = self.opening(number);
        let is_its = record.get(1)? == (opening + 1).to_string() && self.openings.fen(opening) == record.get(2);
        let probe = probe(record, FIXED.len(), self.names.len())?;
        is_its.then_some((number, PairTask { number, probe }))
    }
}

/// The results of pairs: the lines of tuning.csv, and how faults ended games.
pub struct PlayedLines(TuningFormat);

impl PlayedLines {
    pub(super) fn new(names: Vec<String>) -> Self {
        Self(TuningFormat::new(names))
    }
}

impl LineFormat for PlayedLines {
    type Line = PlayedPair;
    const NAME: &'static str = "pair";

    fn columns(&self) -> Vec<String> {
        let faults = ["first_fault", "second_fault"].map(str::to_owned);
        self.0.columns().into_iter().chain(faults).collect()
    }

    fn write(&self, played: &PlayedPair, out: &mut csv::Writer<Vec<u8>>) -> Result<(), csv::Error> {
        let faults = played.faults.clone().unwrap_or_default().map(Option::unwrap_or_default);
        out.write_record(self.0.cells(&played.pair).into_iter().chain(faults))
    }

    fn read(&self, record: &csv::StringRecord) -> Option<PlayedPair> {
        let fixed = self.0.columns().len();
        let fault = |which: usize| {
            let text = record.get(fixed + which)?;
            Some((!text.is_empty()).then(|| text.to_owned()))
        };
        Some(PlayedPair {
            pair: self.0.read(record)?,
            faults: Some([fault(0)?, fault(1)?]),
        })
    }
}
