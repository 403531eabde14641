//! The trace of a check: its moves with their positions, and their facts by name.

use std::fs;
use std::io;
use std::path::Path;

use cozy_chess::Move;
use cozy_chess::util::parse_uci_move;
use lmrlab_engine::position::Position;
use lmrlab_host::Outcome;
use lmrlab_host::trace::{Record, TraceError};
use lmrlab_policy::facts::Fact;

use crate::host::facts::{FactPlaces, TracedFacts};
use crate::host::{HostTrace, move_name};

pub(super) struct Trace {
    pub(super) moves: Vec<TracedMove>,
    /// What was wrong with positions and moves of the trace: the first, and their number.
    pub(super) unreadable: Option<(String, usize)>,
    places: FactPlaces,
}

pub(super) struct TracedMove {
    pub(super) record: Record,
    pub(super) outcome: Outcome,
    /// The shadow search: whether it raises alpha, and its nodes.
    pub(super) shadow: Option<(Option<bool>, u64)>,
    /// The position; `None` when the trace does not have it, or when it is not a legal one.
    pub(super) seen: Option<Seen>,
}

/// A position before and after a move.
pub(super) struct Seen {
    pub(super) position: Position,
    pub(super) after: Position,
    pub(super) mv: Move,
}

impl Trace {
    /// Reads a trace.
    ///
    /// # Errors
    /// When the file cannot be read, or is no trace.
    #[allow(
        clippy::disallowed_methods,
        reason = "a file that the check itself asked for, and no input"
    )]
    pub(super) fn read(path: &Path) -> Result<Self, TraceError> {
        let read = HostTrace::read_from(fs::File::open(path)?)?;
        if read.cut_bytes > 0 {
            return Err(io::Error::other("its last record is cut").into());
        }
        let mut unreadable: Option<(String, usize)> = None;
        let mut seen_in = |record: &Record| match seen(record) {
            Ok(seen) => Some(seen),
            Err(what) => {
                unreadable.get_or_insert((what, 0)).1 += 1;
                None
            }
        };
        let moves = read.moves.into_iter().map(|of| TracedMove {
            seen: (read.header.has_positions.then(|| seen_in(&of.record))).flatten(),
            record: of.record,
            outcome: of.outcome,
            shadow: of.shadow,
        });
        Ok(Self {
            moves: moves.collect(),
            places: FactPlaces::of(&read.header),
            unreadable,
        })
    }

    /// The facts of the catalogue that the trace has.
    pub(super) fn facts(&self) -> impl Iterator<Item = Fact> {
        self.places.known()
    }

    pub(super) fn facts_of<'t>(&'t self, of: &'t TracedMove) -> TracedFacts<'t> {
        self.places.facts(&of.record)
    }

    /// The value of a fact; a boolean is 0 or 1. `None` when the engine does not fill it.
    pub(super) fn value(&self, of: &TracedMove, fact: Fact) -> Option<f64> {
        self.facts_of(of).known(fact)
    }

    /// Whether a boolean is set; `None` when the engine does not fill it.
    pub(super) fn is(&self, of: &TracedMove, fact: Fact) -> Option<bool> {
        self.value(of, fact).map(|value| value != 0.0)
    }
}

impl TracedMove {
    /// The move and its position, for a message.
    pub(super) fn name(&self) -> String {
        move_name(&self.record)
    }
}

/// The position of a record.
///
/// # Errors
/// What is wrong with it.
fn seen(record: &Record) -> Result<Seen, String> {
    let Some(traced) = &record.position else {
        return Err("a move has no position".to_owned());
    };
    let position = Position::from_fen(&traced.fen).map_err(|error| format!("`{}`: {error}", traced.fen))?;
    let mv = parse_uci_move(position.board(), &traced.uci_move).ok();
    let mv = mv.filter(|mv| position.board().is_legal(*mv));
    let mv = mv.ok_or_else(|| format!("`{}` is no legal move in {}", traced.uci_move, traced.fen))?;
    Ok(Seen {
        after: position.after(mv),
        position,
        mv,
    })
}
