//! The files that `lmrlab` has built in, so that it works from any folder: all of configs and positions.

use include_dir::include_dir;
use lmrlab_diagnostics::built_in::{self, Folder};

static FOLDERS: [Folder; 2] = [
    ("configs", include_dir!("$CARGO_MANIFEST_DIR/../../configs")),
    ("positions", include_dir!("$CARGO_MANIFEST_DIR/../../positions")),
];

/// Makes them known to the whole program.
pub(crate) fn provide() {
    built_in::provide(&FOLDERS);
}
