//! A node of the tree, in the order in which it lives.

use arrayvec::ArrayVec;
use cozy_chess::Move;

use super::late_move::LateMove;
use super::observer::Observer;
use super::window::Window;
use super::{Line, Search};
use crate::depth::{Depth, Ply};
use crate::evaluation::evaluate;

use crate::move_picker::{Hints, MovePicker};
use crate::policy_history::{MoveKey, SearchedMove};
use crate::position::Position;
use crate::reductions::Reductions;
use crate::score::Score;
use crate::threats::are_connected;
use crate::transposition::{Bound, Known};

/// What kind of node is searched, as a type: the compiler makes a search of its own for each.
pub(super) trait NodeKind {
    /// The root.
    const ROOT: bool;
    /// A principal variation node: its window is open, and its result is exact.
    const PV: bool;
}

/// The root of the tree.
pub(super) struct Root;
/// A principal variation node other than the root.
pub(super) struct Pv;
/// Any other node.
pub(super) struct NonPv;

impl NodeKind for Root {
    const ROOT: bool = true;
    const PV: bool = true;
}
impl NodeKind for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
}
impl NodeKind for NonPv {
    const ROOT: bool = false;
    const PV: bool = false;
}

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
    pub(super) legal_moves: u32,
    pub(super) moves_searched: u32,
    pub(super) quiets_seen: u32,
    pub(super) best_changes: u32,
    /// Whether the null move's search found a mate against the side to move.
    pub(super) null_mate: bool,
    /// What refuted the null move.
    pub(super) null_refutation: Option<Move>,
}

/// What the null move of a node came to.
#[derive(Debug, Clone, Copy, Default)]
struct NullMove {
    /// The node's score, when the null move decided it.
    score: Option<Score>,
    mates: bool,
    refutation: Option<Move>,
}

