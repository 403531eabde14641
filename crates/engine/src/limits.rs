//! The limits of a search: nodes, depth, time.

use std::time::Duration;

use cozy_chess::Move;

/// The limits of a search. The first one reached ends it. Without limits, only `stop` or the greatest depth
/// ends it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Limits {
    /// Nodes, quiescence included: the number of moves made. Exact.
    pub nodes: Option<u64>,
    /// Depth of the last iteration, in plies.
    pub depth: Option<u32>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// Time for the rest of the game.
    pub clock: Option<Clock>,
    /// Time lost per move outside the search, on a clock; [`MOVE_OVERHEAD`] when `None`.
    pub move_overhead: Option<Duration>,
    /// Ends the search at a mate in at most this many moves, for either side.
    pub mate: Option<u32>,
    /// The root moves to search; all when empty.
    pub search_moves: Vec<Move>,
}

/// The clock of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves to the next time control; `None` for sudden death.
    pub moves_to_go: Option<u32>,
}

/// The time of a search, computed from [`Limits`] at its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct TimeBudget {
    /// The soft limit: no new iteration starts after it. Time management scales it.
    pub(crate) soft: Option<Duration>,
    /// The hard limit: the search stops at once.
    pub(crate) hard: Option<Duration>,
}

/// The default time lost per move outside the search: scheduling and communication.
pub const MOVE_OVERHEAD: Duration = Duration::from_millis(10);

/// The reserve that is never spent, in overheads; at most half of the clock. It keeps a delayed move from losing on time.
const RESERVED_OVERHEADS: u32 = 4;

/// With less time than this beyond the reserve, in overheads, only a part of the increment is spent.
const COMFORTABLE_OVERHEADS: u32 = 8;

/// The number of moves to share the time among in sudden death, at the start of a game.
///
/// The fewer, the more time for the next moves. They nearly always matter, while many games are decided before their fiftieth move.
const EXPECTED_MOVES: u32 = 21;

/// After this number of moves of the game, one move less is expected.
const MOVES_PER_EXPECTED_MOVE: u32 = 6;

/// The least number of expected moves.
const LEAST_EXPECTED_MOVES: u32 = 10;

/// The greatest number of moves to share the time among when more time comes after a number of moves.
const MOST_MOVES_TO_GO: u32 = 28;

impl Limits {
    /// A node limit only.
    pub fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::default()
        }
    }

    /// A depth limit only.
    pub fn depth(depth: u32) -> Self {
        Self {
            depth: Some(depth),
            ..Self::default()
        }
    }

    /// The time of the search of the move with this number in its game, from 1.
    pub(crate) fn time_budget(&self, move_number: u32) -> TimeBudget {
        let mut budget = TimeBudget::default();
        if let Some(clock) = self.clock {
            let overhead = self.move_overhead.unwrap_or(MOVE_OVERHEAD);
            let available = clock
                .remaining
                .saturating_sub(overhead + (overhead * RESERVED_OVERHEADS).min(clock.remaining / 2));
            let expected = EXPECTED_MOVES
                .saturating_sub(move_number / MOVES_PER_EXPECTED_MOVE)
                .max(LEAST_EXPECTED_MOVES);
            let moves = clock
                .moves_to_go
                .map_or(expected, |moves| moves.clamp(1, MOST_MOVES_TO_GO));
            // A small increment is spent by what a move costs beside thinking, on a busy machine all of it.
            let gain = clock.increment.saturating_sub(overhead / 4);
            // And while little is left, some of a large one stays on the clock, until there is a reserve again.
            let comfort = overhead * COMFORTABLE_OVERHEADS;
            let gain = if available < comfort {
                gain.mul_f64(available.as_secs_f64() / comfort.as_secs_f64())
            } else {
                gain
            };
            let share = available / moves + gain * 3 / 4;
            // Never more than a third of what is left on one move, unless it is the last one before more time comes.
            let ceiling = if moves == 1 { available } else { available / 3 };
            budget.soft = Some((share * 6 / 10).min(ceiling));
            budget.hard = Some((share * 5 / 2).min(ceiling).max(Duration::from_millis(1)));
        }
        if let Some(time) = self.move_time {
            budget.hard = Some(budget.hard.map_or(time, |hard| hard.min(time)));
        }
        budget
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> TimeBudget {
        clock_at(1, remaining, increment, moves_to_go)
    }

    fn clock_at(move_number: u32, remaining: u64, increment: u64, moves_to_go: Option<u32>) -> TimeBudget {
        Limits {
            clock: Some(Clock {
                remaining: Duration::from_millis(remaining),
                increment: Duration::from_millis(increment),
                moves_to_go,
            }),
            ..Limits::default()
        }
        .time_budget(move_number)
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
