//! Searches of a host, which may write a trace.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use lmrlab_diagnostics::failure::{Failure, RunFailure};
use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_engine::game::Game;
use lmrlab_host::Shadow;
use lmrlab_runner::player::uci::UciPlayer;
use lmrlab_runner::player::{ChosenMove, FaultKind, Player, Seat, Turn};
use lmrlab_runner::tournament::entrant::Entrant;

use crate::positions::LabPosition;
use crate::search::SearchLimit;

/// How long a search may take, its shadow searches included, when the engine's description does not limit it.
const PATIENCE: Duration = Duration::from_secs(3600);

/// What a host writes into a trace.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TraceOptions {
    /// The share of the late moves, from 0 to 1.
    pub rate: f64,
    /// What the shadow searches are like.
    pub shadow: Shadow,
}

/// What a host reported about the search of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Searched {
    /// Nodes; 0 when it reports none.
    pub nodes: u64,
    /// Time from the request to the answer.
    pub time: Duration,
}

/// Lets a host search positions, each as a new game. With `trace`, the host writes a trace to this path. `stop` ends
/// the searches.
///
/// # Errors
/// When the engine does not answer, or answers with an illegal move, and when `stop` ended the searches.
pub fn search_hosted(
    host: &Entrant,
    hash_mib: u32,
    positions: &[LabPosition],
    limit: SearchLimit,
    trace: Option<(TraceOptions, &Path)>,
    stop: &AtomicBool,
) -> Result<Vec<Searched>, Failure> {
    let mut engine = (host.external_engine().cloned()).ok_or_else(|| Failure::input("a host is a program", ""))?;
    engine.deadlines.answer = engine.deadlines.answer.or(Some(PATIENCE));
    let needs_chess960 = |position: &LabPosition| ChessVariant::of(position.position.board()) == ChessVariant::Chess960;
    if positions.iter().any(needs_chess960) {
        engine.variant = ChessVariant::Chess960;
    }
    if let Some((options, path)) = trace {
        engine.env.push(("LmrPosition".to_owned(), "1".to_owned()));
        engine.options.extend([
            ("LmrTraceRate".to_owned(), options.rate.to_string()),
            ("LmrShadow".to_owned(), options.shadow.name().to_owned()),
            ("LmrTrace".to_owned(), path.display().to_string()),
        ]);
    }
    let mut player = UciPlayer::new(Arc::new(engine), host.hosted_policy().cloned(), hash_mib);
    let mut search = |(number, position): (u64, &LabPosition)| {
        let seat = Seat {
            game: number,
            engine: &host.name,
            log: None,
        };
        let turn = Turn {
            game: &Game::new(position.position.clone()),
            limits: limit.limits(),
            opponent_clock: None,
            flag: None,
            stop,
        };
        let fault = match player.new_game(seat, stop).and_then(|()| player.choose(turn)) {
            Ok(ChosenMove { nodes, time, .. }) => return Ok(Searched { nodes, time }),
            Err(fault) => fault,
        };
        Err(match fault.kind {
            _ if stop.load(Ordering::SeqCst) => Failure::Interrupted,
            FaultKind::Machine => Failure::Run(RunFailure::Machine {
                engine: format!("the engine `{}`", host.name),
                what: fault.what,
            }),
            _ => Failure::run(format!(
                "the engine `{}` {} when it searched {}",
                host.name, fault.what, position.name
            )),
        })
    };
    (1..).zip(positions).map(&mut search).collect()
}
