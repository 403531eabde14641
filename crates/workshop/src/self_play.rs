//! Games of the engine against itself.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use cozy_chess::{Color, Move};
use lmrlab_engine::engine::Engine;
use lmrlab_engine::game::Game;
use lmrlab_engine::limits::Limits;
use lmrlab_engine::position::Position;
use lmrlab_engine::preset::Preset;
use lmrlab_policy::Policy;
use lmrlab_results::failure::Failure;
use lmrlab_runner::opening_maker::random_move;
use lmrlab_runner::openings::Openings;
use lmrlab_runner::project;
use rand::seq::{IndexedRandom, IteratorRandom};
use rand_pcg::Pcg64;

/// A side wins a game when its score is at least this, in centipawns, for [`DECIDED_PLIES`].
const DECIDED_SCORE: i32 = 1500;
const DECIDED_PLIES: u32 = 6;
/// A longer game is a draw.
const MAX_PLIES: usize = 400;
/// Mebibytes of the transposition table: enough for a few thousand nodes.
const HASH_MIB: u32 = 1;

/// Searches are never stopped: an interrupt ends the program.
pub(crate) static NEVER: AtomicBool = AtomicBool::new(false);

/// How games begin, and how the engine plays them.
pub(crate) struct SelfPlay {
    pub(crate) openings: Vec<Position>,
    pub(crate) preset: Arc<Preset>,
    pub(crate) policy: Arc<Policy>,
    /// Nodes of each move.
    pub(crate) nodes: u64,
    /// Most random plies after the opening; each game has a random number of them.
    pub(crate) random_plies: u32,
}

/// A position of a game, and the move played in it.
pub(crate) struct Visit {
    pub(crate) position: Position,
    /// The move that was played there.
    pub(crate) played: Move,
    /// The score of its search from White's point of view, in centipawns.
    pub(crate) white_score_cp: i32,
}

impl SelfPlay {
    /// An engine to play with.
    pub(crate) fn engine(&self) -> Engine {
        Engine::new(Arc::clone(&self.preset), Arc::clone(&self.policy), HASH_MIB)
    }

    /// Plays a game. Returns its positions in order, and its result for White in half points. Only the generator
    /// decides how the game begins.
    pub(crate) fn play(&self, generator: &mut Pcg64, engine: &mut Engine) -> (Vec<Visit>, u8) {
        let mut visits = Vec::new();
        let Some(opening) = self.openings.choose(generator) else {
            return (visits, 1);
        };
        let mut game = Game::new(opening.clone());
        for _ in 0..(0..=self.random_plies).choose(generator).unwrap_or(0) {
            let mv = random_move(game.position(), generator);
            if mv.is_none_or(|mv| game.play(mv).is_err()) {
                break;
            }
        }
        engine.new_game();
        let mut decided = 0;
        while game.ending().is_none() && game.moves().len() < MAX_PLIES {
            let report = engine.search(&game, &Limits::nodes(self.nodes), &NEVER);
            let Some(played) = report.best else { break };
            let position = game.position().clone();
            let white_score_cp = seen_by_white(&position, report.score.get());
            decided = if white_score_cp.abs() >= DECIDED_SCORE {
                decided + 1
            } else {
                0
            };
            if decided >= DECIDED_PLIES {
                return (visits, if white_score_cp > 0 { 2 } else { 0 });
            }
            visits.push(Visit {
                position,
                played,
                white_score_cp,
            });
            if game.play(played).is_err() {
                break;
            }
        }
        let winner = game
            .ending()
            .and_then(|ending| ending.winner(game.position().side_to_move()));
        (visits, half_points(winner))
    }
}

/// A score of the side to move as a score of White.
pub(crate) fn seen_by_white(position: &Position, score: i32) -> i32 {
    match position.side_to_move() {
        Color::White => score,
        Color::Black => -score,
    }
}

/// The result of a game for White, in half points.
pub(crate) fn half_points(winner: Option<Color>) -> u8 {
    match winner {
        Some(Color::White) => 2,
        None => 1,
        Some(Color::Black) => 0,
    }
}

/// The root of the project, from which presets, policies and openings are read.
pub(crate) fn project_root() -> PathBuf {
    project::root(&std::env::current_dir().unwrap_or_default(), None)
}

/// Reads a search preset.
pub(crate) fn preset(name: &str, root: &Path) -> Result<Arc<Preset>, Failure> {
    let (preset, _) = Preset::resolve(name, root)?;
    Ok(Arc::new(preset))
}

/// Reads a file of openings.
pub(crate) fn openings(file: &Path, root: &Path) -> Result<Vec<Position>, Failure> {
    let (openings, ..) = Openings::load(&project::file(root, file), None, None)?;
    let fens = (0..openings.count()).filter_map(|index| openings.fen(index));
    Ok(fens.filter_map(|fen| Position::from_fen(fen).ok()).collect())
}
