//! Faults: failures of a player that lose it the game.

use std::time::Duration;

use lmrlab_results::game_end::Termination;

/// The kind of a [`Fault`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// The player named no move although it has legal ones.
    NoMove,
    /// The player's move is illegal.
    IllegalMove,
    /// The answer came too late.
    Late,
    /// The player's process exited or closed its output.
    Crash,
    /// No answer came before the deadline.
    Stall,
    /// The machine has no files, processes or memory left for the player: no fault of the player. The run ends with an
    /// error, and the game has no result.
    Machine,
    /// The run was stopped: the game has no result.
    Stopped,
}

impl From<FaultKind> for Termination {
    fn from(kind: FaultKind) -> Self {
        match kind {
            FaultKind::NoMove => Self::NoMove,
            FaultKind::IllegalMove => Self::IllegalMove,
            FaultKind::Late => Self::TimeForfeit,
            // A failure of the machine never reaches a result.
            FaultKind::Crash | FaultKind::Machine => Self::Crash,
            FaultKind::Stall | FaultKind::Stopped => Self::Stall,
        }
    }
}

/// A player's failure to answer with a legal move in time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct Fault {
    /// The kind.
    pub kind: FaultKind,
    /// What happened, as the rest of a sentence that begins with the player's name: `was killed by signal 11`.
    pub what: String,
}

impl Fault {
    /// A fault of this kind.
    pub fn new(kind: FaultKind, what: impl Into<String>) -> Self {
        Self {
            kind,
            what: what.into(),
        }
    }

    /// The player named no move.
    pub fn no_move() -> Self {
        Self::new(FaultKind::NoMove, "chose no move")
    }

    /// The player chose this illegal move.
    pub fn illegal_move(mv: &str) -> Self {
        Self::new(FaultKind::IllegalMove, format!("chose the illegal move `{mv}`"))
    }

    /// The player took longer than the time that it was allowed.
    pub fn late(taken: Duration, allowed: Duration) -> Self {
        Self::new(
            FaultKind::Late,
            format!("took {} ms and had {} ms", taken.as_millis(), allowed.as_millis()),
        )
    }
}
