//! Players: whatever chooses a move when asked, in this process or in its own.

mod engine_player;
mod fault;
mod remark;
mod turn;
pub mod uci;
mod written_score;

pub use engine_player::EnginePlayer;
pub use fault::{Fault, FaultKind};
pub use remark::{Remark, RemarkKind};
pub use turn::{Choice, Player, Turn, go};
pub use written_score::WrittenScore;
