//! An alpha-beta chess engine. Its late move reductions come from a policy.
//!
//! [`Engine::search`](engine::Engine::search) takes a game and limits and returns a move with its score. A search preset and a
//! policy set how it searches. The engine prints nothing; an [observer](search::observer::Observer) receives the events of a
//! search.
//!
//! ```
//! use std::sync::Arc;
//! use std::sync::atomic::AtomicBool;
//!
//! use lmrlab_diagnostics::Source;
//! use lmrlab_engine::engine::Engine;
//! use lmrlab_engine::game::Game;
//! use lmrlab_engine::limits::Limits;
//! use lmrlab_engine::position::Position;
//! use lmrlab_engine::preset::Preset;
//! use lmrlab_policy::Policy;
//!
//! let text = "name = 'late-quiets'\nwhen = 'quiet and move_number > 4'\nreduce = '1'";
//! let (policy, _warnings) = Policy::compile(Source::new("an example", text))?;
//! let mut engine = Engine::new(Arc::new(Preset::default()), Arc::new(policy), 16);
//! let game = Game::new(Position::from_fen("6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1")?);
//! let report = engine.search(&game, &Limits::depth(4), &AtomicBool::new(false));
//! assert_eq!(report.best, Some("e1e8".parse()?));
//! assert_eq!(report.score.moves_to_mate(), Some(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bench;
mod checks;
pub mod chess_variant;
mod depth;
pub mod engine;
mod evaluation;
mod fen_error;
pub mod game;
mod history;
mod huge_pages;
pub mod limits;
mod move_picker;
mod network;
pub mod perft;
pub mod position;
pub mod position_facts;
pub mod preset;
#[cfg(test)]
mod random_games;
pub mod reductions;
pub mod score;
pub mod search;
pub mod search_parameters;
mod see;
mod silent_facts;
mod threats;
mod transposition;
mod weights;
pub mod whole_number;
mod zobrist;
