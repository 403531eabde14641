//! Games that an engine has lost in a row by crash, stall or illegal move, counted in the order of the schedule.

use std::num::NonZeroU64;

use lmrlab_results::games::GameRow;
use lmrlab_results::outcome::FaultClass;

/// The streaks of all engines.
#[derive(Debug, Clone)]
pub struct FaultStreaks {
    lost: Vec<u64>,
    /// The streaks that grew in the last pair, after each game in which they grew.
    grown: Vec<Streak>,
}

/// Games that an engine has lost in a row by its faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Streak {
    /// The engine.
    pub engine: usize,
    /// The number of games.
    pub lost: u64,
    /// Which game of its pair the last one is, 0 or 1.
    pub last: usize,
}

impl FaultStreaks {
    /// No game has been played.
    pub(super) fn new(engines: usize) -> Self {
        Self {
            lost: vec![0; engines],
            grown: Vec::new(),
        }
    }

    /// Counts the next pair; `engines` are those that have White and Black in its first game.
    pub(super) fn count(&mut self, games: &[GameRow; 2], engines: [usize; 2]) {
        self.grown.clear();
        for (which, game) in games.iter().enumerate() {
            for (index, &engine) in engines.iter().enumerate() {
                let is_white = index == which;
                let lost = game
                    .fault_side()
                    .is_some_and(|side| is_white == (side == cozy_chess::Color::White))
                    && game.termination.fault() != Some(FaultClass::TimeLoss);
                self.lost[engine] = if lost { self.lost[engine] + 1 } else { 0 };
                if lost {
                    self.grown.push(Streak {
                        engine,
                        lost: self.lost[engine],
                        last: which,
                    });
                }
            }
        }
    }

    /// The streak that reached `limit` games, or a multiple of it, with the last pair. A resumed run stops again after
    /// `limit` more games in a row.
    pub fn reached(&self, limit: NonZeroU64) -> Option<Streak> {
        let mut grown = self.grown.iter();
        grown.find(|streak| streak.lost.is_multiple_of(limit.get())).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::game_rows::tests::game;
    use lmrlab_results::outcome::{GameResult, Termination};
    use proptest::prelude::*;

    /// How a game of engine 0 against engine 1 ends.
    #[derive(Debug, Clone, Copy)]
    enum End {
        Fine,
        FirstFails,
        SecondFails,
        FirstIsLate,
    }

    fn pair(ends: [End; 2]) -> [GameRow; 2] {
        [0, 1].map(|which| {
            let (first_loses, second_loses) = match which {
                0 => (GameResult::BlackWins, GameResult::WhiteWins),
                _ => (GameResult::WhiteWins, GameResult::BlackWins),
            };
            let (result, termination) = match ends[which] {
                End::Fine => (GameResult::WhiteWins, Termination::Checkmate),
                End::FirstFails => (first_loses, Termination::Crash),
                End::SecondFails => (second_loses, Termination::NoMove),
                End::FirstIsLate => (first_loses, Termination::TimeForfeit),
            };
            game(result, termination)
        })
    }

    fn ends() -> impl Strategy<Value = Vec<[End; 2]>> {
        let end = || {
            prop_oneof![
                1 => Just(End::Fine),
                6 => Just(End::FirstFails),
                2 => Just(End::SecondFails),
                1 => Just(End::FirstIsLate),
            ]
        };
        proptest::collection::vec([end(), end()], 1..60)
    }

    proptest! {
        /// Against a count over the list of all games.
        #[test]
        fn streaks_are_those_of_the_list_of_games(pairs in ends(), limit in 1_u64..7) {
            let limit = NonZeroU64::new(limit).unwrap();
            let mut streaks = FaultStreaks::new(2);
            let mut all = Vec::new();
            for ends in pairs {
                streaks.count(&pair(ends), [0, 1]);
                all.extend(ends);
                let in_a_row = |games: &[End], wanted: fn(&End) -> bool| {
                    games.iter().rev().take_while(|end| wanted(end)).count() as u64
                };
                let mut expected = Vec::new();
                for last in [0, 1] {
                    let games = &all[..all.len() - 1 + last];
                    for (engine, lost) in [
                        in_a_row(games, |end| matches!(end, End::FirstFails)),
                        in_a_row(games, |end| matches!(end, End::SecondFails)),
                    ].into_iter().enumerate() {
                        if lost > 0 && lost % limit.get() == 0 {
                            expected.push(Streak { engine, lost, last });
                        }
                    }
                }
                prop_assert_eq!(streaks.reached(limit), expected.first().copied());
            }
        }
    }
}
