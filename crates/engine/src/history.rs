//! What earlier parts of the search say about a move: killer moves and history tables.

use cozy_chess::{Color, Move, Piece, Square};
use lmrlab_policy::history::HistoryModel;

use crate::depth::{Depth, Ply};

/// Two moves per ply that caused cutoffs there (Akl, Newborn 1977).
#[derive(Debug, Clone)]
pub(crate) struct Killers(Box<[[Option<Move>; 2]]>);

impl Killers {
    pub(crate) fn new() -> Self {
        Self(vec![[None; 2]; Ply::MAX.index() + 2].into_boxed_slice())
    }

    pub(crate) fn clear(&mut self) {
        self.0.fill([None; 2]);
    }

    #[inline]
    pub(crate) fn at(&self, ply: Ply) -> [Option<Move>; 2] {
        self.0[ply.index()]
    }

    #[inline]
    pub(crate) fn insert(&mut self, ply: Ply, mv: Move) {
        let pair = &mut self.0[ply.index()];
        if pair[0] != Some(mv) {
            *pair = [Some(mv), pair[0]];
        }
    }
}

/// How quiet moves fared, by colour, origin and destination, with updates that shrink near the bound ("gravity",
/// Stockfish 2016, after the history heuristic of Schaeffer 1983).
#[derive(Debug, Clone)]
pub(crate) struct ButterflyHistory(Box<[[i32; 64 * 64]; 2]>);

impl ButterflyHistory {
    pub(crate) fn new() -> Self {
        Self(Box::new([[0; 64 * 64]; 2]))
    }

    pub(crate) fn clear(&mut self) {
        for side in self.0.iter_mut() {
            side.fill(0);
        }
    }

    #[inline]
    pub(crate) fn get(&self, color: Color, mv: Move) -> i32 {
        self.0[color as usize][mv.from as usize * 64 + mv.to as usize]
    }

    /// Moves the entry by `bonus`, less what it already has of it: the value stays within `bound`.
    #[inline]
    pub(crate) fn update(&mut self, color: Color, mv: Move, bonus: i32, bound: i32) {
        let entry = &mut self.0[color as usize][mv.from as usize * 64 + mv.to as usize];
        let bonus = bonus.clamp(-bound, bound);
        *entry += bonus - (i64::from(*entry) * i64::from(bonus.abs()) / i64::from(bound)) as i32;
    }
}

/// The history table that a policy declares, by piece (with its colour) and destination.
#[derive(Debug, Clone)]
pub(crate) struct PolicyHistory {
    model: HistoryModel,
    entries: Box<[[i32; 64]; 12]>,
}

/// Entries of models without a bound of their own stop here; far above what a search of hours reaches.
const ENTRY_LIMIT: i32 = 1 << 30;

impl PolicyHistory {
    pub(crate) fn new(model: HistoryModel) -> Self {
        Self {
            model,
            entries: Box::new([[0; 64]; 12]),
        }
    }

    pub(crate) fn clear(&mut self) {
        for row in self.entries.iter_mut() {
            row.fill(0);
        }
    }

    /// A search begins.
    pub(crate) fn new_search(&mut self) {
        match self.model {
            HistoryModel::Rebel { .. } => self.clear(),
            HistoryModel::MadChess { .. } => {}
        }
    }

    /// An iteration begins, with `side` to move at the root.
    pub(crate) fn new_iteration(&mut self, side: Color) {
        match self.model {
            HistoryModel::Rebel { .. } => {}
            HistoryModel::MadChess { age_percent } => {
                let first = row(side, Piece::Pawn);
                for entry in self.entries[first..first + Piece::NUM].iter_mut().flatten() {
                    *entry = (i64::from(*entry) * i64::from(age_percent) / 100) as i32;
                }
            }
        }
    }

    #[inline]
    pub(crate) fn get(&self, color: Color, piece: Piece, to: Square) -> i32 {
        self.entries[row(color, piece)][to as usize]
    }

