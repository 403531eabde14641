//! Searches of a host that write a trace.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use lmrlab_engine::game::Game;
use lmrlab_host::Shadow;
use lmrlab_runner::failure::{Failure, RunFailure};
use lmrlab_runner::player::uci::external::ExternalEngine;
use lmrlab_runner::player::uci::{HostedPolicy, UciPlayer};
use lmrlab_runner::player::{FaultKind, Player, Turn};

use crate::positions::LabPosition;
use crate::search::SearchLimit;

/// How long a search may take, its shadow searches included, when the engine's words do not say it.
const PATIENCE: Duration = Duration::from_secs(3600);

/// What a host writes into a trace.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TraceOptions {
    /// The share of the late moves, from 0 to 1.
    pub rate: f64,
    /// What the shadow searches are like.
    pub shadow: Shadow,
}

/// What a host reported about its searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Searched {
    /// Nodes, as the engine reports them with its moves.
    pub nodes: u64,
    /// Positions that were searched.
    pub positions: usize,
}

/// Lets a host search positions, each as a new game, and write what it did into a trace at `path`. The host plays `policy`, or its own scheme. Its table has
/// `hash_mib` MiB. `stop` ends the searches.
///
/// # Errors
/// When the engine does not answer, or answers with no legal move.
#[allow(
    clippy::too_many_arguments,
    reason = "an engine, what it searches, and what it writes"
)]
pub fn search_traced(
    name: &str,
    engine: &ExternalEngine,
    policy: Option<&HostedPolicy>,
    hash_mib: u32,
    positions: &[LabPosition],
    limit: SearchLimit,
    options: TraceOptions,
    path: &Path,
    stop: &AtomicBool,
) -> Result<Searched, Failure> {
    let mut engine = engine.clone();
    engine.deadlines.answer = engine.deadlines.answer.or(Some(PATIENCE));
    engine.env.push(("LmrPosition".to_owned(), "1".to_owned()));
    engine.options.extend([
        ("LmrTraceRate".to_owned(), options.rate.to_string()),
        ("LmrShadow".to_owned(), options.shadow.name().to_owned()),
        ("LmrTrace".to_owned(), path.display().to_string()),
    ]);
    let mut player = UciPlayer::new(Arc::new(engine), policy.cloned(), hash_mib);
    let mut searched = Searched::default();
    for position in positions {
        let game = Game::new(position.position.clone());
        let turn = Turn {
            game: &game,
            limits: limit.limits(),
            opponent_clock: None,
            flag: None,
            stop,
        };
        let chosen = player.new_game(stop).and_then(|()| player.choose(turn));
        match chosen {
            Ok(chosen) => {
                searched.nodes += chosen.nodes;
                searched.positions += 1;
            }
            Err(_) if stop.load(std::sync::atomic::Ordering::SeqCst) => return Err(Failure::Run(RunFailure::Stopped)),
            Err(fault) if fault.kind == FaultKind::Machine => {
                return Err(Failure::Run(RunFailure::Machine {
                    engine: format!("the engine `{name}`"),
                    what: fault.what,
                }));
            }
            Err(fault) => {
                return Err(Failure::run(format!(
                    "the engine `{name}` {} when it searched {}",
                    fault.what, position.name
                )));
            }
        }
    }
    Ok(searched)
}
