//! The observer that samples moves and asks for a shadow search with each reduction.

use lmrlab_engine::search::observer::{
    CompletedIteration, Decision, Events, MadeBy, MoveSearch, NodeEntry, NodeExit, Observer, ShadowDepth, ShadowResult,
    ShadowSearch,
};

use super::curve::{Curve, Point};
use super::sampling::{Chances, is_eligible, place};
use crate::audit::Predictors;
use crate::sampler::Sampler;
use cozy_chess::Move;

/// How far beyond the policy's reduction a curve goes, in plies.
const BEYOND: i32 = 3;

/// Samples moves and their curves.
pub(super) struct Watcher<'w> {
    position: &'w str,
    write_move: &'w dyn Fn(Move) -> String,
    chances: &'w Chances,
    samplers: Vec<Sampler>,
    facts: &'w Predictors,
    most_nodes: u64,
    /// By ply.
    levels: Vec<Level>,
    /// Nodes so far, at the end of the iteration before, and in it.
    nodes: u64,
    nodes_before: u64,
    finished: Vec<Finished>,
    result: Watched,
}

/// What an observed search found.
#[derive(Debug, Default)]
pub(super) struct Watched {
    pub(super) curves: Vec<Curve>,
    /// Sampled moves with a search at full depth that met the limit of nodes.
    pub(super) undecided: u64,
    /// Sampled moves that the observed search finished.
    pub(super) compared: u64,
    /// Of these, those with another result or number of nodes than the point of their own reduction: 0 unless there is a bug.
    pub(super) different: u64,
    /// Nodes of the searches for the points.
    pub(super) shadow_nodes: u64,
}

/// A node on the line that is being searched.
#[derive(Debug, Clone, Default)]
struct Level {
    entered_at: u64,
    sampled: Option<Sampled>,
    /// Moves of the node that are complete.
    unsettled: Vec<Curve>,
}

/// A sampled move that is being searched.
#[derive(Debug, Clone)]
struct Sampled {
    curve: Curve,
    /// The reductions to search are below this one.
    end: i32,
    given_up: bool,
    first: Option<bool>,
    last: bool,
    nodes: u64,
}

/// A curve, and the nodes of its node.
struct Finished {
    curve: Curve,
    nodes: u64,
}

impl<'w> Watcher<'w> {
    pub(super) fn new(
        position: &'w str,
        write_move: &'w dyn Fn(Move) -> String,
        chances: &'w Chances,
        samplers: Vec<Sampler>,
        facts: &'w Predictors,
        most_nodes: u64,
    ) -> Self {
        Self {
            position,
            write_move,
            chances,
            samplers,
            facts,
            most_nodes,
            levels: vec![Level::default(); 160],
            nodes: 0,
            nodes_before: 0,
            finished: Vec::new(),
            result: Watched::default(),
        }
    }

    /// The end of the search: moves of nodes that it has not left get the nodes that were searched until now.
    pub(super) fn finish(mut self) -> Watched {
        for ply in 0..self.levels.len() {
            // The search ended within this move, so that there is nothing to compare.
            if let Some(sampled) = self.sampled(ply as u32) {
                sampled.first = None;
            }
            self.close(ply);
            self.settle(ply, None);
        }
        self.end_iteration();
        self.result
    }

    fn sampled(&mut self, ply: u32) -> Option<&mut Sampled> {
        self.levels.get_mut(ply as usize)?.sampled.as_mut()
    }

    /// The move that was searched last at this ply has ended.
    fn close(&mut self, ply: usize) {
        let Some(level) = self.levels.get_mut(ply) else {
            return;
        };
        let Some(sampled) = level.sampled.take() else {
            return;
        };
        let Sampled { curve, first, .. } = sampled;
        if curve.greatest() < 0 {
            self.result.undecided += 1;
            return;
        }
        if let Some(first) = first
            && curve.knows(curve.reduction)
        {
            let own = Point {
                first_raises: first,
                raises: sampled.last,
                nodes: sampled.nodes,
                ..curve.point(curve.reduction)
            };
            self.result.compared += 1;
            self.result.different += u64::from(own != curve.point(curve.reduction));
        }
        level.unsettled.push(curve);
    }

