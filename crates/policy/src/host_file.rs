//! Writes a policy as a file for a *host*: another engine that reads policies while it runs, without being rebuilt.
//!
//! A host reads the file with `lmrlab.h` or with the crate `lmrlab-host`. The file is text. Its lines hold the
//! parameters, the conditions and the expressions of the policy, as postfix [words](lmrlab_host::runtime::words). The file keeps
//! the parameters as parameters, and it has the rules that are off, too. So the host can change both.

use crate::policy::Policy;

pub use lmrlab_host::runtime::Units;
pub use lmrlab_host::runtime::reader::VERSION;

/// A policy is larger than a compiled policy may be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TooLarge(String);

/// Writes a policy with its parameters and rules as they are in force.
///
/// ```
/// use lmrlab_diagnostics::Source;
/// use lmrlab_policy::Policy;
/// use lmrlab_policy::host_file::{self, Units};
///
/// let text = "name = \"half\"\nwhen = \"depth >= 3 and quiet\"\nreduce = \"depth / 2\"\n";
/// let (policy, _) = Policy::compile(Source::new("half.toml", text))?;
/// let file = host_file::write(&policy, Units::Lmrlab).unwrap();
/// assert!(file.starts_with("lmrlab-policy 1 half "));
/// assert!(file.contains("\nflags +quiet\nwhen depth 3 >=\nreduce depth 2 /\n"));
/// assert!(file.ends_with("\nend\n"));
/// # Ok::<(), lmrlab_diagnostics::Diagnostics>(())
/// ```
///
/// # Errors
/// When the policy is larger than the format allows.
pub fn write(policy: &Policy, units: Units) -> Result<String, TooLarge> {
    let mut scheme = policy.program().scheme().clone();
    (scheme.hash, scheme.units) = (policy.hash(), units);
    scheme.write().map_err(|refusal| TooLarge(refusal.message))
}
