//! The policy that a command names: where it is looked for, and how it is loaded.

use std::path::{Path, PathBuf};

use lmrlab_diagnostics::{Diagnostics, Files};
use lmrlab_policy::Policy;
use lmrlab_policy::reference::PolicyReference;

use crate::print::print_warnings;
use lmrlab_runner::project;

/// Where a policy is looked for: paths start from the working directory, names from the project folder.
pub(super) fn root_of(reference: &PolicyReference, here: &Path) -> PathBuf {
    if reference.is_path() {
        here.to_owned()
    } else {
        project::root(here, None)
    }
}

/// Loads a policy that may be for another engine; its warnings go to standard error.
pub(super) fn load_for_host(reference: &PolicyReference, here: &Path) -> Result<Policy, Diagnostics> {
    let (policy, warnings) = reference.resolve_for_host(&Files::on_disk(), &root_of(reference, here))?;
    print_warnings(&warnings);
    Ok(policy)
}

/// Loads a policy for lmrlab's own search; its warnings go to standard error.
pub(super) fn load(reference: &PolicyReference, here: &Path) -> Result<Policy, Diagnostics> {
    let (policy, warnings) = reference.resolve(&root_of(reference, here))?;
    print_warnings(&warnings);
    Ok(policy)
}
