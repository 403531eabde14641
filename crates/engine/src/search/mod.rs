//! The search: iterative deepening around a principal variation search.

mod extensions;
mod history_updates;
mod iterative_deepening;
mod kind;
mod late_move;
pub(crate) mod memory;
mod move_facts;
mod move_pruning;
mod move_values;
mod node;
mod node_pruning;
mod node_state;
pub mod observer;
mod quiescence;
pub(crate) mod report;
mod search_plan;
mod shadow;
mod stack;
pub(crate) mod state;
mod static_eval;
mod time_management;
mod window;
