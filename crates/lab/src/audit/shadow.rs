//! The observer that samples late moves and has each searched again by another engine.

use std::sync::atomic::AtomicBool;

use lmrlab_engine::engine::Engine;
use lmrlab_engine::limits::Limits;
use lmrlab_engine::score::Score;
use lmrlab_engine::search::observer::{Decision, Events, LateMoveResult, MoveSearch, NodeEntry, NodeExit, Observer};
use lmrlab_engine::search::scout::Scout;

use super::options::AuditOptions;
use super::sample::{Predictors, Sample};
use crate::sampler::Sampler;

/// Samples late moves.
#[derive(Debug)]
pub(super) struct Shadow {
    engine: Engine,
    limits: Limits,
    sampler: Sampler,
    min_depth: u32,
    raise: i32,
    predictors: Predictors,
    position: usize,
    /// By ply: the sampled move that is being searched, and whether it has been searched once.
    open: Vec<Option<(Sample, bool)>>,
    /// By ply: sampled moves of the node that is being searched.
    unsettled: Vec<Vec<usize>>,
    samples: Vec<Sample>,
    /// Late moves that could have been sampled.
    population: u64,
}

impl Shadow {
    /// `engine` judges; `position` is the index of the position that is about to be searched.
    pub(super) fn new(engine: Engine, predictors: Predictors, position: usize, options: &AuditOptions) -> Self {
        let plies = 160;
        Self {
            engine,
            limits: Limits::nodes(options.shadow_nodes),
            sampler: Sampler::new(options.rate, options.seed, position as u64),
            min_depth: options.min_depth,
            raise: options.raise,
            predictors,
            position,
            open: vec![None; plies],
            unsettled: vec![Vec::new(); plies],
            samples: Vec::new(),
            population: 0,
        }
    }

    /// The samples, and the number of all moves that could be sampled.
    pub(super) fn finish(self) -> (Vec<Sample>, u64) {
        (self.samples, self.population)
    }
}

impl Observer for Shadow {
    fn events(&self) -> Events {
        Events::REDUCTIONS.and(Events::NODES)
    }

    fn on_decision(&mut self, decision: &Decision<'_>) {
        let Some(open) = self.open.get_mut(decision.ply as usize) else {
            return;
        };
        *open = None;
        if decision.depth < self.min_depth {
            return;
        }
        self.population += 1;
        if !self.sampler.takes_next() {
            return;
        }
        let sample = Sample {
            position: self.position,
            ply: decision.ply,
            depth: decision.depth,
            mv: decision.mv,
            after: String::new(),
            move_number: decision.move_number,
            kind: decision.kind,
            outcome: None,
            reduction: decision.reduction,
            rules: decision.rules(),
            values: self.predictors.values(decision.facts),
            failed_high: false,
            nodes: 0,
            raises: None,
            shadow_nodes: 0,
        };
        *open = Some((sample, false));
    }

    #[inline]
    fn on_move_search(&mut self, attempt: &MoveSearch) {
        if let Some(Some((sample, searched))) = self.open.get_mut(attempt.ply as usize) {
            if !std::mem::replace(searched, true) {
                sample.failed_high = attempt.score > attempt.alpha;
            }
            sample.nodes += attempt.nodes;
        }
    }

    fn on_late_move(&mut self, late: &LateMoveResult<'_>) {
        let ply = late.ply as usize;
        let Some((mut sample, _)) = self.open.get_mut(ply).and_then(Option::take) else {
            return;
        };
        let alpha = (late.alpha + self.raise).min(Score::INFINITE - 1);
        let scout = Scout {
            position: late.child,
            keys: late.keys,
            alpha,
            depth: late.full_depth,
            ply: late.ply + 1,
            iteration: late.iteration,
            expected_cut: late.expected_cut,
        };
        self.engine.new_game();
        let found = self.engine.scout(&scout, &self.limits, &AtomicBool::new(false));
        sample.raises = found.score.map(|score| score > alpha);
        sample.shadow_nodes = found.nodes;
        sample.after = late.child.to_string();
        self.unsettled[ply].push(self.samples.len());
        self.samples.push(sample);
    }

    fn on_node_entry(&mut self, node: &NodeEntry) {
        if let Some(unsettled) = self.unsettled.get_mut(node.ply as usize) {
            unsettled.clear();
        }
    }

    fn on_node_exit(&mut self, node: &NodeExit) {
        if let Some(unsettled) = self.unsettled.get_mut(node.ply as usize) {
            for index in unsettled.drain(..) {
                self.samples[index].outcome = Some(node.outcome);
            }
        }
    }
}
