//! The policy that a command names. Names are looked up in the project, paths start from the working directory.

use lmrlab_diagnostics::Files;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_policy::Policy;
use lmrlab_policy::reference::PolicyReference;

use crate::frame::print_warnings;
use crate::invocation::working_folder;

/// Loads a policy that may be for another engine; its warnings go to standard error.
pub(crate) fn load_for_host(reference: &PolicyReference) -> Result<Policy, Failure> {
    let (policy, warnings) = reference.resolve_for_host(&Files::on_disk(), &working_folder()?)?;
    print_warnings(&warnings);
    Ok(policy)
}

/// Loads a policy for lmrlab's own search; its warnings go to standard error.
pub(crate) fn load(reference: &PolicyReference) -> Result<Policy, Failure> {
    let (policy, warnings) = reference.resolve(&working_folder()?)?;
    print_warnings(&warnings);
    Ok(policy)
}
