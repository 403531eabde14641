//! The games that positions are found in.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cozy_chess::Move;
use lmrlab_engine::engine::Engine;
use lmrlab_engine::game::Game;
use lmrlab_engine::limits::Limits;
use lmrlab_engine::position::Position;
use lmrlab_engine::preset::Preset;
use lmrlab_policy::Policy;
use rand::Rng;
use rand::seq::{IndexedRandom, IteratorRandom, SliceRandom};
use rand_pcg::Pcg64;

use super::{Kind, Recipe};
use crate::opening_maker::{epd, random_move};

/// The transposition table of the players, in MiB.
const HASH_MIB: u32 = 2;

/// The longest game, in plies.
const MAX_PLIES: usize = 300;

/// Most random plies after an opening.
const RANDOM_PLIES: u32 = 4;

/// A game is over when a side has been ahead by so much, in centipawns ...
const DECIDED_SCORE: i32 = 1_000;

/// ... for so many plies.
const DECIDED_PLIES: u32 = 6;

/// A position of a game, without what came before it.
#[derive(Debug, Clone)]
pub(super) struct Visit {
    pub(super) position: Position,
    /// What was played there.
    pub(super) played: Move,
}

/// Plays one game of the engine against itself, without reductions, until it is decided; its positions in their order.
pub(super) fn play(
    recipe: &Recipe,
    number: u64,
    openings: &[Position],
    preset: &Arc<Preset>,
    stop: &AtomicBool,
) -> Vec<Visit> {
    let mut generator = Pcg64::new(u128::from(recipe.seed), u128::from(number));
    let start = match recipe.kind {
        Kind::Tactics => openings.choose(&mut generator).cloned(),
        Kind::Zugzwang => endgame(&mut generator),
    };
    let Some(start) = start else {
        return Vec::new();
    };
    let mut game = Game::new(start);
    let plies = (0..=RANDOM_PLIES).choose(&mut generator).unwrap_or(0);
    for _ in 0..plies {
        let Some(mv) = random_move(game.position(), &mut generator) else {
            break;
        };
        if game.play(mv).is_err() {
            break;
        }
    }
    let mut engine = Engine::new(Arc::clone(preset), Arc::new(Policy::none()), HASH_MIB);
    let mut visits = Vec::new();
    let mut decided = 0;
    while game.ending().is_none() && game.moves().len() < MAX_PLIES && decided < DECIDED_PLIES {
        let report = engine.search(&game, &Limits::nodes(recipe.game_nodes), stop);
        let Some(played) = report.best.filter(|_| !stop.load(Ordering::Relaxed)) else {
            break;
        };
        decided = if report.score.get().abs() >= DECIDED_SCORE {
            decided + 1
        } else {
            0
        };
        // As a reader of the EPD line will see it: without a fifty-move counter.
        if let Ok(position) = Position::from_fen(&epd(game.position())) {
            visits.push(Visit { position, played });
        }
        if game.play(played).is_err() {
            break;
        }
    }
    visits
}

/// Attempts at a random endgame before there is none.
const ATTEMPTS: u32 = 1_000;

/// Most pawns of a side in a random endgame.
const MOST_PAWNS: usize = 5;

/// A random endgame: kings, at most one piece and one to five pawns a side, on squares that chance chose, and nobody in
/// check.
fn endgame(generator: &mut impl Rng) -> Option<Position> {
    (0..ATTEMPTS).find_map(|_| {
        let mut board = [None; 64];
        let mut squares: Vec<usize> = (0..64).collect();
        squares.shuffle(generator);
        let mut put = |man: char, pawn: bool| {
            let free = squares
                .iter()
                .position(|square| !pawn || (8..56).contains(square))?;
            board[squares.swap_remove(free)] = Some(man);
            Some(())
        };
        for (king, pawn, pieces) in [('K', 'P', "NBRQ"), ('k', 'p', "nbrq")] {
            put(king, false)?;
            let choices = pieces.chars().map(Some).chain([None]);
            if let Some(piece) = choices.choose(generator).flatten() {
                put(piece, false)?;
            }
            for _ in 0..(1..=MOST_PAWNS).choose(generator)? {
                put(pawn, true)?;
            }
        }
        let side = ["w", "b"].choose(generator)?;
        let position = Position::from_fen(&format!("{} {side} - - 0 1", placement(&board))).ok()?;
        let goes_on = Game::new(position.clone()).ending().is_none();
        (goes_on && !position.in_check()).then_some(position)
    })
}

/// The first field of a FEN.
fn placement(board: &[Option<char>; 64]) -> String {
    let rank = |men: &[Option<char>]| {
        let mut text = String::new();
        for run in men.chunk_by(|left, right| left.is_none() && right.is_none()) {
            match run {
                [Some(man)] => text.push(*man),
                empty => text.push_str(&empty.len().to_string()),
            }
        }
        text
    };
    board.chunks(8).map(rank).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_endgames_are_positions_with_few_men() {
        let mut generator = Pcg64::new(1, 2);
        let mut pieces = 0;
        for _ in 0..50 {
            let position = endgame(&mut generator).unwrap();
            let men = position.board().occupied().len();
            assert!((4..=14).contains(&men), "{position}");
            assert!(!position.in_check());
            pieces += u32::from(position.has_pieces(position.side_to_move()));
        }
        assert!(pieces > 20);
    }

    #[test]
    fn a_board_is_written_as_fen_has_it() {
        let mut board = [None; 64];
        (board[0], board[9], board[63]) = (Some('k'), Some('P'), Some('K'));
        assert_eq!(placement(&board), "k7/1P6/8/8/8/8/8/7K");
    }
}
