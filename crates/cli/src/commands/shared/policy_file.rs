//! The policy that a command names: where it is looked for, and how it is loaded.

use std::path::PathBuf;

use lmrlab_diagnostics::{Diagnostics, Files};
use lmrlab_policy::Policy;
use lmrlab_policy::reference::PolicyReference;

use crate::frame::print_warnings;
use lmrlab_results::project;

/// Where references are looked up: names in the project, paths from the working directory.
pub(crate) fn base(is_path: bool) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    match is_path {
        true => here,
        false => project::root(&here, None),
    }
}

/// Loads a policy that may be for another engine; its warnings go to standard error.
pub(crate) fn load_for_host(reference: &PolicyReference) -> Result<Policy, Diagnostics> {
    let (policy, warnings) = reference.resolve_for_host(&Files::on_disk(), &base(reference.is_path()))?;
    print_warnings(&warnings);
    Ok(policy)
}

/// Loads a policy for lmrlab's own search; its warnings go to standard error.
pub(crate) fn load(reference: &PolicyReference) -> Result<Policy, Diagnostics> {
    let (policy, warnings) = reference.resolve(&base(reference.is_path()))?;
    print_warnings(&warnings);
    Ok(policy)
}
