//! Players: whatever chooses a move when asked, in this process or in its own.

mod engine_player;
mod fault;
mod warning;
mod turn;
pub mod uci;

pub use engine_player::EnginePlayer;
pub use fault::{Fault, FaultKind};
pub use lmrlab_results::written_score::WrittenScore;
pub use warning::{Warning, WarningKind};
pub use turn::{ChosenMove, Player, Turn, go};
