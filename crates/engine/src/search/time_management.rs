//! Time management: the time for a move, and its scaling by the stability of the best move and its score.

use std::time::Duration;

use arrayvec::ArrayVec;
use cozy_chess::Move;

use crate::limits::{Limits, MOVE_OVERHEAD};
use crate::move_picker::MAX_MOVES;
use crate::score::Score;

/// The time of a search, computed from its [`Limits`] at its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct TimeBudget {
    /// The soft limit: no new iteration starts after it. Time management scales it.
    pub(super) soft: Option<Duration>,
    /// The hard limit: the search stops at once.
    pub(super) hard: Option<Duration>,
}

/// The reserve, in overheads, that is never spent; at most half of the clock. With it, a delayed move does not lose on
/// time.
const RESERVED_OVERHEADS: u32 = 4;

/// When less time than this is left beyond the reserve, in overheads, the engine spends only a part of the increment.
const COMFORTABLE_OVERHEADS: u32 = 8;

/// The number of moves to share the time among in sudden death, at the start of a game.
///
/// A smaller number gives more time to the next moves. Those moves nearly always matter, but many games are decided
/// before move 50.
const EXPECTED_MOVES: u32 = 21;

/// The expected number falls by one each time the game gets longer by this number of moves.
const MOVES_PER_EXPECTED_MOVE: u32 = 6;

/// The least number of expected moves.
const LEAST_EXPECTED_MOVES: u32 = 10;

/// The greatest number of moves to share the time among when a next time control follows.
const MOST_MOVES_TO_GO: u32 = 28;

/// The time of the search of the move with this number in its game, from 1.
pub(super) fn time_budget(limits: &Limits, move_number: u32) -> TimeBudget {
    let mut budget = TimeBudget::default();
    if let Some(clock) = limits.clock {
        let overhead = limits.move_overhead.unwrap_or(MOVE_OVERHEAD);
        let available = clock
            .remaining
            .saturating_sub(overhead + (overhead * RESERVED_OVERHEADS).min(clock.remaining / 2));
        let expected = EXPECTED_MOVES
            .saturating_sub(move_number / MOVES_PER_EXPECTED_MOVE)
            .max(LEAST_EXPECTED_MOVES);
        let moves = clock
            .moves_to_go
            .map_or(expected, |moves| moves.clamp(1, MOST_MOVES_TO_GO));
        // The overhead of a move costs a part of the increment. On a busy machine it can cost all of a small one.
        let gain = clock.increment.saturating_sub(overhead / 4);
        // While little time remains, a part of a large increment stays on the clock, until the reserve is full again.
        let comfort = overhead * COMFORTABLE_OVERHEADS;
        let gain = if available < comfort {
            gain.mul_f64(available.as_secs_f64() / comfort.as_secs_f64())
        } else {
            gain
        };
        let share = available / moves + gain * 3 / 4;
        // One move never takes more than a third of the remaining time, unless it is the last one before the next time
        // control.
        let ceiling = if moves == 1 { available } else { available / 3 };
        budget.soft = Some((share * 6 / 10).min(ceiling));
        budget.hard = Some((share * 5 / 2).min(ceiling).max(Duration::from_millis(1)));
    }
    if let Some(time) = limits.move_time {
        budget.hard = Some(budget.hard.map_or(time, |hard| hard.min(time)));
    }
    budget
}

/// Nodes by root move.
#[derive(Debug, Default)]
pub(super) struct RootMoveNodes(ArrayVec<(Move, u64), MAX_MOVES>);

impl RootMoveNodes {
    /// Adds nodes of a root move.
    pub(super) fn add(&mut self, mv: Move, nodes: u64) {
        match self.0.iter_mut().find(|(other, _)| *other == mv) {
            Some((_, sum)) => *sum += nodes,
            None => {
                let _ = self.0.try_push((mv, nodes));
            }
        }
    }

    /// A root move's share of all nodes, from 0 to 1.
    pub(super) fn share(&self, mv: Move) -> f64 {
        let total: u64 = self.0.iter().map(|(_, nodes)| nodes).sum();
        let own = self.0.iter().find(|(other, _)| *other == mv);
        match own {
            Some((_, nodes)) if total > 0 => *nodes as f64 / total as f64,
            _ => 0.0,
        }
    }
}

/// The stability of the best move and of its score.
#[derive(Debug, Default)]
pub(super) struct TimeManagement {
    best: Option<(Move, Score)>,
    /// Iterations in a row with the same best move, the last one included.
    same: u32,
    iterations: u32,
    /// The drop of the score in the last iteration, in centipawns.
    fall: i32,
}

/// Iterations before the time is scaled.
const FIRST_ITERATIONS: u32 = 5;

impl TimeManagement {
    /// Updates the stability after an iteration.
    pub(super) fn update(&mut self, mv: Move, score: Score) {
        self.iterations += 1;
        self.same = match self.best {
            Some((before, _)) if before == mv => self.same + 1,
            _ => 1,
        };
        self.fall = self.best.map_or(0, |(_, before)| before - score);
        self.best = Some((mv, score));
    }

