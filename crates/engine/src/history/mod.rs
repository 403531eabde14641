//! The histories: what earlier nodes say about moves and about the static evaluation.

pub(crate) mod continuation;
pub(crate) mod correction;
pub(crate) mod fact_tables;
mod gravity;
pub(crate) mod killers;
pub(crate) mod move_key;
pub(crate) mod ordering;
pub(crate) mod policy_history;
