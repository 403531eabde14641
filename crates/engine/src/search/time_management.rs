//! Time management: scales the soft time limit by the stability of the best move and its score.

use arrayvec::ArrayVec;
use cozy_chess::Move;

use crate::move_picker::MAX_MOVES;
use crate::score::Score;

/// Nodes by root move.
#[derive(Debug, Default)]
pub(super) struct RootMoveNodes(ArrayVec<(Move, u64), MAX_MOVES>);

impl RootMoveNodes {
    /// Adds nodes of a root move.
    pub(super) fn add(&mut self, mv: Move, nodes: u64) {
        match self.0.iter_mut().find(|(other, _)| *other == mv) {
            Some((_, sum)) => *sum += nodes,
            None => {
                let _ = self.0.try_push((mv, nodes));
            }
        }
    }

    /// A root move's share of all nodes, from 0 to 1.
    pub(super) fn share(&self, mv: Move) -> f64 {
        let total: u64 = self.0.iter().map(|(_, nodes)| nodes).sum();
        let own = self.0.iter().find(|(other, _)| *other == mv);
        match own {
            Some((_, nodes)) if total > 0 => *nodes as f64 / total as f64,
            _ => 0.0,
        }
    }
}

/// The stability of the best move and of its score.
#[derive(Debug, Default)]
pub(super) struct TimeManagement {
    best: Option<(Move, Score)>,
    /// Iterations in a row with the same best move, the last one included.
    same: u32,
    iterations: u32,
    /// The drop of the score in the last iteration, in centipawns.
    fall: i32,
}

/// Iterations before the time is scaled.
const FIRST_ITERATIONS: u32 = 5;

impl TimeManagement {
    /// Updates the stability after an iteration.
    pub(super) fn update(&mut self, mv: Move, score: Score) {
        self.iterations += 1;
        self.same = match self.best {
            Some((before, _)) if before == mv => self.same + 1,
            _ => 1,
        };
        self.fall = self.best.map_or(0, |(_, before)| before - score);
        self.best = Some((mv, score));
    }

    /// The factor of the soft time limit. Less for a move that stays best and takes most nodes; more for a new best move or
    /// a falling score (after Stockfish's time management since 2019).
    pub(super) fn time_scale(&self, share: f64) -> f64 {
        if self.iterations < FIRST_ITERATIONS {
            return 1.0;
        }
        let stability = 1.35 - 0.09 * f64::from(self.same.min(6));
        let effort = 1.75 - 1.2 * share;
        let fall = 1.0 + f64::from(self.fall.clamp(0, 60)) / 80.0;
        stability * effort * fall
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sure_move_takes_less_time_than_a_doubtful_one() {
        let [a, b]: [Move; 2] = ["e2e4".parse().unwrap(), "d2d4".parse().unwrap()];
        let (mut sure, mut doubtful) = (TimeManagement::default(), TimeManagement::default());
        for iteration in 0..8 {
            sure.update(a, Score::centipawns(20));
            doubtful.update(
                if iteration % 2 == 0 { a } else { b },
                Score::centipawns(-20 * iteration),
            );
        }
        assert!(sure.time_scale(0.95) < 0.6);
        assert!(doubtful.time_scale(0.3) > 1.5);
        assert!(sure.time_scale(0.2) > sure.time_scale(0.9));
    }

    #[test]
    fn shares_of_root_moves() {
        let [a, b]: [Move; 2] = ["e2e4".parse().unwrap(), "d2d4".parse().unwrap()];
        let mut nodes = RootMoveNodes::default();
        assert_eq!(nodes.share(a), 0.0);
        nodes.add(a, 30);
        nodes.add(b, 10);
        nodes.add(a, 60);
        assert_eq!(nodes.share(a), 0.9);
    }
}
