//! Games that an engine has lost in a row by crash, stall or illegal move, counted in the order of the schedule.

use lmrlab_results::rows::games::GameRow;

use crate::tournament::faults_allowed::FaultsAllowed;

/// The streaks of all engines.
#[derive(Debug, Clone)]
pub struct FaultStreaks {
    pub(super) allowed: FaultsAllowed,
    /// The games that each engine has lost in a row by faults that are counted.
    lost: Vec<u64>,
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
    pub(super) fn new(engines: usize, allowed: FaultsAllowed) -> Self {
        Self {
            allowed,
            lost: vec![0; engines],
        }
    }

    /// Counts the next pair; `engines` are those that have White and Black in its first game. Of an engine that plays
    /// itself every fault counts, whichever side it was. Returns the streak that reached the allowed number, or a multiple
    /// of it. So a resumed run stops again after as many more games in a row.
    pub(super) fn count(&mut self, games: &[GameRow; 2], engines: [usize; 2]) -> Option<Streak> {
        let plays_itself = engines[0] == engines[1];
        let sides = if plays_itself { 1 } else { 2 };
        let mut reached = None;
        for (last, game) in games.iter().enumerate() {
            for (index, &engine) in engines.iter().enumerate().take(sides) {
                let is_white = index == last;
                let is_own = (game.fault_side())
                    .is_some_and(|side| plays_itself || is_white == (side == cozy_chess::Color::White));
                let fault = game.termination.fault().filter(|_| is_own);
                if !fault.is_some_and(|fault| self.allowed.counted.contain(fault)) {
                    self.lost[engine] = 0;
                    continue;
                }
                self.lost[engine] += 1;
                let lost = self.lost[engine];
                let is_reached = self.allowed.limit.is_some_and(|limit| lost.is_multiple_of(limit.get()));
                reached = reached.or(is_reached.then_some(Streak { engine, lost, last }));
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::game_rows::tests::game;
    use lmrlab_results::game_end::{GameResult, Termination};
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
            let [every, crashes]: [FaultsAllowed; 2] =
                [limit.to_string(), format!("crashes:{limit}")].map(|text| text.parse().unwrap());
            let mut streaks = [every, crashes].map(|allowed| FaultStreaks::new(2, allowed));
            let mut all = Vec::new();
            for ends in pairs {
                let reached = streaks.each_mut().map(|streaks| streaks.count(&pair(ends), [0, 1]));
                all.extend(ends);
                let in_a_row = |games: &[End], wanted: fn(&End) -> bool| {
                    games.iter().rev().take_while(|end| wanted(end)).count() as u64
                };
                // The second engine fails by illegal moves.
                let second: [fn(&End) -> bool; 2] = [|end| matches!(end, End::SecondFails), |_| false];
                for (reached, second) in reached.into_iter().zip(second) {
                    let mut expected = Vec::new();
                    for last in [0, 1] {
                        let games = &all[..all.len() - 1 + last];
                        for (engine, lost) in [
                            in_a_row(games, |end| matches!(end, End::FirstFails)),
                            in_a_row(games, second),
                        ].into_iter().enumerate() {
                            if lost > 0 && lost % limit == 0 {
                                expected.push(Streak { engine, lost, last });
                            }
                        }
                    }
                    prop_assert_eq!(reached, expected.first().copied());
                }
            }
        }
    }
}
