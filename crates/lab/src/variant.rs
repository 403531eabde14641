//! Variants: a policy in a search preset.

use std::sync::Arc;

use lmrlab_engine::engine::{DEFAULT_HASH_MIB, Engine};
use lmrlab_engine::preset::Preset;
use lmrlab_policy::Policy;

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
}
