//! A trace in memory: its moves, each with its shadow searches.

use std::collections::{BTreeSet, HashMap};
use std::io::Read;
use std::path::Path;

use cozy_chess::Move;
use lmrlab_diagnostics::Files;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_engine::position::Position;
use lmrlab_host::trace::{MoveResult, Record, RecordKind, TraceError, TraceHeader, TraceReader};
use lmrlab_policy::Policy;
use lmrlab_policy::reference::PolicyReference;
use lmrlab_results::outcome::notation::legal;
use lmrlab_results::text_file::open_file;

use crate::variant::Variant;

/// A late move of a host.
#[derive(Debug, Clone)]
pub struct TracedMove {
    /// The engine's own search of the move.
    pub record: Record,
    /// What became of it, by its last search.
    pub outcome: MoveResult,
    /// The shadow search: whether it raises alpha (`None` when it did not end), and its nodes. `None` without a shadow
    /// search.
    pub shadow: Option<(Option<bool>, u64)>,
}

/// A trace: a sample of the late moves of some searches of a host.
#[derive(Debug, Clone)]
pub struct HostTrace {
    /// The engine, the policy, and what the records hold.
    pub header: TraceHeader,
    /// What tables call it, and the policy that names the rules that applied; `none` when it is not known.
    pub variant: Variant,
    /// Nodes of the searches, when they are known.
    pub nodes: Option<u64>,
    /// The moves, in the order in which the engine finished them.
    pub moves: Vec<TracedMove>,
    /// The numbers of the searches with a record, in their order.
    pub searches: BTreeSet<u32>,
    /// The bytes at the end of the file that are a part of a record.
    pub cut_bytes: usize,
}

impl HostTrace {
    /// Reads a trace. A record at its end that was written in part is left out.
    ///
    /// # Errors
    /// When the file cannot be read, is no trace, or is damaged.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let wrong = |what: &dyn std::fmt::Display| {
            Failure::input(
                format!("cannot read the trace `{}`: {what}", path.display()),
                "a trace is what an engine with lmrlab.h writes to the file of its option LmrTrace",
            )
        };
        let file = open_file(path).map_err(|error| wrong(&error))?;
        Self::read_from(file).map_err(|error| wrong(&error))
    }

    /// Reads a trace from an open file.
    ///
    /// # Errors
    /// When it is no trace, or is damaged.
    pub(crate) fn read_from(file: impl Read) -> Result<Self, TraceError> {
        let mut reader = TraceReader::new(file)?;
        let mut shadows = HashMap::new();
        let mut moves = Vec::new();
        let mut searches = BTreeSet::new();
        for record in &mut reader {
            let record = record?;
            searches.insert(record.search);
            match record.kind {
                RecordKind::Shadow(raises) => {
                    shadows.insert((record.search, record.id), (raises, u64::from(record.nodes)));
                }
                RecordKind::Move(outcome) => moves.push((record, outcome)),
            }
        }
        let moves = moves.into_iter().map(|(record, outcome)| TracedMove {
            shadow: shadows.remove(&(record.search, record.id)),
            record,
            outcome,
        });
        Ok(Self {
            moves: moves.collect(),
            searches,
            cut_bytes: reader.cut_bytes(),
            variant: Variant::new(name(reader.header()), Policy::none()),
            nodes: None,
            header: reader.header().clone(),
        })
    }

    /// The policy of the trace, looked up in the project of `folder`: it must have the same name and the same hash.
    /// `None` when there is no such policy, or when the engine reduced by its own scheme.
    pub fn policy(&self, folder: &Path) -> Option<Policy> {
        let traced = self.header.policy.as_ref()?;
        let named = |reference: &str| {
            let reference: PolicyReference = reference.parse().ok()?;
            reference
                .resolve_for_host(&Files::on_disk(), folder)
                .ok()
                .map(|(policy, _)| policy)
        };
        let policy = named(&traced.name).filter(|policy| policy.hash() == traced.hash)?;
        match traced.changes.as_str() {
            "" => Some(policy),
            changes => named(&format!("{}@{changes}", traced.name)),
        }
    }

    /// The late moves that the sample was drawn from: an estimate from the rate.
    pub fn population(&self) -> u64 {
        match self.header.rate {
            rate if rate > 0.0 => (self.moves.len() as f64 / rate).round() as u64,
            _ => self.moves.len() as u64,
        }
    }
}

/// The engine's name and that of its policy.
fn name(header: &TraceHeader) -> String {
    match &header.policy {
        None => format!("{}/own", header.engine),
        Some(policy) if policy.changes.is_empty() => format!("{}/{}", header.engine, policy.name),
        Some(policy) => format!("{}/{}@{}", header.engine, policy.name, policy.changes),
    }
}

/// A position before and after a move.
pub(crate) struct Seen {
    pub(crate) position: Position,
    pub(crate) after: Position,
    pub(crate) mv: Move,
}

/// The position of a record, and its move.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn seen(record: &Record) -> Result<Seen, String> {
    let Some(traced) = &record.position else {
        return Err("a move has no position".to_owned());
    };
    let position = Position::from_fen(&traced.fen).map_err(|error| format!("`{}`: {error}", traced.fen))?;
    let mv = legal(position.board(), &traced.uci_move)
        .ok_or_else(|| format!("`{}` is no legal move in {}", traced.uci_move, traced.fen))?;
    Ok(Seen {
        after: position.after(mv),
        position,
        mv,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A trace of moves in the searches with these numbers.
    fn trace(searches: &[u32]) -> Vec<u8> {
        let mut bytes = b"lmrlab-trace 1\nengine a\npolicy -\nunits lmrlab\nrate 1\nshadow policy\nflags root\n\
                          numbers depth\nposition 0\nrecord 48\nend\n"
            .to_vec();
        for search in searches {
            bytes.extend([b'D', 1, 0, 0, 0, 0, 8, 0]);
            for number in [*search, 10, 20, 0] {
                bytes.extend(number.to_le_bytes());
            }
            bytes.extend([0; 16]);
            bytes.extend(8.0_f64.to_le_bytes());
        }
        bytes
    }

    #[test]
    fn searches_are_counted_and_their_numbers_not_believed() {
        let trace = HostTrace::read_from(trace(&[1, u32::MAX, 1, 7]).as_slice()).unwrap();
        let audit = trace.audit();
        let names: Vec<&str> = audit.positions.iter().map(|[name, _]| name.as_str()).collect();
        assert_eq!(names, ["#1", "#7", "#4294967295"]);
        let places: Vec<usize> = audit.samples.iter().map(|sample| sample.position).collect();
        assert_eq!(places, [0, 2, 0, 1]);
    }
}
