//! The search of a node, from its first check to its transposition table entry.

use cozy_chess::Move;

use super::extensions::Singular;
use super::kind::{NodeType, Pv};
use super::move_pruning::Candidate;
use super::node_pruning::{NullMove, PruningInputs};
use super::node_state::{MoveToSearch, Node, SearchedMoves};
use super::observer::{self, MadeBy, NodeEntry, NodeExit, NullMoveTried};
use super::stack::PrincipalVariation;
use super::state::Search;
use super::window::Window;
use crate::checks::Checks;
use crate::depth::{Depth, Ply};
use crate::move_picker::{Hints, MovePicker};
use crate::position::Position;
use crate::reductions::Reductions;
use crate::score::Score;
use crate::search_parameters::PruningDepth;
use crate::transposition::{Bound, TableEntry};

impl<R: Reductions, const OBSERVED: bool> Search<'_, R, OBSERVED> {
    /// Searches a position to a depth. A score outside the window is a bound (fail-soft).
    pub(super) fn node<K: NodeType>(
        &mut self,
        position: &Position,
        mut window: Window,
        depth: Depth,
        ply: Ply,
        expected_cut: bool,
        after_null: bool,
    ) -> Score {
        self.memory.stack[ply.index()].pv.clear();
        if depth <= Depth::HORIZON {
            return self.quiescence::<K>(position, window, ply, true);
        }
        if self.must_stop() {
            return Score::DRAW;
        }
        self.seldepth = self.seldepth.max(ply);
        if self.observes_nodes() {
            self.observer.on_node_entry(&NodeEntry {
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
                return self.evaluate(position, ply);
            }
            // Mate distance pruning: the best possible score here is a mate with the next move, the worst is being
            // mated now.
            window.alpha = window.alpha.max(Score::mated_in(ply));
            window.beta = window.beta.min(Score::mate_in(ply.next()));
            if window.alpha >= window.beta {
                return window.alpha;
            }
        }

        let excluded = self.memory.stack[ply.index()].excluded;
        let tt_entry = self.probe(position, ply);
        if let Some(tt_entry) = tt_entry
            && !K::PV
            && excluded.is_none()
            && tt_entry.depth >= depth
            && tt_entry.bound.decides(tt_entry.score, window.alpha, window.beta)
        {
            if tt_entry.score >= window.beta {
                self.memory.stack[ply.index()].refutation = tt_entry.mv;
            }
            return tt_entry.score;
        }

        let static_eval = self.static_eval(position, ply, tt_entry, in_check);
        let improvement = self.improvement(ply);
        let improving = improvement > 0;
        self.memory.stack[ply.index() + 2].cutoffs = 0;
        let mut null = NullMove::default();
        if !K::PV && !in_check && excluded.is_none() {
            let inputs = PruningInputs {
                window,
                depth,
                ply,
                estimate: estimate(static_eval, tt_entry),
                improving,
                expected_cut,
            };
            if let Some(score) = self.reverse_futility(&inputs) {
                return score;
            }
            if !after_null {
                let nodes_before = self.nodes;
                null = self.null_move(position, &inputs);
                if self.observes_nodes() && self.nodes > nodes_before && !self.stopped {
                    self.observer.on_null_move(&NullMoveTried {
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
        }

        let mut tt_move = match self.best {
            Some((mv, _)) if K::ROOT => Some(mv),
            _ => tt_entry.and_then(|tt_entry| tt_entry.mv),
        };
        if K::PV
            && self.parameters.internal_iterative_deepening
            && tt_move.is_none()
            && excluded.is_none()
            && depth.get() >= 5
        {
            self.node::<Pv>(position, window, depth - 2, ply, false, after_null);
            if self.stopped {
                return Score::DRAW;
            }
            tt_move = self.probe(position, ply).and_then(|tt_entry| tt_entry.mv);
        }
        let context = self.history_context(ply);
        let mut picker = MovePicker::new(
            position,
            Hints {
                tt_move,
                killers: if self.parameters.killers {
                    self.memory.killers.at(ply)
                } else {
                    [None; 2]
                },
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
            tt_entry,
            tt_move: picker.tt_move(),
            tt_move_captures: picker.tt_move().is_some_and(|mv| position.captured(mv).is_some()),
            legal_moves: if self.counts_legal_moves {
                picker.legal_moves(position)
            } else {
                0
            },
            moves_searched: 0,
            quiets_seen: 0,
            alpha_raises: 0,
            best_changes: 0,
            null_mate: null.mates,
            null_refutation: null.refutation,
            context,
        };
        let mut best_move = None;
        let mut tried = SearchedMoves::default();
        let checks = Checks::of(position);
        let may_prune = !K::ROOT && position.has_pieces(position.side_to_move());

        while let Some(mv) = picker.next(position, &self.values(&node.context)) {
            if Some(mv) == excluded || (K::ROOT && !self.is_in_search_moves(mv)) {
                continue;
            }
            let captures = position.captured(mv).is_some();
            let quiet = mv.promotion.is_none() && !captures;
            let gives_check = checks.gives(position, mv);
            node.quiets_seen += u32::from(quiet);
            let mut current = MoveToSearch {
                mv,
                quiet,
                captures,
                killer: quiet && picker.is_killer(mv),
                extension: 0,
            };
            let mut after = None;
            if may_prune && node.best_score > -Score::LEAST_MATE {
                let reduction = match self.parameters.pruning_depth {
                    PruningDepth::Nominal => 0,
                    PruningDepth::Logarithmic => self.logarithmic_reduction(position, &node, mv, quiet),
                    PruningDepth::Reduced => {
                        let child = after.insert(position.after(mv));
                        self.reduction::<K>(position, child, &node, current)
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
            current.extension = self.extension(position, &node, mv, gives_check);
            match self.singular::<K>(position, &node, mv) {
                Singular::MultiCut(score) => return score,
                Singular::Extend(0) => {}
                Singular::Extend(plies) if plies < 0 => current.extension += plies,
                Singular::Extend(plies) => current.extension = current.extension.max(plies),
            }
            if self.stopped {
                return Score::DRAW;
            }
            let child = after.unwrap_or_else(|| self.child_of(position, mv));
            self.make(position, &child, mv, ply);
            if self.observes_nodes() {
                self.observer.on_move_made(ply.get() as u32, Some(mv), MadeBy::Node);
            }
            let nodes_before = self.nodes;
            let score = self.search_move::<K>(position, &child, &node, current);
            self.unmake();
            if self.stopped {
                return Score::DRAW;
            }
            if K::ROOT {
                self.root_move_nodes.add(mv, self.nodes - nodes_before);
            }
            node.moves_searched += 1;
            self.update_policy_history(position, mv, &node, quiet, score);
            if score > node.best_score {
                node.best_score = score;
                if score > node.window.alpha {
                    node.alpha_raises += 1;
                    node.best_changes += u32::from(best_move.is_some());
                    best_move = Some(mv);
                    self.update_pv::<K>(ply, mv, score);
                    if score >= window.beta {
                        self.update_histories(position, mv, quiet, &tried, &node);
                        break;
                    }
                    node.window.alpha = score;
                    // A second raise of alpha is unlikely.
                    if K::PV
                        && !score.is_mate()
                        && (2..=self.parameters.alpha_raise_max_depth).contains(&node.depth.get())
                    {
                        node.depth = node.depth - 1;
                    }
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
        if self.observes_nodes() {
            self.observer.on_node_exit(&NodeExit {
                ply: ply.get() as u32,
                depth: depth.get() as u32,
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
            self.update_correction_history(position, &node, bound, best_move);
            let static_eval = self.memory.stack[ply.index()].raw_eval;
            let tt_entry = TableEntry {
                mv: best_move,
                score: node.best_score,
                bound,
                depth,
                pv: K::PV || tt_entry.is_some_and(|tt_entry| tt_entry.pv),
                static_eval,
            };
            self.store(position, ply, tt_entry);
        }
        node.best_score
    }

    /// Starts the principal variation with a new best move.
    fn update_pv<K: NodeType>(&mut self, ply: Ply, mv: Move, score: Score) {
        if !K::PV {
            return;
        }
        let (here, below) = self.memory.stack.split_at_mut(ply.index() + 1);
        let (Some(here), Some(below)) = (here.last_mut(), below.first()) else {
            return;
        };
        prepend(&mut here.pv, mv, &below.pv);
        if K::ROOT {
            self.best = Some((mv, score));
            self.best_pv.clear();
            self.best_pv.extend_from_slice(&here.pv);
        }
    }
}

/// The transposition table's score where it is a tighter bound, else the static evaluation.
fn estimate(static_eval: Score, tt_entry: Option<TableEntry>) -> Score {
    match tt_entry {
        Some(tt_entry)
            if !tt_entry.score.is_mate()
                && match tt_entry.bound {
                    Bound::Exact => true,
                    Bound::Lower => tt_entry.score > static_eval,
                    Bound::Upper => tt_entry.score < static_eval,
                } =>
        {
            tt_entry.score
        }
        _ => static_eval,
    }
}

/// Sets the principal variation to `mv` and the child's principal variation.
fn prepend(pv: &mut PrincipalVariation, mv: Move, rest: &PrincipalVariation) {
    pv.clear();
    pv.push(mv);
    let room = pv.remaining_capacity();
    pv.extend(rest.iter().copied().take(room));
}
