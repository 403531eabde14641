//! Choices that are not numbers: rules on or off, re-search ladders, history models, switches of the search.
//!
//! A race of its values against the start decides each choice ([`Goal::BeatBaseline`]). Hopeless values stop playing
//! early. A value is taken only when its SPRT shows that it is better, and not when faults ended too many games. In
//! points, and so in the journal, a choice is an index: 0 for the start, 1 for the first value, and so on.

use crate::run::result_file::{ChoiceResult, ValueResult};
use lmrlab_runner::record::no_verdict::TooManyFaults;
use lmrlab_runner::tournament::race::fate_name;
use lmrlab_stats::race::{Goal, Race, RaceError, RaceFate};
use lmrlab_stats::{EloModel, Pentanomial};

/// A choice between the start and some values.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// Its name.
    pub name: String,
    /// The values beside the start: changes, as after the `@` of a reference.
    pub values: Vec<String>,
    /// The greatest number of pairs of its race.
    pub pairs: u64,
    /// The difference in normalized Elo that matters.
    pub elo: f64,
    /// The probability of taking a value that is no better than the start.
    pub alpha: f64,
}

impl Choice {
    /// The name of a value in tables; 0 is the start.
    pub fn value(&self, index: usize) -> &str {
        let index = index.checked_sub(1);
        index
            .and_then(|index| self.values.get(index))
            .map_or("start", String::as_str)
    }

    /// The lines of result.toml about its race.
    pub(crate) fn result(&self, decision: &Decision) -> ChoiceResult {
        let value = |(index, (pairs, fate)): (usize, &(Pentanomial, RaceFate))| ValueResult {
            value: self.value(index + 1).to_owned(),
            pentanomial: pairs.counts(),
            fate: fate_name(*fate).to_owned(),
        };
        ChoiceResult {
            name: self.name.clone(),
            taken: self.value(decision.taken).to_owned(),
            no_verdict: decision.no_verdict.as_ref().map(TooManyFaults::to_string),
            value: decision.values.iter().enumerate().map(value).collect(),
        }
    }

    /// A new race that decides it.
    ///
    /// # Errors
    /// When the pairs, the Elo or the error rate are out of range for a race.
    pub fn race(&self) -> Result<Race, RaceError> {
        Race::new(
            Goal::BeatBaseline,
            self.values.len() + 1,
            EloModel::Normalized,
            self.elo,
            self.alpha,
        )
    }
}

/// The result of a choice so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Decision {
    /// The value that was taken; 0 is the start.
    pub taken: usize,
    /// For each value but the start: its pairs against the start, and its state in the race.
    pub values: Vec<(Pentanomial, RaceFate)>,
    /// The faults that stopped the race, when there were too many of them. The values that were still in it have no
    /// decision.
    pub no_verdict: Option<TooManyFaults>,
}
