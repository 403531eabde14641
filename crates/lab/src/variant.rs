//! Variants: a policy in a search preset.

use std::sync::Arc;

use lmrlab_engine::engine::{DEFAULT_HASH_MIB, Engine};
use lmrlab_engine::preset::Preset;
use lmrlab_engine::search_parameters::ParameterError;
use lmrlab_policy::Policy;
use lmrlab_policy::policy::ChangeError;
use lmrlab_policy::reference::overridden;

/// The default size of the transposition table, in MiB: that of games.
pub const HASH_MIB: u32 = DEFAULT_HASH_MIB;

/// A policy in a preset.
#[derive(Debug, Clone)]
pub struct Variant {
    /// What tables call it: the policy's name with its overrides.
    pub name: String,
    /// When moves are reduced, and by how much.
    pub policy: Arc<Policy>,
    /// The search around the policy.
    pub preset: Arc<Preset>,
    /// The transposition table, in MiB.
    pub hash_mib: u32,
}

impl Variant {
    /// A policy in the default preset, with the default transposition table.
    pub fn new(name: impl Into<String>, policy: Policy) -> Self {
        Self {
            name: name.into(),
            policy: Arc::new(policy),
            preset: Arc::default(),
            hash_mib: HASH_MIB,
        }
    }

    /// An engine with empty tables.
    pub fn engine(&self) -> Engine {
        Engine::new(Arc::clone(&self.preset), Arc::clone(&self.policy), self.hash_mib)
    }

    /// The same search without any reductions.
    #[must_use]
    pub fn unreduced(&self) -> Self {
        Self {
            name: "none".to_owned(),
            policy: Arc::new(Policy::none()),
            ..self.clone()
        }
    }

    /// The same with a rule switched on or off, under a name with that override.
    ///
    /// # Errors
    /// When the policy has no such rule.
    pub fn with_rule(&self, rule: &str, enabled: bool) -> Result<Self, ChangeError> {
        let mut policy = (*self.policy).clone();
        policy.enable_rule(rule, enabled)?;
        let sign = if enabled { '+' } else { '-' };
        Ok(self.changed(&format!("{sign}{rule}"), policy))
    }

    /// The same with another value of a parameter, under a name with that override.
    ///
    /// # Errors
    /// When the policy has no such parameter, or the value is not within its bounds.
    pub fn with_parameter(&self, name: &str, value: f64) -> Result<Self, ChangeError> {
        let mut policy = (*self.policy).clone();
        policy.set_parameter(name, value)?;
        Ok(self.changed(&format!("{name}={value}"), policy))
    }

    /// The same with a change of the search around the policy: `parameter=value`, `-switch` or `+switch`. The name stays.
    ///
    /// # Errors
    /// When the search has no such parameter, or not with this value.
    pub fn with_search(&self, change: &str) -> Result<Self, ParameterError> {
        let mut preset = (*self.preset).clone();
        preset.parameters.change(change)?;
        Ok(Self {
            preset: Arc::new(preset),
            ..self.clone()
        })
    }

    fn changed(&self, change: &str, policy: Policy) -> Self {
        Self {
            name: overridden(&self.name, change),
            policy: Arc::new(policy),
            ..self.clone()
        }
    }
}
