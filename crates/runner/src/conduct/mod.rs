//! The playing of many pairs on several threads, recorded in order.

pub mod event;
mod first_handshake;
pub mod in_order;
pub mod pair_player;
mod recording;
pub mod steering;
pub mod threads_file;

pub use self::first_handshake::first_handshake;
pub use self::recording::conduct;
