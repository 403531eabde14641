//! The playing of many pairs on several threads, recorded in order.

pub mod event;
mod first_handshake;
pub mod in_order;
pub mod pair_lines;
pub mod portable;
pub mod steering;
mod tournament_run;
pub mod worker_pool;

pub use self::first_handshake::first_handshake;
pub use self::tournament_run::{Pairs, conduct, too_many_in_a_row};
pub use crate::record::progress::Ended;
