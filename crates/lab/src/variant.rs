//! What is compared: a policy in the search that surrounds it.

use std::sync::Arc;

use lmrlab_engine::engine::{DEFAULT_HASH_MIB, Engine};
use lmrlab_engine::preset::Preset;
use lmrlab_policy::Policy;

/// The transposition table of a search in the lab, in MiB, unless somebody asks for another.
pub const HASH_MIB: u32 = DEFAULT_HASH_MIB;

/// A policy in a preset.
#[derive(Debug, Clone)]
pub struct Variant {
    /// What tables call it: the policy as the user named it, overrides included.
    pub name: String,
    /// When moves are reduced, and by how much.
    pub policy: Arc<Policy>,
    /// The search around the policy.
    pub preset: Arc<Preset>,
    /// The transposition table, in MiB.
    pub hash_mib: u32,
}

impl Variant {
    /// An engine that has seen nothing yet.
    pub fn engine(&self) -> Engine {
        Engine::new(
            Arc::clone(&self.preset),
            Arc::clone(&self.policy),
            self.hash_mib,
        )
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