    /// The factor of the soft time limit. Less for a move that stays best and takes most nodes; more for a new best move or
    /// a falling score (after Stockfish's time management since 2019).
    pub(super) fn time_scale(&self, share: f64) -> f64 {
        if self.iterations < FIRST_ITERATIONS {
            return 1.0;
        }
        let stability = 1.35 - 0.09 * f64::from(self.same.min(6));
        let effort = 1.75 - 1.2 * share;
        let fall = 1.0 + f64::from(self.fall.clamp(0, 60)) / 80.0;
        stability * effort * fall
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Clock;

    #[test]
    fn a_sure_move_takes_less_time_than_a_doubtful_one() {
        let [a, b]: [Move; 2] = ["e2e4".parse().unwrap(), "d2d4".parse().unwrap()];
        let (mut sure, mut doubtful) = (TimeManagement::default(), TimeManagement::default());
        for iteration in 0..8 {
            sure.update(a, Score::centipawns(20));
            doubtful.update(
                if iteration % 2 == 0 { a } else { b },
                Score::centipawns(-20 * iteration),
            );
        }
        assert!(sure.time_scale(0.95) < 0.6);
        assert!(doubtful.time_scale(0.3) > 1.5);
        assert!(sure.time_scale(0.2) > sure.time_scale(0.9));
    }

    #[test]
    fn shares_of_root_moves() {
        let [a, b]: [Move; 2] = ["e2e4".parse().unwrap(), "d2d4".parse().unwrap()];
        let mut nodes = RootMoveNodes::default();
        assert_eq!(nodes.share(a), 0.0);
        nodes.add(a, 30);
        nodes.add(b, 10);
        nodes.add(a, 60);
        assert_eq!(nodes.share(a), 0.9);
    }

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> TimeBudget {
        clock_at(1, remaining, increment, moves_to_go)
    }

    fn clock_at(move_number: u32, remaining: u64, increment: u64, moves_to_go: Option<u32>) -> TimeBudget {
        let clock = Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
            moves_to_go,
        };
        let limits = Limits {
            clock: Some(clock),
            ..Limits::default()
        };
        time_budget(&limits, move_number)
    }

    #[test]
    fn a_move_never_takes_what_is_left() {
        for remaining in [0, 5, 10, 11, 50, 1_000, 60_000, 10_000_000] {
            for increment in [0, 10, 1_000, 60_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(4_000_000_000)] {
                    let budget = clock(remaining, increment, moves);
                    let hard = budget.hard.unwrap();
                    assert!(
                        hard <= Duration::from_millis(remaining.saturating_sub(10).max(1)),
                        "{remaining} {increment} {moves:?}: {hard:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_first_moves_of_a_game_take_most_and_the_clock_lasts() {
        for increment in [0, 50] {
            let mut remaining = 5_000;
            let spent: Vec<u64> = (1..=100)
                .map(|move_number| {
                    let soft = clock_at(move_number, remaining, increment, None).soft.unwrap();
                    let spent = soft.as_millis() as u64 + 1;
                    remaining = remaining - spent + increment;
                    spent
                })
                .collect();
            let mean = |moves: std::ops::Range<usize>| spent[moves].iter().sum::<u64>() / 10;
            assert!(mean(0..10) > mean(10..20) && mean(10..20) > mean(30..40), "{spent:?}");
            assert!(2 * mean(0..10) > 3 * mean(50..60), "{spent:?}");
            assert!(spent.iter().all(|spent| *spent > 0) && remaining >= 50, "{remaining}");
        }
    }

    #[test]
    fn moves_to_go_count_whatever_the_move_number() {
        for moves in [1, 10, 40] {
            assert_eq!(
                clock_at(1, 60_000, 0, Some(moves)),
                clock_at(90, 60_000, 0, Some(moves))
            );
        }
        assert!(clock_at(90, 60_000, 0, None).soft > clock_at(1, 60_000, 0, None).soft);
    }

    #[test]
    fn an_increment_that_moves_themselves_may_eat_is_not_spent() {
        assert_eq!(clock(1_000, 2, None), clock(1_000, 0, None));
        assert!(clock(1_000, 10, None).soft > clock(1_000, 0, None).soft);
    }

    #[test]
    fn a_short_clock_keeps_a_reserve() {
        for remaining in 60..=200 {
            let hard = clock(remaining, 2, Some(1)).hard.unwrap();
            let left = Duration::from_millis(remaining) - hard;
            let least = Duration::from_millis(50).min(Duration::from_millis(remaining / 2 + 10));
            assert!(left >= least, "{remaining}: {left:?}");
        }
    }

    #[test]
    fn a_clock_that_has_run_down_recovers() {
        let spent = |remaining| clock(remaining, 20, None).soft.unwrap();
        assert!(spent(30) <= Duration::from_millis(1));
        assert!(spent(60) < spent(100) && spent(100) < spent(200));
        assert!(spent(200) > Duration::from_millis(8));
    }

    #[test]
    fn more_time_means_more_thought() {
        assert!(clock(60_000, 0, None).soft > clock(30_000, 0, None).soft);
        assert!(clock(60_000, 1_000, None).soft > clock(60_000, 0, None).soft);
        assert!(clock(60_000, 0, Some(5)).soft > clock(60_000, 0, Some(20)).soft);
    }
}
