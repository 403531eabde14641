//! What a policy would have done on the moves of a file of curves.

use lmrlab_engine::search::observer::NodeKind;
use lmrlab_policy::Policy;
use lmrlab_stats::Resamples;
use rayon::prelude::*;

use super::curve::Curve;
use super::curve_facts::{FactColumns, column};
use super::file::CurveFile;
use crate::named_fact::NamedFact;
use crate::node_kinds::KINDS;

/// Sums over moves. Each move counts with its weight: as often as the search has moves like it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tally {
    /// Curves.
    pub curves: u64,
    /// Moves that the curves stand for.
    pub moves: f64,
    /// Of these, those that raise alpha at full depth.
    pub raising: f64,
    /// Of the raising moves, those that do not raise alpha with the policy's reduction. A reduction beyond the curve
    /// counts as a miss, too.
    pub missed: f64,
    /// The missed moves, each with the nodes of its search at full depth.
    pub missed_nodes: f64,
    /// Moves that fail low at full depth, with a first search that raises alpha.
    pub false_alarms: f64,
    /// Nodes of all searches of the moves, with the policy's reductions.
    pub nodes: f64,
    /// Nodes of the searches at full depth.
    pub full_nodes: f64,
    /// Moves with a reduction that the curves do not know: the nearest one stands in.
    pub unknown: f64,
}

impl Tally {
    /// Nodes with the policy, as a share of those without any reduction.
    pub fn nodes_share(&self) -> Option<f64> {
        share(self.nodes, self.full_nodes)
    }

    /// Missed moves as a share of those that raise alpha.
    pub fn missed_share(&self) -> Option<f64> {
        share(self.missed, self.raising)
    }

    /// The nodes of missed moves at full depth, as a share of those of all moves.
    pub fn missed_nodes_share(&self) -> Option<f64> {
        share(self.missed_nodes, self.full_nodes)
    }

    /// False alarms as a share of the moves that fail low at full depth.
    pub fn false_alarm_share(&self) -> Option<f64> {
        share(self.false_alarms, self.moves - self.raising)
    }

    fn add(&mut self, curve: &Curve, reduction: i32) {
        let (full, point) = (curve.full(), curve.point(reduction));
        let weight_if = |condition: bool| if condition { curve.weight } else { 0.0 };
        let missed = weight_if(curve.misses(reduction));
        self.curves += 1;
        self.moves += curve.weight;
        self.raising += weight_if(full.raises);
        self.missed += missed;
        self.missed_nodes += missed * full.nodes as f64;
        self.false_alarms += weight_if(!full.raises && point.first_raises);
        self.nodes += curve.weight * point.nodes as f64;
        self.full_nodes += curve.weight * full.nodes as f64;
        self.unknown += weight_if(!curve.knows(reduction));
    }

    fn add_times(&mut self, other: &Self, times: u32) {
        self.curves += u64::from(times) * other.curves;
        let times = f64::from(times);
        self.moves += times * other.moves;
        self.raising += times * other.raising;
        self.missed += times * other.missed;
        self.missed_nodes += times * other.missed_nodes;
        self.false_alarms += times * other.false_alarms;
        self.nodes += times * other.nodes;
        self.full_nodes += times * other.full_nodes;
        self.unknown += times * other.unknown;
    }
}

fn share(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

/// What a policy would have done.
#[derive(Debug, Clone, PartialEq)]
pub struct Score {
    /// All moves of each position, by the kind of their node in the order of [`Score::KINDS`].
    by_position: Vec<[Tally; KINDS.len()]>,
    /// The facts that the policy reads and the file does not have: they count as false or 0.
    pub lacking: Vec<NamedFact>,
}

impl Score {
    /// The kinds of nodes, in the order of tables.
    pub const KINDS: [NodeKind; KINDS.len()] = KINDS;

    /// The sums over all positions: of the nodes of a kind, or of all.
    pub fn total(&self, kind: Option<NodeKind>) -> Tally {
        self.sum(&vec![1; self.by_position.len()], kind)
    }

    /// Resampled sets of the positions, for intervals.
    pub fn resamples(&self, count: usize, seed: u64) -> Resamples {
        Resamples::new(self.by_position.len(), count, seed)
    }

    /// The sums over a set of positions. `times` says how often each position counts.
    pub fn sum(&self, times: &[u32], kind: Option<NodeKind>) -> Tally {
        let mut sum = Tally::default();
        for (kinds, times) in self.by_position.iter().zip(times).filter(|(_, times)| **times > 0) {
            for (tally, of) in kinds.iter().zip(KINDS) {
                if kind.is_none_or(|kind| kind == of) {
                    sum.add_times(tally, *times);
                }
            }
        }
        sum
    }
}

/// What a policy would have done on the moves of a file.
pub fn score(policy: &Policy, file: &CurveFile) -> Score {
    let columns = FactColumns::of(file, policy);
    let by_position: Vec<&[Curve]> = file.curves.chunk_by(|one, two| one.position == two.position).collect();
    let tallies = by_position.par_iter().map(|curves| {
        let mut kinds = [Tally::default(); KINDS.len()];
        for curve in *curves {
            let reduction = policy.reduction(&columns.facts(curve));
            if let Some(place) = KINDS.iter().position(|kind| *kind == curve.kind) {
                kinds[place].add(curve, reduction);
            }
        }
        kinds
    });
    Score {
        by_position: tallies.collect(),
        lacking: lacking(policy, file, &columns),
    }
}

/// The facts about late moves that the policy reads and the file does not have.
fn lacking(policy: &Policy, file: &CurveFile, columns: &FactColumns) -> Vec<NamedFact> {
    let needs = policy.needs();
    let about_moves = needs
        .iter()
        .filter(|fact| !fact.is_of_research() && !fact.is_of_rules());
    let known = about_moves.filter(|fact| !columns.has(*fact)).map(NamedFact::Known);
    let own = policy.own_facts().filter(|own| own.is_read);
    let own = own.map(|own| NamedFact::own(own.name, own.kind));
    known.chain(own.filter(|own| column(file, own).is_none())).collect()
}
