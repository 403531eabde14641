//! Players: whatever chooses a move when asked, in this process or in its own.

mod engine_player;
mod fault;
mod remark;
mod turn;
pub mod uci;

pub use engine_player::EnginePlayer;
pub use fault::{Fault, FaultKind};
pub use lmrlab_results::written_score::WrittenScore;
pub use remark::{Remark, RemarkKind};
pub use turn::{Choice, Player, Turn, go};
