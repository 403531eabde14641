//! How long a search may go on.

use std::time::Duration;

use cozy_chess::Move;

/// What ends a search. Whichever comes first counts; with nothing set, only the greatest depth or a stop does.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Limits {
    /// Nodes: every move made, quiescence included. Exact.
    pub nodes: Option<u64>,
    /// Iterations.
    pub depth: Option<u32>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// Time for the rest of the game.
    pub clock: Option<Clock>,
    /// What a move costs beside thinking, where a clock runs; [`MOVE_OVERHEAD`] unless somebody knows better.
    pub move_overhead: Option<Duration>,
    /// A mate in at most so many moves, for either side, ends the search.
    pub mate: Option<u32>,
    /// At the root only these moves are searched; all of them when it is empty.
    pub search_moves: Vec<Move>,
}

/// The clock of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until more time is added; `None` when the time left is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// What a search may spend, computed from [`Limits`] once at its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct TimeBudget {
    /// After this no new iteration is begun, as things usually are; how sure the search is of its move makes it more or less.
    pub(crate) soft: Option<Duration>,
    /// At this the search stops wherever it is.
    pub(crate) hard: Option<Duration>,
}

/// Time that a move costs beside thinking: scheduling, and the way of the answer to whoever asked.
pub const MOVE_OVERHEAD: Duration = Duration::from_millis(10);

/// What is never spent, in overheads, so that a move that costs more than expected does not lose the game; at most half of
/// the clock.
const RESERVED_OVERHEADS: u32 = 4;

/// With less than this beyond the reserve, in overheads, only a part of the increment is spent.
const COMFORTABLE_OVERHEADS: u32 = 8;

/// Moves for which the time left must last when nobody says how many there are.
const EXPECTED_MOVES: u32 = 28;

impl Limits {
    /// A limit of nodes alone.
    pub fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::default()
        }
    }

    /// A limit of depth alone.
    pub fn depth(depth: u32) -> Self {
        Self {
            depth: Some(depth),
            ..Self::default()
        }
    }

    pub(crate) fn time_budget(&self) -> TimeBudget {
        let mut budget = TimeBudget::default();
        if let Some(clock) = self.clock {
            let overhead = self.move_overhead.unwrap_or(MOVE_OVERHEAD);
            let available = clock.remaining.saturating_sub(
                overhead + (overhead * RESERVED_OVERHEADS).min(clock.remaining / 2),
            );
            let moves = clock
                .moves_to_go
                .map_or(EXPECTED_MOVES, |moves| moves.clamp(1, EXPECTED_MOVES));
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
        Limits {
            clock: Some(Clock {
                remaining: Duration::from_millis(remaining),
                increment: Duration::from_millis(increment),
                moves_to_go,
            }),
            ..Limits::default()
        }
        .time_budget()
    }

    #[test]
    fn a_move_never_takes_what_is_left() {
        for remaining in [0, 5, 10, 11, 50, 1_000, 60_000, 10_000_000] {
            for increment in [0, 10, 1_000, 60_000] {
                for moves in [
                    None,
                    Some(0),
                    Some(1),
                    Some(2),
                    Some(40),
                    Some(4_000_000_000),
                ] {
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
