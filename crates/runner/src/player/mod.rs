//! Players: whatever chooses a move when asked, in this process or in its own.

mod engine_player;
mod fault;
pub mod traffic_log;
mod turn;
pub mod uci;
mod warning;

pub use engine_player::EnginePlayer;
pub use fault::{Fault, FaultKind};
pub use turn::{ChosenMove, Player, Seat, Turn, go};
pub use warning::{Warning, WarningKind};
