//! The observer that samples moves and asks for a shadow search with each reduction.

use lmrlab_engine::search::observer::{
    CompletedIteration, Decision, Events, MadeBy, MoveSearch, NodeEntry, NodeExit, Observer, ShadowDepth, ShadowResult,
    ShadowSearch,
};

use super::curve::{Curve, Point};
use super::sampling::{Chances, FAILING_LOW, Samplers};
use crate::audit::Predictors;
use cozy_chess::Move;

/// How far beyond the policy's reduction a curve goes, in plies.
const BEYOND: i32 = 3;

/// Samples moves and their curves.
pub(super) struct Watcher<'w> {
    position: &'w str,
    write_move: &'w dyn Fn(Move) -> String,
    chances: &'w Chances,
    samplers: Samplers,
    facts: &'w Predictors,
    most_nodes: u64,
    /// By ply.
    levels: Vec<Level>,
    /// Nodes so far. The next field has those at the end of the iteration before.
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
    /// The reduction of the next point, in plies; `None` when no further point is wanted. The order is 0, then the
    /// reductions below 0, then those above.
    next: Option<i32>,
    /// The greatest reduction.
    end: i32,
    /// Whether the move gets a curve.
    wanted: bool,
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
        samplers: Samplers,
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

    /// Ends the search. A node that was not left counts the nodes that were searched until now.
    pub(super) fn finish(mut self) -> Watched {
        for ply in 0..self.levels.len() {
            // The search ended within this move, so there is nothing to compare.
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
        let Sampled {
            curve, first, wanted, ..
        } = sampled;
        if !wanted {
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
        if !self.samplers.take(decision) {
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
            weight: self.chances.weight(decision),
            share: None,
            least: 0,
            points: Vec::new(),
            values: self.facts.values(decision.facts),
        };
        level.sampled = Some(Sampled {
            curve,
            next: Some(0),
            end: beyond,
            wanted: false,
            first: None,
            last: false,
            nodes: 0,
        });
    }

    fn wants_shadow(&mut self, ply: u32) -> Option<ShadowSearch> {
        let node_limit = self.most_nodes;
        let next = self.sampled(ply)?.next?;
        Some(ShadowSearch {
            depth: ShadowDepth::Reduced(next),
            node_limit,
            reduces: true,
        })
    }

    fn on_shadow(&mut self, result: &ShadowResult) {
        self.result.shadow_nodes += result.nodes;
        let (levels, samplers) = (&mut self.levels, &mut self.samplers);
        let Some(sampled) = levels
            .get_mut(result.ply as usize)
            .and_then(|level| level.sampled.as_mut())
        else {
            return;
        };
        let Some(reduction) = sampled.next else {
            return;
        };
        let curve = &mut sampled.curve;
        let (Some(first_raises), Some(raises)) = (result.first_raises, result.raises) else {
            // An extension costs most, so a curve may be without it. Without a point of reduction 0 there is no curve.
            self.result.undecided += u64::from(reduction == 0);
            sampled.next = if reduction < 0 {
                Some(1).filter(|next| *next <= sampled.end)
            } else {
                None
            };
            return;
        };
        let point = Point {
            first_raises,
            first_nodes: result.first_nodes,
            raises,
            nodes: result.nodes,
        };
        match reduction {
            0 => {
                sampled.wanted = raises || samplers.take_failing_low();
                if !raises {
                    curve.weight *= FAILING_LOW;
                }
                curve.points.push(point);
                sampled.next = sampled.wanted.then_some(-1);
            }
            ..0 => {
                curve.points.insert(0, point);
                curve.least = reduction;
                sampled.next = if reduction > curve.reduction {
                    Some(reduction - 1)
                } else {
                    Some(1).filter(|next| *next <= sampled.end)
                };
            }
            _ => {
                curve.points.push(point);
                sampled.next = Some(reduction + 1).filter(|next| *next <= sampled.end);
            }
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
