//! Iterative deepening with aspiration windows.

use cozy_chess::Move;

use super::kind::Root;
use super::observer::CompletedIteration;
use super::report::Report;
use super::state::Search;
use super::time_management::{TimeManagement, time_budget};
use super::window::Window;
use crate::depth::{Depth, Ply};
use crate::game::Game;
use crate::limits::Limits;
use crate::move_picker::{Hints, MovePicker};
use crate::position::Position;
use crate::reductions::Reductions;
use crate::score::Score;

impl<R: Reductions, const OBSERVED: bool> Search<'_, R, OBSERVED> {
    /// Searches with increasing depth until a limit is met.
    pub(crate) fn run(mut self, game: &Game, limits: &Limits) -> Report {
        let root = game.position();
        self.budget = time_budget(limits, root.move_number());
        let last = limits.depth.map_or(Depth::MAX, |depth| {
            Depth::new(depth.clamp(1, Depth::MAX.get() as u32) as i32)
        });
        let legal_moves = self.first_legal_move(root);
        let mut depth = Depth::ONE;
        let mut completed = Depth::HORIZON;
        let mut time_management = TimeManagement::default();
        while legal_moves.is_some() && depth <= last {
            self.root_depth = depth;
            if let Some(history) = &mut self.memory.policy_history {
                history.new_iteration(root.side_to_move());
            }
            self.aspirate(root, depth);
            if self.stopped {
                break;
            }
            completed = depth;
            if let Some((mv, score)) = self.best {
                if !self.were_best.contains(&mv) {
                    self.were_best.push(mv);
                }
                time_management.update(mv, score);
            }
            self.report_progress();
            if self.is_done(limits, &time_management) {
                break;
            }
            depth = depth + 1;
        }
        let (best, score) = match self.best {
            Some((mv, score)) => (Some(mv), score),
            None => (legal_moves, Score::DRAW),
        };
        Report {
            best,
            score,
            depth: completed.get().max(self.best.map_or(0, |_| 1)) as u32,
            seldepth: self.seldepth.get() as u32,
            nodes: self.nodes,
            time: self.started.elapsed(),
            pv: {
                let mut pv = self.best_pv;
                if pv.first().copied() != best {
                    pv.clear();
                    pv.extend(best);
                }
                pv
            },
        }
    }

    /// Whether to stop after this iteration: the wanted mate is found, or the soft time limit has passed.
    fn is_done(&self, limits: &Limits, time_management: &TimeManagement) -> bool {
        let Some((mv, score)) = self.best else {
            return false;
        };
        if let (Some(wanted), Some(moves)) = (limits.mate, score.moves_to_mate())
            && moves.unsigned_abs() <= wanted
        {
            return true;
        }
        self.budget.soft.is_some_and(|soft| {
            let scale = time_management.time_scale(self.root_move_nodes.share(mv));
            self.started.elapsed() >= soft.mul_f64(scale)
        })
    }

    /// The move to play when no iteration completes a move.
    fn first_legal_move(&self, root: &Position) -> Option<Move> {
        let tt_entry = self.memory.table.probe(root.key(), Ply::ROOT);
        let hints = Hints {
            tt_move: tt_entry.and_then(|tt_entry| tt_entry.mv),
            losing_captures_last: true,
            ..Hints::default()
        };
        let mut picker = MovePicker::new(root, hints);
        while let Some(mv) = picker.next(root, &()) {
            if self.is_in_search_moves(mv) {
                return Some(mv);
            }
        }
        None
    }

    /// One iteration with aspiration windows: widens the window until the score lies inside.
    fn aspirate(&mut self, root: &Position, depth: Depth) {
        let mut delta = self.parameters.aspiration_window;
        let previous = self.best.map(|(_, score)| score);
        let mut window = match previous {
            Some(score) if delta > 0 && depth.get() >= self.parameters.aspiration_min_depth && !score.is_mate() => {
                Window::around(score, delta, delta)
            }
            _ => Window::OPEN,
        };
        loop {
            self.root_window = window.beta - window.alpha;
            let score = self.node::<Root>(root, window, depth, Ply::ROOT, false, false);
            if self.stopped {
                return;
            }
            delta = delta.saturating_mul(2).max(1);
            if score <= window.alpha && window.alpha > Score::MINUS_INFINITE {
                window.alpha = Window::around(score, widened(delta), 0).alpha;
            } else if score >= window.beta && window.beta < Score::INFINITE {
                window.beta = Window::around(score, 0, widened(delta)).beta;
            } else {
                return;
            }
        }
    }

    fn report_progress(&mut self) {
        let Some((_, score)) = self.best else { return };
        self.observer.on_iteration(&CompletedIteration {
            depth: self.root_depth.get() as u32,
            seldepth: self.seldepth.get() as u32,
            score,
            nodes: self.nodes,
            time: self.started.elapsed(),
            permille_full: self.memory.table.permille_full(),
            pv: &self.best_pv,
        });
    }
}

/// The next half-width of an aspiration window; open after several failures.
fn widened(delta: i32) -> i32 {
    if delta > 1_000 {
        4 * Score::INFINITE.get()
    } else {
        delta
    }
}
