//! Decisions of real searches, with all facts.

use cozy_chess::Move;
use lmrlab_engine::preset::Preset;
use lmrlab_engine::search::observer::{Decision, MoveSearch};
use lmrlab_policy::facts::{CATALOGUE, Fact, Kind};

/// A decision about a move.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) ply: usize,
    pub(crate) mv: Move,
    pub(crate) reduction: i32,
    /// By fact; 1 or 0 of a boolean.
    values: Vec<f64>,
    /// The searches of the move.
    pub(crate) attempts: Vec<MoveSearch>,
}

impl Seen {
    pub(crate) fn new(decision: &Decision<'_>) -> Self {
        let facts = decision.facts;
        let value = |fact: Fact| match fact.info().kind {
            _ if fact.is_flag() => f64::from(u8::from(facts.flags().has(fact))),
            Kind::Boolean => f64::from(u8::from(facts.boolean(fact))),
            Kind::Number => facts.number(fact),
        };
        Self {
            ply: decision.ply as usize,
            mv: decision.mv,
            reduction: decision.reduction,
            values: CATALOGUE.iter().map(|info| value(info.fact)).collect(),
            attempts: Vec::new(),
        }
    }

    pub(crate) fn is(&self, fact: Fact) -> bool {
        self.of(fact) != 0.0
    }

    pub(crate) fn of(&self, fact: Fact) -> f64 {
        self.values[fact as usize]
    }

    /// The facts that are not 0.
    pub(crate) fn tells(&self) -> String {
        let facts = CATALOGUE.iter().filter(|info| self.is(info.fact));
        let facts = facts.map(|info| format!("{}={}", info.name, self.of(info.fact)));
        facts.collect::<Vec<_>>().join(" ")
    }
}

/// The standard search without whatever leaves moves out, changes depths, learns corrections, or brings checks forward so that none
/// is late. Every node is searched to its nominal depth, and every move of every node. So each condition of a scheme meets moves of
/// each kind, and facts can be computed again from the line alone.
pub(crate) fn plain_search() -> Preset {
    let mut preset = Preset::default();
    for feature in [
        "correction_history",
        "reverse_futility",
        "futility",
        "late_move_pruning",
        "history_pruning",
        "see_pruning",
        "singular_extension",
        "null_move_verification_depth",
        "threat_ordering",
        "check_ordering",
    ] {
        preset.parameters.set(feature, 0).unwrap();
    }
    preset
}
