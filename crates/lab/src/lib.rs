//! The lab: what a policy's reductions do to searches of a set of positions, and whether they were right.
//!
//! Everything here searches [positions](positions::LabPosition) with [variants](variant::Variant) under a
//! [limit](search::SearchLimit), each position from a cleared memory, on any number of [threads](workers::Workers); results
//! come in the order of the jobs, so that figures do not depend on which thread was faster. Nothing here prints.

pub mod ablation;
pub mod audit;
pub mod bench;
pub mod csv_file;
mod draw;
pub mod explanation;
pub mod factorial;
pub mod heat_map;
pub mod measures;
pub mod mine;
mod node_kinds;
mod notation;
pub mod perft_suite;
pub mod positions;
pub mod profile;
mod ratio;
pub mod search;
pub mod suite;
pub mod sweep;
pub mod variant;
pub mod workers;
