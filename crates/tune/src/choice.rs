//! Choices that are not numbers: rules on or off, re-search ladders, history models, switches of the search.
//!
//! A race of its values against the start decides each choice ([`Goal::BeatBaseline`]): hopeless values stop playing
//! early, and a value is taken only when its SPRT shows that it is better; too many games that faults ended show nothing. In points, and so in the journal, a choice is
//! an index: 0 for the start, 1 for the first value, and so on.

use lmrlab_runner::record::no_verdict::TooManyFaults;
use lmrlab_stats::race::{Fate, Goal, Race, RaceError};
use lmrlab_stats::{CONFIDENCE, EloModel, Estimate, Pentanomial};

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

    /// A new race that decides it.
    ///
    /// # Errors
    /// When a race refuses its numbers.
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
    pub values: Vec<(Pentanomial, Fate)>,
    /// The faults that ended the race without a decision on the values still in it, when there were too many of them.
    pub no_verdict: Option<TooManyFaults>,
}

impl Decision {
    /// The result of a value in words: its gain over the start, its pairs, the verdict.
    pub fn in_words(&self, index: usize) -> String {
        let Some((pairs, fate)) = index.checked_sub(1).and_then(|at| self.values.get(at)) else {
            return String::new();
        };
        let fate = match fate {
            Fate::Accepted { .. } => "better",
            Fate::Dropped { .. } => "no better",
            _ => "undecided",
        };
        let gain = Estimate::of(pairs).map_or_else(String::new, |estimate| {
            let error = estimate
                .elo_error_95
                .map_or_else(|| "?".to_owned(), |error| format!("{:.1}", error.0));
            format!("{:+.1} ± {error} Elo ({CONFIDENCE}), ", estimate.elo.0)
        });
        format!("{gain}{} pairs, {fate}", pairs.pairs())
    }
}
