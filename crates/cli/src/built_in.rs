//! Makes the built-in files known to the libraries, so that `lmrlab` works from any folder.

use lmrlab_builtin::{CONFIGS, POSITIONS};
use lmrlab_diagnostics::built_in::{self, Folder};

static FOLDERS: [Folder; 2] = [CONFIGS, POSITIONS];

/// Makes these files known to the whole program.
pub(crate) fn provide() {
    built_in::provide(&FOLDERS);
}
