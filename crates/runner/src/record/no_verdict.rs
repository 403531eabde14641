//! Too many faults for a verdict: they cannot decide a test or a race.

use std::fmt;

use super::tally::Tally;

/// The greatest share of an engine's games that its own faults may have ended, in percent.
const ALLOWED_PERCENT: u64 = 5;

/// The faults of an engine that leave a test or a race without a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TooManyFaults {
    /// The engine.
    pub engine: String,
    /// Its games that its own faults ended.
    pub faults: u64,
    /// All its games.
    pub games: u64,
    /// Whether the run is a match of two engines: then these are all games of the run.
    is_match: bool,
}

impl TooManyFaults {
    /// The worst engine of those that ended more than 5% of their games by faults; `None` when there is none.
    pub fn of(tally: &Tally) -> Option<Self> {
        let engines = tally.names().iter().enumerate();
        Self::among(engines.map(|(engine, name)| {
            (
                name.as_str(),
                tally.faults(engine).all(),
                tally.total(engine).games.games(),
            )
        }))
    }

    /// The same among engines as (name, games that ended by its faults, all its games).
    pub fn among<'n>(engines: impl ExactSizeIterator<Item = (&'n str, u64, u64)>) -> Option<Self> {
        let is_match = engines.len() == 2;
        engines
            .filter(|(_, faults, games)| 100 * faults > ALLOWED_PERCENT * games)
            .max_by(|(_, faults, games), (_, other_faults, other_games)| {
                (faults * other_games).cmp(&(other_faults * games))
            })
            .map(|(engine, faults, games)| Self {
                engine: engine.to_owned(),
                faults,
                games,
                is_match,
            })
    }
}

impl fmt::Display for TooManyFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = 100.0 * self.faults as f64 / self.games.max(1) as f64;
        let digits = usize::from(percent < 10.0);
        let engine = &self.engine;
        if self.is_match {
            write!(f, "{percent:.digits$}% of the games were ended by faults of `{engine}`")
        } else {
            write!(
                f,
                "{percent:.digits$}% of the games of `{engine}` were ended by its faults"
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::game_rows::tests::game;
    use crate::tournament::schedule::Pairing;
    use lmrlab_results::game_end::{GameResult, Termination};

    /// A match of `pairs` pairs. `a` fails once in each of the first `faulty`.
    fn verdict(pairs: usize, faulty: usize, termination: Termination) -> Option<String> {
        let mut tally = Tally::new(["a", "b"].map(str::to_owned).to_vec());
        for pair in 0..pairs {
            let ended = if pair < faulty {
                termination
            } else {
                Termination::Checkmate
            };
            let first = game(GameResult::BlackWins, ended);
            let mut second = game(GameResult::WhiteWins, Termination::Checkmate);
            std::mem::swap(&mut second.white, &mut second.black);
            tally.record(&[first, second], Pairing { first: 0, second: 1 });
        }
        TooManyFaults::of(&tally).map(|faults| faults.to_string())
    }

    #[test]
    fn more_than_five_percent_of_the_games() {
        assert_eq!(verdict(0, 0, Termination::Crash), None);
        assert_eq!(verdict(100, 10, Termination::Crash), None);
        let expected = |percent: &str| Some(format!("{percent}% of the games were ended by faults of `a`"));
        assert_eq!(verdict(100, 11, Termination::Crash), expected("5.5"));
        assert_eq!(verdict(100, 24, Termination::TimeForfeit), expected("12"));
        assert_eq!(verdict(2, 2, Termination::Checkmate), None);
    }
}
