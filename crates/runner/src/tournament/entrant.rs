//! An engine in a tournament: the project's own with a search preset and a reduction policy, or one that is a program of
//! its own.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use lmrlab_diagnostics::Diagnostics;
use lmrlab_engine::preset::Preset;
use lmrlab_policy::policy::Policy;
use lmrlab_policy::reference::PolicyReference;

use crate::game::limit::{Limit, Terms};
use crate::player::uci::UciPlayer;
use crate::player::uci::external::ExternalEngine;
use crate::player::{EnginePlayer, Player};

/// An engine that takes part.
#[derive(Debug, Clone)]
pub struct Entrant {
    /// What it is called in tables and files.
    pub name: String,
    /// What plays.
    pub engine: EntrantEngine,
    /// What it may spend, when that is not what all others may.
    pub limit: Option<Limit>,
    /// How late it may be, when that is not what all others may.
    pub margin: Option<Duration>,
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
    },
}

/// The project's own engine with what decides how it searches.
#[derive(Debug, Clone)]
pub struct OwnEngine {
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
    /// What is told to an engine that is a program of its own; nothing for the project's own engine.
    pub fn external_engine(&self) -> Option<&ExternalEngine> {
        match &self.engine {
            EntrantEngine::External { engine, .. } => Some(engine),
            EntrantEngine::Own(_) => None,
        }
    }

    /// Reads the preset and the policy of the project's own engine; `name` is the policy's when there is none. Comes with
    /// their warnings.
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
                    engine: EntrantEngine::Own(OwnEngine {
                        preset_reference: preset_reference.to_owned(),
                        preset: Arc::new(preset),
                        policy_reference: policy_reference.to_owned(),
                        policy: Arc::new(policy),
                    }),
                    limit: None,
                    margin: None,
                },
                vec![preset_warnings, policy_warnings],
            )),
            (preset, policy) => Err(Unusable {
                preset: preset.err().map(Box::new),
                policy: policy.err().map(Box::new),
            }),
        }
    }

    /// A program of its own; `name` is that of the program when there is none.
    pub fn external(name: Option<&str>, command: &str, engine: ExternalEngine) -> Self {
        let program = || {
            engine
                .program
                .file_stem()
                .map_or_else(|| command.into(), |stem| stem.to_string_lossy())
                .into_owned()
        };
        Self {
            name: name.map_or_else(program, str::to_owned),
            engine: EntrantEngine::External {
                command: command.to_owned(),
                engine: Arc::new(engine),
            },
            limit: None,
            margin: None,
        }
    }

    /// A player with a transposition table of so many MiB.
    pub fn player(&self, hash_mib: u32) -> Box<dyn Player> {
        match &self.engine {
            EntrantEngine::Own(own) => Box::new(EnginePlayer::new(
                Arc::clone(&own.preset),
                Arc::clone(&own.policy),
                hash_mib,
            )),
            EntrantEngine::External { engine, .. } => {
                Box::new(UciPlayer::new(Arc::clone(engine), hash_mib))
            }
        }
    }

    /// What it may spend, when these are the terms of the tournament.
    pub fn terms(&self, common: Terms) -> Terms {
        let limit = self.limit.unwrap_or(common.limit);
        let margin = match (self.margin, self.limit) {
            (Some(margin), _) => margin,
            (None, Some(limit)) => limit.default_margin(),
            (None, None) => common.margin,
        };
        Terms { limit, margin }
    }

    /// The words that the user chose it with.
    pub fn reference(&self) -> &str {
        match &self.engine {
            EntrantEngine::Own(own) => &own.policy_reference,
            EntrantEngine::External { command, .. } => command,
        }
    }
}

/// The program that a command means: a path when it has a `/`, starting from `root`; otherwise a name that is looked up
/// as a shell does. `None` when there is no such program.
pub fn find_program(command: &str, root: &Path) -> Option<PathBuf> {
    let is_program = |path: &Path| {
        let metadata = std::fs::metadata(path);
        metadata.is_ok_and(|metadata| metadata.is_file() && may_be_executed(&metadata))
    };
    let candidate = if command.contains('/') {
        std::path::absolute(root.join(command)).ok()
    } else {
        let folders = std::env::var_os("PATH")?;
        std::env::split_paths(&folders)
            .map(|folder| folder.join(command))
            .find(|path| is_program(path))
            .and_then(|path| std::path::absolute(path).ok())
    };
    candidate.filter(|path| is_program(path))
}

fn may_be_executed(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o111 != 0
}

/// Why an engine cannot take part; at least one of the two is there.
#[derive(Debug)]
pub struct Unusable {
    /// What is wrong with the preset.
    pub preset: Option<Box<Diagnostics>>,
    /// What is wrong with the policy.
    pub policy: Option<Box<Diagnostics>>,
}
