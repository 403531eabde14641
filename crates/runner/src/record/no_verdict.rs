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
        let engines = engines.map(|(engine, name)| Self {
            engine: name.clone(),
            faults: tally.faults[engine].all(),
            games: tally.total(engine).games.games(),
            is_match: tally.names().len() == 2,
        });
        engines
            .filter(|engine| 100 * engine.faults > ALLOWED_PERCENT * engine.games)
            .max_by(|one, other| (one.faults * other.games).cmp(&(other.faults * one.games)))
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
