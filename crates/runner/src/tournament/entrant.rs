//! An engine in a tournament: the project's own with a search preset and a reduction policy, or one that is a program of
//! its own.

use std::sync::Arc;

use lmrlab_diagnostics::Text;
use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_engine::preset::{Preset, QuietOrdering};
use lmrlab_policy::policy::Policy;
use lmrlab_policy::reference::PolicyReference;

use super::description::{EngineDescription, EngineKind};
use crate::player::uci::external::ExternalEngine;
use crate::player::uci::{HostedPolicy, UciPlayer};
use crate::player::{EnginePlayer, Player};

/// An engine that takes part.
#[derive(Debug, Clone)]
pub struct Entrant {
    /// What it is called in tables and files.
    pub name: String,
    /// What plays.
    pub engine: EntrantEngine,
}

/// What plays.
#[derive(Debug, Clone)]
pub enum EntrantEngine {
    /// The project's own engine, in this process.
    Own(OwnEngine),
    /// A program of its own.
    External {
        /// The command as it was asked for.
        command: String,
        /// The program, and how it is treated.
        engine: Arc<ExternalEngine>,
        /// The policy that it plays as a host; `None` when it plays its own scheme.
        policy: Option<HostedPolicy>,
    },
}

/// The project's own engine with what decides how it searches.
#[derive(Debug, Clone)]
pub struct OwnEngine {
    /// The preset as it was asked for: a name or a path.
    pub preset_reference: String,
    /// The search around the reductions.
    pub preset: Arc<Preset>,
    /// The policy as it was asked for: a name or a path, with overrides.
    pub policy_reference: String,
    /// When moves are reduced, and by how much.
    pub policy: Arc<Policy>,
    /// Which history orders quiet moves; `None` when the policy has none that can.
    pub ordering: Option<QuietOrdering>,
}

impl OwnEngine {
    /// An engine with a preset and a policy. The references are how the user named them. `ordering` counts when the
    /// policy has a history that can order moves.
    pub fn new(
        (preset_reference, mut preset): (&str, Preset),
        (policy_reference, policy): (&str, Policy),
        ordering: QuietOrdering,
    ) -> Self {
        preset.ordering = ordering;
        let history = policy.history().filter(|history| history.orders_moves);
        Self {
            ordering: history.map(|_| ordering),
            preset_reference: preset_reference.to_owned(),
            preset: Arc::new(preset),
            policy_reference: policy_reference.to_owned(),
            policy: Arc::new(policy),
        }
    }

    /// The policy's name with its overrides; see [`PolicyReference::name_of`].
    pub fn policy_name(&self) -> String {
        PolicyReference::shown(&self.policy_reference, &self.policy)
    }
}

impl Entrant {
    /// The description of an engine that is a program of its own; `None` for the project's own engine.
    pub fn external_engine(&self) -> Option<&ExternalEngine> {
        match &self.engine {
            EntrantEngine::External { engine, .. } => Some(engine),
            EntrantEngine::Own(_) => None,
        }
    }

    /// Sets the variant that it plays. The project's own engine plays both.
    pub fn set_variant(&mut self, variant: ChessVariant) {
        if let EntrantEngine::External { engine, .. } = &mut self.engine {
            Arc::make_mut(engine).variant = variant;
        }
    }

    /// The project's own engine; `None` for a program.
    pub fn own(&self) -> Option<&OwnEngine> {
        match &self.engine {
            EntrantEngine::Own(own) => Some(own),
            EntrantEngine::External { .. } => None,
        }
    }

    /// A player with a transposition table of `hash_mib` MiB.
    pub fn player(&self, hash_mib: u32) -> Box<dyn Player> {
        match &self.engine {
            EntrantEngine::Own(own) => Box::new(EnginePlayer::new(
                Arc::clone(&own.preset),
                Arc::clone(&own.policy),
                hash_mib,
            )),
            EntrantEngine::External { engine, policy, .. } => {
                Box::new(UciPlayer::new(Arc::clone(engine), policy.clone(), hash_mib))
            }
        }
    }

    /// The engine as a description has it, with the limit of the tournament.
    pub fn description(&self) -> EngineDescription {
        let kind = match &self.engine {
            EntrantEngine::Own(own) => EngineKind::Own {
                preset: Text::detached(&*own.preset_reference),
                policy: Text::detached(&*own.policy_reference),
                ordering: own.ordering,
            },
            EntrantEngine::External {
                command,
                engine,
                policy,
            } => EngineKind::External {
                command: Text::detached(&**command),
                policy: policy.as_ref().map(|policy| Text::detached(policy.reference())),
                compiled: policy.as_ref().map(HostedPolicy::sha256),
                dir: (engine.dir.as_ref()).map(|dir| Text::detached(dir.display().to_string())),
                engine: Box::new(ExternalEngine::clone(engine)),
            },
        };
        EngineDescription {
            name: Some(self.name.clone()),
            limit: None,
            margin: None,
            kind,
            place: 0..0,
        }
    }

    /// The policy that a program plays as a host.
    pub fn hosted_policy(&self) -> Option<&HostedPolicy> {
        match &self.engine {
            EntrantEngine::External { policy, .. } => policy.as_ref(),
            EntrantEngine::Own(_) => None,
        }
    }

    /// Whether it plays a policy, in this process or as a host.
    pub(crate) fn plays_policy(&self) -> bool {
        self.own().is_some() || self.hosted_policy().is_some()
    }

    /// The words that the user chose it with.
    pub fn reference(&self) -> String {
        match &self.engine {
            EntrantEngine::Own(own) => own.policy_reference.clone(),
            EntrantEngine::External { command, policy, .. } => match policy {
                Some(policy) => format!("{command}/{}", policy.reference()),
                None => command.clone(),
            },
        }
    }
}
