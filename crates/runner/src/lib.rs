//! The workbench.
pub mod stats;
