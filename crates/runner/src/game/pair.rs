//! A pair of games: from one opening, with colours swapped.

use std::time::{Duration, Instant};

use lmrlab_engine::position::Position;

use super::play::{Entry, PlayedGame, play};
use super::rules::Rules;
use lmrlab_diagnostics::failure::RunFailure;

/// A game with its times.
#[derive(Debug, Clone)]
pub struct TimedGame {
    /// The game.
    pub game: PlayedGame,
    /// Time from the beginning of the run to the beginning of the game.
    pub start: Duration,
    /// Time from the beginning of the game to its end.
    pub duration: Duration,
}

/// Plays both games of the pair with the index `pair`; `first` has White in the first. `None` when they
/// were abandoned.
pub fn play_pair(
    mut first: Entry<'_>,
    mut second: Entry<'_>,
    start: &Position,
    pair: u64,
    rules: Rules<'_>,
) -> Option<[TimedGame; 2]> {
    let one = play_timed(first.again(), second.again(), start, 2 * pair + 1, rules)?;
    let two = play_timed(second, first, start, 2 * pair + 2, rules)?;
    Some([one, two])
}

fn play_timed(
    white: Entry<'_>,
    black: Entry<'_>,
    start: &Position,
    number: u64,
    rules: Rules<'_>,
) -> Option<TimedGame> {
    let begun = Instant::now();
    let names = [white.name, black.name];
    let game = play(white, black, start, number, rules)?;
    if let Some(fault) = &game.fault
        && let Err(failure) = rules
            .logs
            .fault((names[fault.side as usize], number), &fault.what, &fault.lines)
    {
        rules.interrupt.fail(RunFailure::Other(failure.in_a_line()));
        return None;
    }
    Some(TimedGame {
        game,
        start: begun - rules.begun,
        duration: begun.elapsed(),
    })
}
