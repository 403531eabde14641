//! The program that plays: which version, and which search.

use std::sync::Arc;

use lmrlab_diagnostics::failure::Failure;
use lmrlab_engine::bench;
use lmrlab_engine::preset::Preset;
use lmrlab_policy::policy::Policy;
use lmrlab_policy::reference::PolicyReference;
use lmrlab_results::manifest::Invocation;

/// The built-in default policy and preset.
const POLICY: &str = "built-in:configs/policies/house.toml";
const PRESET: &str = "built-in:configs/engines/standard.toml";

/// The properties of a program that decide the result of a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Build {
    /// Its version.
    pub version: String,
    /// The commit that it was built from, where that is known.
    pub commit: Option<String>,
    /// The nodes of its bench: the fingerprint of its search.
    pub bench: u64,
}

impl Build {
    /// This program. Runs its bench, which takes a fraction of a second.
    ///
    /// # Errors
    /// When the built-in policy cannot be used. This cannot happen in a released program.
    pub fn this(invocation: &Invocation) -> Result<Self, Failure> {
        let root = std::path::Path::new(".");
        let (preset, _) = Preset::resolve(PRESET, root)?;
        let reference = POLICY.parse::<PolicyReference>()?;
        let (policy, _): (Policy, _) = reference.resolve(root)?;
        let outcome = bench::run(&Arc::new(preset), &Arc::new(policy), bench::DEFAULT_DEPTH)
            .map_err(|error| Failure::run(format!("a position of the bench is not valid: {error}")))?;
        Ok(Self {
            version: invocation.version.clone(),
            commit: invocation.commit.clone(),
            bench: outcome.nodes,
        })
    }
}
