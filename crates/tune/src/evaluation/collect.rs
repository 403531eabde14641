//! Quiet positions of games that a tournament has played.

use std::path::Path;

use cozy_chess::Color;
use cozy_chess::util::parse_uci_move;
use lmrlab_engine::game::Game;
use lmrlab_engine::position::Position;
use lmrlab_runner::epd::epd;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::game::outcome::GameResult;
use lmrlab_runner::record::games::{GameRow, read_pairs};
use rand::seq::IteratorRandom;
use rand_pcg::Pcg64;

use super::samples::Sample;
use super::selection::{Selection, half_points, seen_by_white};

/// Passes the positions to keep of each game of a `games.csv` to `hand_over`, in the order of the games. Games that ended by
/// an engine's fault are left out. Games are numbered from `first`; returns the number after the last one.
///
/// # Errors
/// When the file cannot be read or is not one of this program, and those of `hand_over`.
pub fn collect(
    games: &Path,
    first: u64,
    selection: &Selection,
    seed: u64,
    mut hand_over: impl FnMut(Vec<Sample>) -> Result<(), Failure>,
) -> Result<u64, Failure> {
    let mut number = first;
    read_pairs(games, &mut |pair| {
        for row in pair {
            let mut generator = Pcg64::new(u128::from(seed), u128::from(number));
            let quiet = if row.fault.is_empty() {
                quiet_positions(&row, number, selection)
            } else {
                Vec::new()
            };
            hand_over(quiet.into_iter().sample(&mut generator, selection.per_game))?;
            number += 1;
        }
        Ok(())
    })?;
    Ok(number)
}

/// The positions of a game that may be kept, up to a move or score that cannot be read.
fn quiet_positions(row: &GameRow, number: u64, selection: &Selection) -> Vec<Sample> {
    let Ok(opening) = Position::from_fen(&row.fen) else {
        return Vec::new();
    };
    let winner = match row.result {
        GameResult::WhiteWins => Some(Color::White),
        GameResult::BlackWins => Some(Color::Black),
        GameResult::Draw => None,
    };
    let mut game = Game::new(opening);
    let mut quiet = Vec::new();
    for (played, (text, score)) in (0..).zip(row.moves.0.iter().zip(&row.scores.0)) {
        let position = game.position();
        let Ok(mv) = parse_uci_move(position.board(), text) else {
            break;
        };
        if let Some(score) = score.centipawns() {
            let white_score_cp = seen_by_white(position, score);
            if selection.wants(position, mv, white_score_cp, played) {
                quiet.push(Sample {
                    game: number,
                    epd: epd(position),
                    white_half_points: half_points(winner),
                    white_score_cp,
                });
            }
        }
        if game.play(mv).is_err() {
            break;
        }
    }
    quiet
}
