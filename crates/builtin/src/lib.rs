//! The files that the programs of lmrlab have built in, so that they work from any folder: all of configs and positions.
//!
//! A package holds only what is below its Cargo.toml. So this one is the package of the project's root.

use include_dir::include_dir;
use lmrlab_diagnostics::built_in::Folder;

/// Policies, presets, tournaments, tuning runs, experiments and ideas.
pub const CONFIGS: Folder = ("configs", include_dir!("$CARGO_MANIFEST_DIR/configs"));

/// Openings and test positions.
pub const POSITIONS: Folder = ("positions", include_dir!("$CARGO_MANIFEST_DIR/positions"));
