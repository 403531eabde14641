//! The trace of a check: its moves with their positions, and their facts by name.

use std::fs;
use std::io;
use std::path::Path;

use cozy_chess::util::parse_uci_move;
use cozy_chess::{Move, Piece};
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
    /// The number of the move in its node, from 1 on; `None` when the engine fills neither fact.
    pub(super) number: Option<f64>,
    /// Whether the node has a null window; `None` when the engine does not say.
    pub(super) is_null: Option<bool>,
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
            number: None,
            is_null: None,
        });
        let mut trace = Self {
            moves: moves.collect(),
            places: FactPlaces::of(&read.header),
            unreadable,
        };
        trace.derive();
        Ok(trace)
    }

    /// Fills what follows from several facts.
    fn derive(&mut self) {
        let (places, moves) = (&self.places, &mut self.moves);
        let value = |of: &TracedMove, fact| places.facts(&of.record).known(fact);
        let widths = moves.iter().filter_map(|of| value(of, Fact::Window));
        // A null window is the least one.
        let null = widths.filter(|width| *width > 0.0).min_by(f64::total_cmp);
        for of in moves {
            let searched = value(of, Fact::MovesSearched).map(|searched| searched + 1.0);
            of.number = searched.or_else(|| value(of, Fact::MoveNumber));
            of.is_null = match (value(of, Fact::Window), null) {
                (Some(window), Some(null)) => Some(window <= 1.5 * null),
                _ => value(of, Fact::Pv).map(|pv| pv == 0.0),
            };
        }
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
    /// The depth of the move without its reduction.
    pub(super) fn full(&self) -> f64 {
        f64::from(self.record.full_depth)
    }

    pub(super) fn reduction(&self) -> f64 {
        f64::from(self.record.reduction)
    }

    /// Whether the move is searched once.
    pub(super) fn is_once(&self) -> bool {
        !self.record.failed_high
    }

    /// Whether the move is searched once, is not late and has no reduction.
    pub(super) fn is_plain(&self) -> bool {
        self.is_once() && self.record.reduction == 0 && !self.record.late
    }

    /// Whether a node of this depth below the move is one of its searches. Others of the same position, such as that of a singular
    /// extension, have other depths and windows.
    pub(super) fn searches(&self, depth: f64) -> bool {
        depth == self.full() - self.reduction() || (self.record.failed_high && depth == self.full())
    }

    /// Whether the move is the one that follows in its node.
    pub(super) fn is_after(&self, one: &Self) -> bool {
        matches!((one.number, self.number), (Some(one), Some(number)) if number == one + 1.0)
    }

    /// The piece that the move captures.
    pub(super) fn captured(&self) -> Option<Piece> {
        let seen = self.seen.as_ref()?;
        seen.position.captured(seen.mv)
    }

    /// Whether the side to move is in check.
    pub(super) fn in_check(&self) -> bool {
        self.seen.as_ref().is_some_and(|seen| seen.position.in_check())
    }

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
