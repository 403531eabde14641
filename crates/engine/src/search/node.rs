//! A node of the tree, in the order in which it lives.

use arrayvec::ArrayVec;
use cozy_chess::Move;

use super::extensions::Singular;
use super::kind::{NodeKind, Pv};
use super::late_move::LateMove;
use super::move_pruning::Candidate;
use super::node_pruning::{NullMove, Prospect};
use super::observer::{self, Entered, Left, Maker, NullMoveTried};
use super::window::Window;
use super::{Line, Search};
use crate::checks::Checks;
use crate::depth::{Depth, Ply};
use crate::move_picker::{Hints, MovePicker};
use crate::ordering::Trail;
use crate::position::Position;
use crate::reductions::Reductions;
use crate::score::Score;
use crate::search_parameters::PruningDepth;
use crate::transposition::{Bound, Known};

/// What is known about a node while its moves are searched; late move reductions read it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) depth: Depth,
    pub(super) ply: Ply,
    /// Grows as moves raise alpha.
    pub(super) window: Window,
    pub(super) original_alpha: Score,
    pub(super) best_score: Score,
    pub(super) expected_cut: bool,
    pub(super) in_check: bool,
    pub(super) improving: bool,
    /// Static evaluation minus that of two plies before, in centipawns; 0 when one of them is not known.
    pub(super) improvement: i32,
    pub(super) after_null: bool,
    pub(super) static_eval: Score,
    pub(super) known: Option<Known>,
    pub(super) hash_move: Option<Move>,
    pub(super) hash_move_captures: bool,
    /// Counted only when the policy or an extension asks for it; 0 otherwise.
    pub(super) legal_moves: u32,
    pub(super) moves_searched: u32,
    pub(super) quiets_seen: u32,
    pub(super) best_changes: u32,
    /// Whether the null move's search found a mate against the side to move.
    pub(super) null_mate: bool,
    /// What refuted the null move.
    pub(super) null_refutation: Option<Move>,
    /// The moves that led here.
    pub(super) trail: Trail,
}

