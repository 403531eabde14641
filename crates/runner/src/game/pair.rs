//! A pair of games: from one opening, with colours swapped.

use std::time::{Duration, Instant};

use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_engine::position::Position;

use super::adjudication::Adjudication;
use super::play::{PlayedGame, Side, play};
use crate::interrupt::Interrupt;

/// A game with its times.
#[derive(Debug, Clone)]
pub struct TimedGame {
    /// The game.
    pub game: PlayedGame,
    /// From the beginning of the run to that of the game.
    pub start: Duration,
    /// From the game's beginning to its end.
    pub duration: Duration,
}

/// What the games of a run have in common.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'r> {
    /// The variant of chess.
    pub variant: ChessVariant,
    /// When games are ended before the rules of chess end them.
    pub adjudication: &'r Adjudication,
    /// What abandons them.
    pub interrupt: &'r Interrupt,
    /// When the run began.
    pub begun: Instant,
}

/// Plays both games of a pair; `first` has White in the first. Nothing when they were abandoned.
pub fn play_pair(
    mut first: Side<'_>,
    mut second: Side<'_>,
    start: &Position,
    rules: Rules<'_>,
) -> Option<[TimedGame; 2]> {
    let one = play_timed(first.again(), second.again(), start, rules)?;
    let two = play_timed(second, first, start, rules)?;
    Some([one, two])
}

fn play_timed(white: Side<'_>, black: Side<'_>, start: &Position, rules: Rules<'_>) -> Option<TimedGame> {
    let begun = Instant::now();
    let game = play(
        white,
        black,
        (start, rules.variant),
        rules.adjudication,
        rules.interrupt,
    )?;
    Some(TimedGame {
        game,
        start: begun - rules.begun,
        duration: begun.elapsed(),
    })
}
