//! The playing of many pairs on several threads, recorded in order.

mod collector;
mod conductor;
pub mod event;
mod first_handshake;
pub mod pair_player;
pub mod pool;
pub mod queue;
pub mod steering;
pub mod threads;
pub mod threads_file;
pub mod worker;

pub use self::conductor::conduct;
pub use self::first_handshake::first_handshake;