    /// The node at this ply has ended.
    fn settle(&mut self, ply: usize, exit: Option<&NodeExit>) {
        let Some(level) = self.levels.get_mut(ply) else {
            return;
        };
        let nodes = self.nodes - level.entered_at;
        for mut curve in level.unsettled.drain(..) {
            curve.outcome = exit.map(|exit| exit.outcome);
            self.finished.push(Finished { curve, nodes });
        }
    }

    fn end_iteration(&mut self) {
        let all = (self.nodes - self.nodes_before).max(1);
        for Finished { mut curve, nodes } in self.finished.drain(..) {
            curve.share = Some((nodes as f64 / all as f64).min(1.0));
            self.result.curves.push(curve);
        }
        self.nodes_before = self.nodes;
    }
}

impl Observer for Watcher<'_> {
    fn events(&self) -> Events {
        Events::MOVES.and(Events::NODES)
    }

    fn on_decision(&mut self, decision: &Decision<'_>) {
        let ply = decision.ply as usize;
        self.close(ply);
        if !is_eligible(decision) {
            return;
        }
        let Some(sampler) = self.samplers.get_mut(place(decision.depth)) else {
            return;
        };
        if !sampler.takes_next() {
            return;
        }
        let Some(level) = self.levels.get_mut(ply) else {
            return;
        };
        let reduction = decision.reduction;
        let beyond = (reduction.max(0) + BEYOND).min(decision.full_depth).max(reduction);
        let curve = Curve {
            position: self.position.to_owned(),
            ply: decision.ply,
            depth: decision.depth,
            full_depth: decision.full_depth,
            move_number: decision.move_number,
            mv: (self.write_move)(decision.mv),
            kind: decision.kind,
            outcome: None,
            reduction,
            weight: self.chances.weight(decision.depth),
            share: None,
            least: reduction.min(-1),
            points: Vec::new(),
            values: self.facts.values(decision.facts),
        };
        level.sampled = Some(Sampled {
            curve,
            end: beyond + 1,
            given_up: false,
            first: None,
            last: false,
            nodes: 0,
        });
    }

    fn wants_shadow(&mut self, ply: u32) -> Option<ShadowSearch> {
        let node_limit = self.most_nodes;
        let sampled = self.sampled(ply)?;
        let next = sampled.curve.greatest() + 1;
        (next < sampled.end && !sampled.given_up).then_some(ShadowSearch {
            depth: ShadowDepth::Reduced(next),
            node_limit,
            reduces: true,
        })
    }

    fn on_shadow(&mut self, result: &ShadowResult) {
        self.result.shadow_nodes += result.nodes;
        let Some(sampled) = self.sampled(result.ply) else {
            return;
        };
        let curve = &mut sampled.curve;
        match (result.first_raises, result.raises) {
            (Some(first_raises), Some(raises)) => curve.points.push(Point {
                first_raises,
                first_nodes: result.first_nodes,
                raises,
                nodes: result.nodes,
            }),
            // The deepest searches cost most: without one of them the curve begins later.
            _ if curve.points.is_empty() && curve.least < 0 => curve.least += 1,
            _ => sampled.given_up = true,
        }
    }

    fn on_move_search(&mut self, search: &MoveSearch) {
        if let Some(sampled) = self.sampled(search.ply) {
            let raises = search.score > search.alpha;
            sampled.first.get_or_insert(raises);
            sampled.last = raises;
            sampled.nodes += search.nodes;
        }
    }

    fn on_move_made(&mut self, _: u32, _: Option<Move>, _: MadeBy) {
        self.nodes += 1;
    }

    fn on_node_entry(&mut self, node: &NodeEntry) {
        let nodes = self.nodes;
        if let Some(level) = self.levels.get_mut(node.ply as usize) {
            *level = Level {
                entered_at: nodes,
                ..Level::default()
            };
        }
    }

    fn on_node_exit(&mut self, node: &NodeExit) {
        let ply = node.ply as usize;
        self.close(ply);
        self.settle(ply, Some(node));
    }

    fn on_iteration(&mut self, _: &CompletedIteration<'_>) {
        self.end_iteration();
    }
}
