//! Quiescence: beyond the horizon only captures, promotions and evasions are searched.

use cozy_chess::Piece;

use super::Search;
use super::node::NodeKind;
use super::observer::Observer;
use super::window::Window;
use crate::depth::{Depth, Ply};
use crate::evaluation::evaluate;
use crate::move_picker::{Hints, MovePicker, loses_material};
use crate::position::Position;
use crate::reductions::Reductions;
use crate::score::Score;
use crate::transposition::{Bound, Known};

impl<O: Observer, R: Reductions> Search<'_, O, R> {
    /// Searches until the position is quiet. The side to move may stand pat unless it is in check.
    pub(super) fn quiescence<K: NodeKind>(
        &mut self,
        position: &Position,
        mut window: Window,
        ply: Ply,
    ) -> Score {
        if self.must_stop() {
            return Score::DRAW;
        }
        self.seldepth = self.seldepth.max(ply);
        if self.is_draw(position) {
            return Score::DRAW;
        }
        if ply >= Ply::new(Ply::MAX.get() - 1) {
            return evaluate(position, self.parameters.evaluation_terms());
        }
        let known = self.probe(position, ply);
        if let Some(known) = known
            && !K::PV
            && known.bound.decides(known.score, window.alpha, window.beta)
        {
            return known.score;
        }

        let evading = position.in_check() && self.parameters.quiescence_evasions;
        let original_alpha = window.alpha;
        let mut best = Score::MINUS_INFINITE;
        let mut static_eval = None;
        if !evading {
            let eval = known
                .and_then(|known| known.static_eval)
                .unwrap_or_else(|| evaluate(position, self.parameters.evaluation_terms()));
            static_eval = (!position.in_check()).then_some(eval);
            best = eval;
            if best >= window.beta {
                return best;
            }
            window.alpha = window.alpha.max(best);
        }

        let mut picker = MovePicker::new(
            position,
            Hints {
                hash_move: known.and_then(|known| known.mv),
                killers: [None; 2],
                losing_captures_last: false,
                tactical_only: !evading,
            },
        );
        if picker.legal_moves() == 0 {
            return if position.in_check() {
                Score::mated_in(ply)
            } else {
                Score::DRAW
            };
        }
        let mut best_move = None;
        while let Some(mv) = picker.next(position, |mv| self.quiet_value(position, mv, ply)) {
            if !evading {
                if mv.promotion.is_some_and(|piece| piece != Piece::Queen) {
                    continue;
                }
                if self.parameters.quiescence_exchange_pruning && loses_material(position, mv) {
                    continue;
                }
            }
            let child = self.make(position, mv, ply);
            let score = -self.quiescence::<K>(&child, window.flipped(), ply.next());
            self.unmake();
            if self.stopped {
                return Score::DRAW;
            }
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = Some(mv);
                    if score >= window.beta {
                        break;
                    }
                    window.alpha = score;
                }
            }
        }
        if self.parameters.transposition_table {
            let bound = if best >= window.beta {
                Bound::Lower
            } else if best > original_alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            self.memory.table.store(
                position.key(),
                ply,
                Known {
                    mv: best_move,
                    score: best,
                    bound,
                    depth: Depth::HORIZON,
                    pv: K::PV || known.is_some_and(|known| known.pv),
                    static_eval,
                },
            );
        }
        best
    }
}