impl<O: Observer, R: Reductions> Search<'_, O, R> {
    /// Searches a position to a depth. The score is a bound where it lies outside the window (fail-soft).
    pub(super) fn node<K: NodeKind>(
        &mut self,
        position: &Position,
        mut window: Window,
        depth: Depth,
        ply: Ply,
        expected_cut: bool,
        after_null: bool,
    ) -> Score {
        self.memory.frames[ply.index()].line.clear();
        if depth <= Depth::HORIZON {
            return self.quiescence::<K>(position, window, ply);
        }
        if self.must_stop() {
            return Score::DRAW;
        }
        self.seldepth = self.seldepth.max(ply);
        let in_check = position.in_check();
        if !K::ROOT {
            if self.is_draw(position) {
                return Score::DRAW;
            }
            if ply >= Ply::new(Ply::MAX.get() - 1) {
                return evaluate(position, self.parameters.evaluation_terms());
            }
            // No line from here can be better or worse than a mate at once.
            window.alpha = window.alpha.max(Score::mated_in(ply));
            window.beta = window.beta.min(Score::mate_in(ply.next()));
            if window.alpha >= window.beta {
                return window.alpha;
            }
        }

        let known = self.probe(position, ply);
        if let Some(known) = known
            && !K::PV
            && known.depth >= depth
            && known.bound.decides(known.score, window.alpha, window.beta)
        {
            return known.score;
        }

        let static_eval = self.static_eval(position, ply, known, in_check);
        let improvement = self.improvement(ply);
        self.memory.frames[ply.index() + 2].cutoffs = 0;
        let mut null = NullMove::default();
        if !K::PV && !in_check && !after_null {
            null = self.null_move(position, window, depth, ply, static_eval, expected_cut);
            if let Some(score) = null.score {
                return score;
            }
            if self.is_threat_of_reduced_move(position, depth, ply, null.refutation) {
                return window.alpha;
            }
        }

        let hash_move = match self.best {
            Some((mv, _)) if K::ROOT => Some(mv),
            _ => known.and_then(|known| known.mv),
        };
        let mut picker = MovePicker::new(
            position,
            Hints {
                hash_move,
                killers: if self.parameters.killers {
                    self.memory.killers.at(ply)
                } else {
                    [None; 2]
                },
                losing_captures_last: self.parameters.losing_captures_last,
                tactical_only: false,
            },
        );
        if picker.legal_moves() == 0 {
            return if in_check {
                Score::mated_in(ply)
            } else {
                Score::DRAW
            };
        }
        let mut node = Node {
            depth,
            ply,
            window,
            original_alpha: window.alpha,
            best_score: Score::MINUS_INFINITE,
            expected_cut,
            in_check,
            improving: improvement > 0,
            improvement,
            after_null,
            static_eval,
            known,
            hash_move: picker.hash_move(),
            hash_move_captures: picker
                .hash_move()
                .is_some_and(|mv| position.captured(mv).is_some()),
            legal_moves: picker.legal_moves(),
            moves_searched: 0,
            quiets_seen: 0,
            best_changes: 0,
            null_mate: null.mates,
            null_refutation: null.refutation,
        };
        let mut best_move = None;
        let mut tried = Tried::default();

        while let Some(mv) = picker.next(position, |mv| self.quiet_value(position, mv, ply)) {
            let quiet = position.is_quiet(mv);
            let captures = position.captured(mv).is_some();
            node.quiets_seen += u32::from(quiet);
            let child = self.make(position, mv, ply);
            let late = LateMove {
                mv,
                quiet,
                captures,
                killer: picker.is_killer(mv),
            };
            let score = self.search_move::<K>(position, &child, &node, late);
            self.unmake();
            if self.stopped {
                return Score::DRAW;
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

        let bound = if node.best_score >= window.beta {
            Bound::Lower
        } else if best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if self.parameters.transposition_table {
            self.memory.table.store(
                position.key(),
                ply,
                Known {
                    mv: best_move,
                    score: node.best_score,
                    bound,
                    depth,
                    pv: K::PV || known.is_some_and(|known| known.pv),
                    static_eval: self.memory.frames[ply.index()].static_eval,
                },
            );
        }
        node.best_score
    }

    pub(super) fn probe(&self, position: &Position, ply: Ply) -> Option<Known> {
        if self.parameters.transposition_table {
            self.memory.table.probe(position.key(), ply)
        } else {
            None
        }
    }

    /// The static evaluation, kept in the ply's frame; in check, the last one of the same side.
    pub(super) fn static_eval(
        &mut self,
        position: &Position,
        ply: Ply,
        known: Option<Known>,
        in_check: bool,
    ) -> Score {
        let here = ply.index();
        if in_check {
            self.memory.frames[here].static_eval = None;
            let earlier = here
                .checked_sub(2)
                .and_then(|index| self.memory.frames[index].static_eval);
            return earlier
                .unwrap_or_else(|| evaluate(position, self.parameters.evaluation_terms()));
        }
        let eval = known
            .and_then(|known| known.static_eval)
            .unwrap_or_else(|| evaluate(position, self.parameters.evaluation_terms()));
        self.memory.frames[here].static_eval = Some(eval);
        eval
    }

    /// By how much the side to move stands better than two plies before.
    fn improvement(&self, ply: Ply) -> i32 {
        let here = ply.index();
        let earlier = here
            .checked_sub(2)
            .and_then(|index| self.memory.frames[index].static_eval);
        match (self.memory.frames[here].static_eval, earlier) {
            (Some(now), Some(before)) => now - before,
            _ => 0,
        }
    }

    /// Null move pruning: a position so good that passing does not spoil it is left at beta.
    fn null_move(
        &mut self,
        position: &Position,
        window: Window,
        depth: Depth,
        ply: Ply,
        static_eval: Score,
        expected_cut: bool,
    ) -> NullMove {
        let none = NullMove::default();
        let parameters = &self.parameters;
        if !parameters.null_move
            || depth.get() < parameters.null_move_min_depth
            || (parameters.null_move_needs_eval && static_eval < window.beta)
            || window.beta.is_mate()
            || !position.has_pieces(position.side_to_move())
        {
            return none;
        }
        let divisor = parameters.null_move_depth_divisor;
        let more = if divisor > 0 {
            depth.get() / divisor
        } else {
            0
        };
        let reduced = depth - 1 - parameters.null_move_reduction - more;
        let Some(child) = position.pass() else {
            return none;
        };
        let below = &mut self.memory.frames[ply.index() + 1];
        (below.arrival, below.mv) = (None, None);
        (below.reduction, below.move_number) = (0, 0);
        below.refutation = None;
        let floor = std::mem::replace(&mut self.repetition_floor, self.memory.keys.len());
        self.memory.keys.push(child.key());
        self.nodes += 1;
        let score = -self.node::<NonPv>(
            &child,
            window.null_below_beta().flipped(),
            reduced,
            ply.next(),
            !expected_cut,
            true,
        );
        self.unmake();
        self.repetition_floor = floor;
        if self.stopped {
            return NullMove {
                score: Some(Score::DRAW),
                ..none
            };
        }
        if score >= window.beta {
            // A mate that needs two moves in a row is none.
            let score = if score.is_mate() { window.beta } else { score };
            return NullMove {
                score: Some(score),
                ..none
            };
        }
        NullMove {
            score: None,
            mates: score <= -Score::LEAST_MATE,
            refutation: self.memory.frames[ply.index() + 1].refutation,
        }
    }

    /// Whether the move that led here was reduced although it prepared what refutes the null move here: then this node
    /// fails low, so that the move is searched again at its full depth (Glaurung 2.2, Romstad 2008).
    fn is_threat_of_reduced_move(
        &self,
        position: &Position,
        depth: Depth,
        ply: Ply,
        refutation: Option<Move>,
    ) -> bool {
        let frame = &self.memory.frames[ply.index()];
        match (self.policy.research().threat_feedback, refutation, frame.mv) {
            (Some(limit), Some(refutation), Some(mv)) => {
                frame.reduction > 0
                    && depth.get() < limit as i32
                    && are_connected(position, mv, refutation)
            }
            _ => false,
        }
    }

    /// How early a quiet move is tried.
    pub(super) fn quiet_value(&self, position: &Position, mv: Move, ply: Ply) -> i32 {
        match &self.memory.policy_history {
            Some(history) if self.policy_orders => history.get(&self.key(position, mv, ply)),
            _ if self.parameters.history => self.memory.butterfly.get(position.side_to_move(), mv),
            _ => 0,
        }
    }

    /// What history tables know a move of the node at `ply` by.
    pub(super) fn key(&self, position: &Position, mv: Move, ply: Ply) -> MoveKey {
        MoveKey::new(position, mv, self.memory.frames[ply.index()].arrival)
    }

    /// Tells the policy's history about a searched move.
    fn learn(&mut self, position: &Position, mv: Move, node: &Node, quiet: bool, score: Score) {
        if self.memory.policy_history.is_none() {
            return;
        }
        let key = self.key(position, mv, node.ply);
        if let Some(history) = &mut self.memory.policy_history {
            history.searched(&SearchedMove {
                key,
                depth: node.depth,
                ply: node.ply,
                quiet,
                improved: score > node.window.alpha,
                cutoff: score >= node.window.beta,
            });
        }
    }

    /// Remembers a move that reached beta, and that those before it did not.
    fn note_cutoff(
        &mut self,
        position: &Position,
        mv: Move,
        quiet: bool,
        tried: &Tried,
        node: &Node,
    ) {
        let (ply, depth) = (node.ply, node.depth);
        let memory = &mut *self.memory;
        let frame = &mut memory.frames[ply.index()];
        frame.cutoffs += 1;
        frame.refutation = Some(mv);
        let previous = frame.arrival;
        if quiet {
            if self.parameters.killers {
                memory.killers.insert(ply, mv);
            }
            if self.parameters.history {
                let side = position.side_to_move();
                let bound = self.parameters.history_bound;
                let bonus = (16 * depth.get() * depth.get()).min(bound / 8);
                memory.butterfly.update(side, mv, bonus, bound);
                for tried in &tried.quiets {
                    memory.butterfly.update(side, *tried, -bonus, bound);
                }
            }
        }
        let best = MoveKey::new(position, mv, previous);
        // A promotion without a capture teaches tables of quiet moves nothing.
        if !quiet && best.captured.is_none() {
            return;
        }
        let others = if quiet {
            &tried.quiets[..]
        } else {
            &tried.captures[..]
        };
        let earlier = others
            .iter()
            .map(|mv| MoveKey::new(position, *mv, previous));
        if let Some(history) = &mut memory.policy_history {
            history.cutoff(&best, earlier.clone(), depth);
        }
        memory.fact_tables.cutoff(mv, &best, earlier, depth);
    }

    /// The line through `mv` is the best so far.
    fn keep_line<K: NodeKind>(&mut self, ply: Ply, mv: Move, score: Score) {
        let (here, below) = self.memory.frames.split_at_mut(ply.index() + 1);
        let (Some(here), Some(below)) = (here.last_mut(), below.first()) else {
            return;
        };
        join(&mut here.line, mv, &below.line);
        if K::ROOT {
            self.best = Some((mv, score));
            self.best_line.clone_from(&here.line);
        }
    }
}

/// The moves of a node that were searched and did not reach beta. Beyond so many there is nothing to learn that the
/// others do not say.
#[derive(Debug, Default)]
struct Tried {
    quiets: ArrayVec<Move, 64>,
    captures: ArrayVec<Move, 32>,
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
