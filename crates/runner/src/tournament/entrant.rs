//! An engine in a tournament: a search preset with a reduction policy.

use std::path::Path;
use std::sync::Arc;

use lmrlab_engine::preset::Preset;
use lmrlab_policy::diagnostic::Diagnostics;
use lmrlab_policy::policy::Policy;
use lmrlab_policy::reference::PolicyReference;

use crate::player::{EnginePlayer, Player};

/// An engine that takes part.
#[derive(Debug, Clone)]
pub struct Entrant {
    /// What it is called in tables and files.
    pub name: String,
    /// The preset as it was asked for: a name or a path.
    pub preset_reference: String,
    /// What surrounds the reductions.
    pub preset: Arc<Preset>,
    /// The policy as it was asked for: a name or a path, with overrides.
    pub policy_reference: String,
    /// When moves are reduced, and by how much.
    pub policy: Arc<Policy>,
}

impl Entrant {
    /// Reads the preset and the policy; `name` is the policy's when there is none. Comes with their warnings.
    ///
    /// # Errors
    /// What is wrong with the preset, the policy, or both.
    pub fn resolve(
        name: Option<&str>,
        preset_reference: &str,
        policy_reference: &str,
        root: &Path,
    ) -> Result<(Self, Vec<Diagnostics>), Unusable> {
        let preset = Preset::resolve(preset_reference, root);
        let policy = policy_reference
            .parse::<PolicyReference>()
            .and_then(|reference| reference.resolve(root));
        match (preset, policy) {
            (Ok((preset, preset_warnings)), Ok((policy, policy_warnings))) => Ok((
                Self {
                    name: name.unwrap_or(policy.name()).to_owned(),
                    preset_reference: preset_reference.to_owned(),
                    preset: Arc::new(preset),
                    policy_reference: policy_reference.to_owned(),
                    policy: Arc::new(policy),
                },
                vec![preset_warnings, policy_warnings],
            )),
            (preset, policy) => Err(Unusable {
                preset: preset.err().map(Box::new),
                policy: policy.err().map(Box::new),
            }),
        }
    }

    /// A player with a transposition table of so many MiB.
    pub fn player(&self, hash_mib: u32) -> Box<dyn Player> {
        Box::new(EnginePlayer::new(
            Arc::clone(&self.preset),
            Arc::clone(&self.policy),
            hash_mib,
        ))
    }
}

/// Why an engine cannot take part; at least one of the two is there.
#[derive(Debug)]
pub struct Unusable {
    /// What is wrong with the preset.
    pub preset: Option<Box<Diagnostics>>,
    /// What is wrong with the policy.
    pub policy: Option<Box<Diagnostics>>,
}
