//! The playing of many pairs on several threads, recorded in order.

pub mod collector;
pub mod event;
mod first_handshake;
pub mod in_order;
pub mod pair_player;
pub mod queue;
mod recording;
pub mod steering;
pub mod threads;
pub mod threads_file;
pub mod worker;

pub use self::first_handshake::first_handshake;
pub use self::recording::conduct;
