//! Writes a policy as a file for a *host*: another engine that reads policies while it runs, without being rebuilt.
//!
//! A host reads the file with `lmrlab.h` or with the crate `lmrlab-host`. The file is text. Its lines hold the
//! parameters, the conditions and the expressions of the policy, as postfix words. The file keeps the parameters as
//! parameters, and it has the rules that are off, too. So the host can change both.
//!
//! - `file.rs` writes the lines, `code.rs` the words of an expression, `decimal.rs` a number.

mod code;
mod decimal;
mod file;

use thiserror::Error;

use crate::policy::Policy;

/// The version of the format, in the first line of a file.
pub const VERSION: u32 = 1;

/// The units of the facts that a policy reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Units {
    /// Those of [`CATALOGUE`](crate::facts::CATALOGUE): centipawns, plies. The host converts its own.
    #[default]
    Lmrlab,
    /// The units of the host: it gives its facts without conversion.
    Host,
}

impl Units {
    /// The word for it in a file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lmrlab => "lmrlab",
            Self::Host => "host",
        }
    }
}

/// A policy is larger than a host must be able to read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{what}; a file for a host may have at most {most}")]
#[non_exhaustive]
pub struct TooLarge {
    /// What there is too much of, with its number.
    pub what: String,
    /// The most that is allowed.
    pub most: usize,
}

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
    file::write(policy, units)
}
