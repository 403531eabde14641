//! The playing of many pairs on several threads, recorded in order.

pub mod event;
mod first_handshake;
pub mod in_order;
mod tournament_run;

pub use self::first_handshake::first_handshake;
pub use self::tournament_run::conduct;
pub use crate::record::progress::Ended;
