//! The files that `lmrlab` has built in, so that it works from any folder: all of configs and positions.

use lmrlab_builtin::{CONFIGS, POSITIONS};
use lmrlab_diagnostics::built_in::{self, Folder};

static FOLDERS: [Folder; 2] = [CONFIGS, POSITIONS];

/// Makes these files known to the whole program.
pub(crate) fn provide() {
    built_in::provide(&FOLDERS);
}
