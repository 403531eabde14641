//! The histories: statistics of moves for ordering and for policies, and correction history.

pub(crate) mod context;
pub(crate) mod correction;
pub(crate) mod fact_tables;
mod gravity;
pub(crate) mod killers;
pub(crate) mod move_key;
pub(crate) mod ordering;
pub(crate) mod policy_history;
