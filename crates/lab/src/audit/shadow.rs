//! The observer that samples late moves and asks for a shadow search of each.

use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_engine::search::observer::{
    Decision, Events, LateMoveResult, MoveSearch, NodeEntry, NodeExit, Observer, ShadowResult, ShadowSearch,
};

use super::options::{AuditOptions, Judge};
use super::sample::{Sample, values};
use crate::named_fact::NamedFact;
use crate::node_kinds::kind_name;
use crate::sampler::Sampler;
use lmrlab_results::rows::audit::AuditSample;

/// Samples late moves.
#[derive(Debug)]
pub(super) struct Shadow {
    wanted: ShadowSearch,
    sampler: Sampler,
    facts: Vec<NamedFact>,
    position: usize,
    /// By ply: the sampled move that is being searched.
    open: Vec<Option<Open>>,
    /// By ply: sampled moves of the node that is being searched.
    unsettled: Vec<Vec<usize>>,
    samples: Vec<Sample>,
    /// Late moves that could have been sampled.
    population: u64,
}

/// A sampled move that is being searched.
#[derive(Debug, Clone)]
struct Open {
    sample: Sample,
    searched_once: bool,
}

impl Shadow {
    /// `position` is the index of the position that is about to be searched.
    pub(super) fn new(facts: Vec<NamedFact>, position: usize, options: &AuditOptions) -> Self {
        let plies = 160;
        Self {
            wanted: ShadowSearch {
                node_limit: options.shadow_nodes,
                reduces: options.judge == Judge::Policy,
            },
            sampler: Sampler::new(options.shares.clone(), options.seed, position as u64),
            facts,
            position,
            open: vec![None; plies],
            unsettled: vec![Vec::new(); plies],
            samples: Vec::new(),
            population: 0,
        }
    }

    /// The samples in the order of the late moves, and the number of all moves that could be sampled.
    pub(super) fn finish(mut self) -> (Vec<Sample>, u64) {
        self.samples.sort_by_key(|sample| sample.late_move);
        (self.samples, self.population)
    }

    fn open(&mut self, ply: u32) -> Option<&mut Open> {
        self.open.get_mut(ply as usize)?.as_mut()
    }
}

impl Observer for Shadow {
    fn events(&self) -> Events {
        Events::REDUCTIONS.and(Events::NODES).and(Events::FACTS)
    }

    fn on_decision(&mut self, decision: &Decision<'_>) {
        let Some(open) = self.open.get_mut(decision.ply as usize) else {
            return;
        };
        *open = None;
        self.population += 1;
        if !self.sampler.takes_next() {
            return;
        }
        let board = decision.position.board();
        let row = AuditSample {
            ply: decision.ply,
            depth: decision.depth,
            move_number: decision.move_number,
            r#move: ChessVariant::of(board).uci_move(board, decision.mv),
            expected: kind_name(decision.kind).to_owned(),
            reduction: decision.reduction,
            ..AuditSample::default()
        };
        let sample = Sample {
            row,
            position: self.position,
            late_move: self.population - 1,
            rules: decision.rules(),
            values: values(&self.facts, decision.facts),
        };
        *open = Some(Open {
            sample,
            searched_once: false,
        });
    }

    fn wants_shadow(&mut self, ply: u32) -> Option<ShadowSearch> {
        let wanted = self.wanted;
        self.open(ply).map(|_| wanted)
    }

    fn on_shadow(&mut self, result: &ShadowResult) {
        if let Some(open) = self.open(result.ply) {
            open.sample.row.shadow_raises = result.raises.map(u8::from);
            open.sample.row.shadow_nodes = result.nodes;
        }
    }

    #[inline]
    fn on_move_search(&mut self, attempt: &MoveSearch) {
        if let Some(open) = self.open(attempt.ply) {
            if !std::mem::replace(&mut open.searched_once, true) {
                open.sample.row.failed_high = u8::from(attempt.score > attempt.alpha);
            }
            open.sample.row.nodes += attempt.nodes;
        }
    }

    fn on_late_move(&mut self, late: &LateMoveResult<'_>) {
        let ply = late.ply as usize;
        if let Some(Open { mut sample, .. }) = self.open.get_mut(ply).and_then(Option::take) {
            sample.row.fen_after = late.child.to_string();
            self.unsettled[ply].push(self.samples.len());
            self.samples.push(sample);
        }
    }

    fn on_node_entry(&mut self, node: &NodeEntry) {
        if let Some(unsettled) = self.unsettled.get_mut(node.ply as usize) {
            unsettled.clear();
        }
    }

    fn on_node_exit(&mut self, node: &NodeExit) {
        if let Some(unsettled) = self.unsettled.get_mut(node.ply as usize) {
            for index in unsettled.drain(..) {
                kind_name(node.outcome).clone_into(&mut self.samples[index].row.outcome);
            }
        }
    }
}
