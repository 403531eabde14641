//! Quiescence search: captures, promotions and evasions beyond the horizon.

use cozy_chess::{Move, Piece};

use super::kind::NodeType;
use super::observer::MadeBy;
use super::state::Search;
use super::window::Window;
use crate::checks::Checks;
use crate::depth::{Depth, Ply};
use crate::history::context::HistoryContext;
use crate::move_picker::{Hints, MovePicker, loses_material};
use crate::position::Position;
use crate::reductions::Reductions;
use crate::score::Score;
use crate::see::see_value;
use crate::transposition::{Bound, TableEntry};

/// A move that may be pruned.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    mv: Move,
    captured: Option<Piece>,
}

impl<R: Reductions, const OBSERVED: bool> Search<'_, R, OBSERVED> {
    /// Searches until the position is quiet. The side to move may stand pat unless it is in check. `first`: the first ply of
    /// quiescence, where a preset may add quiet checks.
    pub(super) fn quiescence<K: NodeType>(
        &mut self,
        position: &Position,
        mut window: Window,
        ply: Ply,
        first: bool,
    ) -> Score {
        if self.must_stop() {
            return Score::DRAW;
        }
        self.seldepth = self.seldepth.max(ply);
        if self.is_draw(position) {
            return Score::DRAW;
        }
        if ply >= Ply::new(Ply::MAX.get() - 1) {
            return self.evaluate(position, ply);
        }
        let tt_entry = self.probe(position, ply);
        if let Some(tt_entry) = tt_entry
            && !K::PV
            && tt_entry.bound.decides(tt_entry.score, window.alpha, window.beta)
        {
            if tt_entry.score >= window.beta {
                self.memory.stack[ply.index()].refutation = tt_entry.mv;
            }
            return tt_entry.score;
        }

        let evading = position.in_check() && self.parameters.quiescence_evasions;
        let original_alpha = window.alpha;
        let mut best = Score::MINUS_INFINITE;
        let mut raw = None;
        if !evading {
            let eval = tt_entry
                .and_then(|tt_entry| tt_entry.static_eval)
                .unwrap_or_else(|| self.evaluate(position, ply));
            raw = (!position.in_check()).then_some(eval);
            best = self.apply_correction(position, eval);
            if best >= window.beta {
                return best;
            }
            window.alpha = window.alpha.max(best);
        }
        let stand_pat = best;
        let checks = (first && self.parameters.quiescence_checks && !evading).then(|| Checks::of(position));

        let mut picker = MovePicker::new(
            position,
            Hints {
                tt_move: tt_entry.and_then(|tt_entry| tt_entry.mv),
                tactical_only: !evading && checks.is_none(),
                ..Hints::default()
            },
        );
        let mut best_move = None;
        let most_quiet_evasions = self.parameters.quiescence_quiet_evasions;
        let mut quiet_evasions = 0;
        let context = if evading {
            self.history_context(ply)
        } else {
            HistoryContext::default()
        };
        while let Some(mv) = picker.next(position, &self.values(&context)) {
            let captured = position.captured(mv);
            let candidate = Candidate { mv, captured };
            if !evading && self.is_pruned_in_quiescence(position, candidate, stand_pat, window, checks.as_ref()) {
                continue;
            }
            if evading && captured.is_none() && best > -Score::LEAST_MATE {
                if most_quiet_evasions > 0 && quiet_evasions >= most_quiet_evasions {
                    continue;
                }
                quiet_evasions += 1;
            }
            let child = self.child_of(position, mv);
            self.make(position, &child, mv, ply);
            if self.observes_nodes() {
                self.observer
                    .on_move_made(ply.get() as u32, Some(mv), MadeBy::Quiescence);
            }
            let score = -self.quiescence::<K>(&child, window.flipped(), ply.next(), false);
            self.unmake();
            if self.stopped {
                return Score::DRAW;
            }
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = Some(mv);
                    if score >= window.beta {
                        self.memory.stack[ply.index()].refutation = Some(mv);
                        break;
                    }
                    window.alpha = score;
                }
            }
        }
        if best_move.is_none() && !picker.has_legal_move(position) {
            return if position.in_check() {
                Score::mated_in(ply)
            } else {
                Score::DRAW
            };
        }
        let bound = if best >= window.beta {
            Bound::Lower
        } else if best > original_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let tt_entry = TableEntry {
            mv: best_move,
            score: best,
            bound,
            depth: Depth::HORIZON,
            pv: K::PV || tt_entry.is_some_and(|tt_entry| tt_entry.pv),
            static_eval: raw,
        };
        self.store(position, ply, tt_entry);
        best
    }

    /// Whether quiescence prunes a move of a position that is not in check.
    fn is_pruned_in_quiescence(
        &self,
        position: &Position,
        Candidate { mv, captured }: Candidate,
        stand_pat: Score,
        window: Window,
        checks: Option<&Checks>,
    ) -> bool {
        let quiet = mv.promotion.is_none() && captured.is_none();
        let gives_check = checks.is_some_and(|checks| checks.gives(position, mv));
        if quiet && !gives_check {
            return true;
        }
        if mv.promotion.is_some_and(|piece| piece != Piece::Queen) {
            return true;
        }
        if self.parameters.quiescence_delta_pruning && !gives_check && mv.promotion.is_none() {
            let gain = captured.map_or(0, see_value);
            if stand_pat + gain + self.parameters.quiescence_delta_margin <= window.alpha {
                return true;
            }
        }
        self.parameters.quiescence_see_pruning && loses_material(position, mv)
    }
}