impl<R: Reductions, const WATCHED: bool> Search<'_, R, WATCHED> {
    /// Searches a position to a depth. The score is a bound where it lies outside the window (fail-soft).
    pub(super) fn node<K: NodeKind>(
        &mut self,
        position: &Position,
        mut window: Window,
        mut depth: Depth,
        ply: Ply,
        expected_cut: bool,
        after_null: bool,
    ) -> Score {
        self.memory.frames[ply.index()].line.clear();
        if depth <= Depth::HORIZON {
            return self.quiescence::<K>(position, window, ply, true);
        }
        if self.must_stop() {
            return Score::DRAW;
        }
        self.seldepth = self.seldepth.max(ply);
        if self.watches_nodes() {
            self.observer.entered(&Entered {
                ply: ply.get() as u32,
                depth: depth.get() as u32,
                kind: K::expected(expected_cut),
            });
        }
        let in_check = position.in_check();
        if !K::ROOT {
            if self.is_draw(position) {
                return Score::DRAW;
            }
            if ply >= Ply::new(Ply::MAX.get() - 1) {
                return self.evaluate(position);
            }
            // No line from here can be better or worse than a mate at once.
            window.alpha = window.alpha.max(Score::mated_in(ply));
            window.beta = window.beta.min(Score::mate_in(ply.next()));
            if window.alpha >= window.beta {
                return window.alpha;
            }
        }

        let excluded = self.memory.frames[ply.index()].excluded;
        let known = self.probe(position, ply);
        if let Some(known) = known
            && !K::PV
            && excluded.is_none()
            && known.depth >= depth
            && known.bound.decides(known.score, window.alpha, window.beta)
        {
            if known.score >= window.beta {
                self.memory.frames[ply.index()].refutation = known.mv;
            }
            return known.score;
        }

        let static_eval = self.static_eval(position, ply, known, in_check);
        let improvement = self.improvement(ply);
        let improving = improvement > 0;
        self.memory.frames[ply.index() + 2].cutoffs = 0;
        let mut null = NullMove::default();
        if !K::PV && !in_check && excluded.is_none() {
            let prospect = Prospect {
                window,
                depth,
                ply,
                static_eval,
                estimate: estimate(static_eval, known),
                improving,
                expected_cut,
                known,
            };
            if let Some(score) = self.prune_by_evaluation(position, &prospect) {
                return score;
            }
            if !after_null {
                let nodes_before = self.nodes;
                null = self.null_move(position, &prospect);
                if self.watches_nodes() && self.nodes > nodes_before && !self.stopped {
                    self.observer.null_move(&NullMoveTried {
                        ply: ply.get() as u32,
                        depth: depth.get() as u32,
                        cutoff: null.score.is_some(),
                        nodes: self.nodes - nodes_before,
                    });
                }
                if let Some(score) = null.score {
                    return score;
                }
                if self.is_threat_of_reduced_move(position, depth, ply, null.refutation) {
                    return window.alpha;
                }
            }
            if let Some(score) = self.probcut(position, &prospect) {
                return score;
            }
        }

        let mut hash_move = match self.best {
            Some((mv, _)) if K::ROOT => Some(mv),
            _ => known.and_then(|known| known.mv),
        };
        if hash_move.is_none() && excluded.is_none() {
            if K::PV && self.parameters.internal_iterative_deepening && depth.get() >= 5 {
                self.node::<Pv>(position, window, depth - 2, ply, false, after_null);
                if self.stopped {
                    return Score::DRAW;
                }
                hash_move = self.probe(position, ply).and_then(|known| known.mv);
            } else if self.parameters.internal_iterative_reduction
                && (K::PV || expected_cut)
                && depth.get() >= self.parameters.internal_iterative_reduction_min_depth
            {
                depth = depth - 1;
            }
        }
        let trail = self.trail(ply);
        let mut picker = MovePicker::new(
            position,
            Hints {
                hash_move,
                killers: if self.parameters.killers {
                    self.memory.killers.at(ply)
                } else {
                    [None; 2]
                },
                counter_move: self.memory.ordering.counter_move(&trail),
                losing_captures_last: self.parameters.losing_captures_last,
                tactical_only: false,
            },
        );
        let mut node = Node {
            depth,
            ply,
            window,
            original_alpha: window.alpha,
            best_score: Score::MINUS_INFINITE,
            expected_cut,
            in_check,
            improving,
            improvement,
            after_null,
            static_eval,
            known,
            hash_move: picker.hash_move(),
            hash_move_captures: picker
                .hash_move()
                .is_some_and(|mv| position.captured(mv).is_some()),
            legal_moves: if self.counts_legal_moves {
                picker.legal_moves(position)
            } else {
                0
            },
            moves_searched: 0,
            quiets_seen: 0,
            best_changes: 0,
            null_mate: null.mates,
            null_refutation: null.refutation,
            trail,
        };
        let mut best_move = None;
        let mut tried = Tried::default();
        let checks = Checks::of(position);
        let may_prune = !K::ROOT && position.has_pieces(position.side_to_move());

        while let Some(mv) = picker.next(position, &self.values(&node.trail)) {
            if Some(mv) == excluded || (K::ROOT && !self.is_wanted_at_root(mv)) {
                continue;
            }
            let captures = position.captured(mv).is_some();
            let quiet = mv.promotion.is_none() && !captures;
            let gives_check = checks.gives(position, mv);
            node.quiets_seen += u32::from(quiet);
            let mut late = LateMove {
                mv,
                quiet,
                captures,
                killer: picker.gave_killer(),
                extension: 0,
            };
            let mut after = None;
            if may_prune && node.best_score > -Score::LEAST_MATE {
                let reduction = match self.parameters.pruning_depth {
                    PruningDepth::Nominal => 0,
                    PruningDepth::Reduced => {
                        let child = after.insert(position.after(mv));
                        self.reduction::<K>(position, child, &node, late)
                    }
                };
                let candidate = Candidate {
                    mv,
                    quiet,
                    gives_check,
                    depth: node.depth.get() - reduction,
                };
                if self.prunes(position, &mut node, &mut picker, candidate) {
                    continue;
                }
            }
            late.extension = self.extension::<K>(position, &node, mv, gives_check);
            match self.singular::<K>(position, &node, mv) {
                Singular::MultiCut(score) => return score,
                Singular::Extend(0) => {}
                Singular::Extend(plies) if plies < 0 => late.extension += plies,
                Singular::Extend(plies) => late.extension = late.extension.max(plies),
            }
            if self.stopped {
                return Score::DRAW;
            }
            let child = after.unwrap_or_else(|| self.child_of(position, mv));
            self.enter(position, &child, mv, captures, ply);
            if self.watches_nodes() {
                self.observer.made(ply.get() as u32, Some(mv), Maker::Node);
            }
            let nodes_before = self.nodes;
            let score = self.search_move::<K>(position, &child, &node, late);
            self.unmake();
            if self.stopped {
                return Score::DRAW;
            }
            if K::ROOT {
                self.effort.add(mv, self.nodes - nodes_before);
            }
            node.moves_searched += 1;
            self.learn(position, mv, &node, quiet, score);
            if score > node.best_score {
                node.best_score = score;
                if score > node.window.alpha {
                    node.best_changes += u32::from(best_move.is_some());
                    best_move = Some(mv);
                    self.keep_line::<K>(ply, mv, score);
                    if score >= window.beta {
                        self.note_cutoff(position, mv, quiet, &tried, &node);
                        break;
                    }
                    node.window.alpha = score;
                }
            }
            tried.push(mv, quiet, captures);
        }

        if node.moves_searched == 0 {
            return if excluded.is_some() || picker.has_legal_move(position) {
                node.best_score.max(window.alpha)
            } else if in_check {
                Score::mated_in(ply)
            } else {
                Score::DRAW
            };
        }
        let bound = if node.best_score >= window.beta {
            Bound::Lower
        } else if best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if self.watches_nodes() {
            self.observer.left(&Left {
                ply: ply.get() as u32,
                depth: node.depth.get() as u32,
                kind: K::expected(expected_cut),
                outcome: match bound {
                    Bound::Lower => observer::NodeKind::Cut,
                    Bound::Exact => observer::NodeKind::Pv,
                    Bound::Upper => observer::NodeKind::All,
                },
                moves_searched: node.moves_searched,
            });
        }
        if excluded.is_none() {
            self.correct(position, &node, bound, best_move);
            let static_eval = self.memory.frames[ply.index()].raw_eval;
            let known = Known {
                mv: best_move,
                score: node.best_score,
                bound,
                depth,
                pv: K::PV || known.is_some_and(|known| known.pv),
                static_eval,
            };
            self.remember(position, ply, known);
        }
        node.best_score
    }

    /// The moves that led to the node at `ply`.
    pub(super) fn trail(&self, ply: Ply) -> Trail {
        let index = ply.index();
        Trail::new(|back| {
            let frame = (index + 1).checked_sub(back)?;
            self.memory.frames[frame].arrival
        })
    }

    /// The line through `mv` is the best so far.
    fn keep_line<K: NodeKind>(&mut self, ply: Ply, mv: Move, score: Score) {
        if !K::PV {
            return;
        }
        let (here, below) = self.memory.frames.split_at_mut(ply.index() + 1);
        let (Some(here), Some(below)) = (here.last_mut(), below.first()) else {
            return;
        };
        join(&mut here.line, mv, &below.line);
        if K::ROOT {
            self.best = Some((mv, score));
            self.best_line.clear();
            self.best_line.extend_from_slice(&here.line);
        }
    }
}

/// The static evaluation, or the transposition table's score where that says more.
fn estimate(static_eval: Score, known: Option<Known>) -> Score {
    match known {
        Some(known)
            if !known.score.is_mate()
                && match known.bound {
                    Bound::Exact => true,
                    Bound::Lower => known.score > static_eval,
                    Bound::Upper => known.score < static_eval,
                } =>
        {
            known.score
        }
        _ => static_eval,
    }
}

/// The moves of a node that were searched and did not reach beta. Beyond so many there is nothing to learn that the
/// others do not say.
#[derive(Debug, Default)]
pub(super) struct Tried {
    pub(super) quiets: ArrayVec<Move, 64>,
    pub(super) captures: ArrayVec<Move, 32>,
}

impl Tried {
    #[inline]
    fn push(&mut self, mv: Move, quiet: bool, captures: bool) {
        if quiet {
            let _ = self.quiets.try_push(mv);
        } else if captures {
            let _ = self.captures.try_push(mv);
        }
    }
}

fn join(line: &mut Line, mv: Move, rest: &Line) {
    line.clear();
    line.push(mv);
    let room = line.remaining_capacity();
    line.extend(rest.iter().copied().take(room));
}
