//! Pages and pictures of results.
#![allow(missing_docs)]
pub mod chart;
pub mod page;
pub mod png;
pub mod table;
