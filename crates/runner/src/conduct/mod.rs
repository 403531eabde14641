//! The playing of many pairs on several threads, recorded in order.

pub mod event;
pub mod in_order;
mod tournament_run;

pub use self::tournament_run::conduct;
pub use crate::record::progress::Ended;