    /// A move that captures nothing was searched at `ply` in a node of this depth; `improved`: it raised alpha; `cutoff`:
    /// it reached beta; `quiet`: it did not promote either.
    #[inline]
    pub(crate) fn searched(&mut self, mv: SearchedMove) {
        let entry = &mut self.entries[row(mv.color, mv.piece)][mv.to as usize];
        let depth = mv.depth.get().max(0);
        match self.model {
            HistoryModel::Rebel { ply_limit, bound } => {
                if mv.ply.get() as u32 <= ply_limit {
                    *entry += if mv.improved { depth * depth } else { -depth };
                    if entry.abs() >= bound {
                        *entry /= 2;
                    }
                }
            }
            HistoryModel::MadChess { .. } => {
                if mv.cutoff && mv.quiet {
                    *entry = (*entry + depth * depth).min(ENTRY_LIMIT);
                }
            }
        }
    }
}

/// What a history table learns about a move that captures nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SearchedMove {
    pub(crate) color: Color,
    pub(crate) piece: Piece,
    pub(crate) to: Square,
    pub(crate) depth: Depth,
    pub(crate) ply: Ply,
    pub(crate) quiet: bool,
    pub(crate) improved: bool,
    pub(crate) cutoff: bool,
}

fn row(color: Color, piece: Piece) -> usize {
    color as usize * Piece::NUM + piece as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn knight_to_f3(depth: i32, ply: i32, improved: bool, cutoff: bool) -> SearchedMove {
        SearchedMove {
            color: Color::White,
            piece: Piece::Knight,
            to: Square::F3,
            depth: Depth::new(depth),
            ply: Ply::new(ply),
            quiet: true,
            improved,
            cutoff,
        }
    }

    #[test]
    fn rebel_counts_near_the_root_only_and_stays_within_its_bound() {
        let mut history = PolicyHistory::new(HistoryModel::Rebel {
            ply_limit: 8,
            bound: 2000,
        });
        let value = |history: &PolicyHistory| history.get(Color::White, Piece::Knight, Square::F3);
        history.searched(knight_to_f3(6, 8, true, false));
        assert_eq!(value(&history), 36);
        history.searched(knight_to_f3(6, 9, true, false));
        assert_eq!(value(&history), 36);
        history.searched(knight_to_f3(6, 3, false, false));
        assert_eq!(value(&history), 30);
        for _ in 0..10_000 {
            history.searched(knight_to_f3(12, 1, true, false));
            assert!(value(&history).abs() < 2000);
        }
        history.new_search();
        assert_eq!(value(&history), 0);
    }

    #[test]
    fn madchess_counts_cutoffs_and_ages_one_side() {
        let mut history = PolicyHistory::new(HistoryModel::MadChess { age_percent: 95 });
        let value = |history: &PolicyHistory| history.get(Color::White, Piece::Knight, Square::F3);
        history.searched(knight_to_f3(10, 20, true, false));
        assert_eq!(value(&history), 0);
        history.searched(knight_to_f3(10, 20, true, true));
        assert_eq!(value(&history), 100);
        history.new_iteration(Color::Black);
        assert_eq!(value(&history), 100);
        history.new_iteration(Color::White);
        assert_eq!(value(&history), 95);
        history.new_search();
        assert_eq!(value(&history), 95);
    }

    #[test]
    fn butterfly_history_stays_within_its_bound() {
        let mut history = ButterflyHistory::new();
        let mv: Move = "g1f3".parse().unwrap();
        for step in 0..10_000 {
            let bonus = if step % 7 == 0 { -900 } else { 1200 };
            history.update(Color::White, mv, bonus, 1000);
            assert!(history.get(Color::White, mv).abs() <= 1000);
        }
        assert_eq!(history.get(Color::Black, mv), 0);
    }

    #[test]
    fn killers_keep_two_different_moves() {
        let mut killers = Killers::new();
        let [a, b]: [Move; 2] = ["g1f3".parse().unwrap(), "b1c3".parse().unwrap()];
        killers.insert(Ply::ROOT, a);
        killers.insert(Ply::ROOT, a);
        assert_eq!(killers.at(Ply::ROOT), [Some(a), None]);
        killers.insert(Ply::ROOT, b);
        assert_eq!(killers.at(Ply::ROOT), [Some(b), Some(a)]);
    }
}
