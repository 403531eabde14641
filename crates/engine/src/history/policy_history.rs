//! The history table that a policy declares.

use cozy_chess::{Color, Piece, Square};
use lmrlab_policy::history::{HistoryModel, Index};

use super::gravity::with_gravity;
use super::move_key::{MoveKey, PieceTo};
use crate::depth::{Depth, Ply};

/// The result of the search of a move.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SearchedMove {
    pub(crate) key: MoveKey,
    /// Remaining depth of the node.
    pub(crate) depth: Depth,
    /// Distance of the node from the root.
    pub(crate) ply: Ply,
    /// The move neither captures nor promotes.
    pub(crate) quiet: bool,
    /// It raised alpha.
    pub(crate) improved: bool,
    /// It reached beta.
    pub(crate) cutoff: bool,
}

/// The bound of entries in models without a bound. Searches of hours stay far below it.
const ENTRY_LIMIT: i32 = 1 << 30;

/// The table.
#[derive(Debug, Clone)]
pub(crate) struct PolicyHistory {
    model: HistoryModel,
    values: Box<[i32]>,
    /// For models of relative counts: how often the move was tried.
    tries: Box<[i32]>,
}

impl PolicyHistory {
    pub(crate) fn new(model: HistoryModel) -> Self {
        let by_index = |index| match index {
            Index::PieceTo => PieceTo::COUNT,
            Index::FromTo => 2 * Square::NUM * Square::NUM,
        };
        let (values, tries) = match model {
            HistoryModel::Rebel { .. } | HistoryModel::MadChess { .. } | HistoryModel::ProDeo { .. } => {
                (PieceTo::COUNT, 0)
            }
            HistoryModel::Butterfly { index, .. } | HistoryModel::Gravity { index, .. } => (by_index(index), 0),
            HistoryModel::Fruit { .. } => (PieceTo::COUNT, PieceTo::COUNT),
            HistoryModel::Relative { index, .. } => (by_index(index), by_index(index)),
            HistoryModel::Continuation { .. } => (PieceTo::COUNT * PieceTo::COUNT, 0),
            HistoryModel::Capture { .. } => (PieceTo::COUNT * Piece::NUM, 0),
        };
        let mut history = Self {
            model,
            values: vec![0; values].into_boxed_slice(),
            tries: vec![0; tries].into_boxed_slice(),
        };
        history.clear();
        history
    }

    /// Copies the entries of `other`, which has the same model.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.values.copy_from_slice(&other.values);
        self.tries.copy_from_slice(&other.tries);
    }

    /// Resets every entry to its start value.
    pub(crate) fn clear(&mut self) {
        let (value, tries) = match self.model {
            HistoryModel::ProDeo { start, .. } => (start, 0),
            HistoryModel::Fruit { .. } => (1, 1),
            _ => (0, 0),
        };
        self.values.fill(value);
        self.tries.fill(tries);
    }

    /// Starts a search. Clears the table if its model is cleared for each search.
    pub(crate) fn new_search(&mut self) {
        match self.model {
            HistoryModel::Rebel { .. }
            | HistoryModel::ProDeo { .. }
            | HistoryModel::Fruit { .. }
            | HistoryModel::Relative { .. }
            | HistoryModel::Butterfly { .. } => self.clear(),
            HistoryModel::MadChess { .. }
            | HistoryModel::Gravity { .. }
            | HistoryModel::Continuation { .. }
            | HistoryModel::Capture { .. } => {}
        }
    }

    /// Starts an iteration, with `side` to move at the root.
    pub(crate) fn new_iteration(&mut self, side: Color) {
        if let HistoryModel::MadChess { age_percent } = self.model {
            let half = PieceTo::COUNT / 2;
            for entry in &mut self.values[side as usize * half..][..half] {
                *entry = (i64::from(*entry) * i64::from(age_percent) / 100) as i32;
            }
        }
    }

    /// The index of a move's entry; `None` when the model has none for the move.
    #[inline]
    fn place(&self, key: &MoveKey) -> Option<usize> {
        match self.model {
            HistoryModel::Rebel { .. }
            | HistoryModel::MadChess { .. }
            | HistoryModel::ProDeo { .. }
            | HistoryModel::Fruit { .. } => Some(key.piece_to.index()),
            HistoryModel::Butterfly { index, .. }
            | HistoryModel::Gravity { index, .. }
            | HistoryModel::Relative { index, .. } => Some(key.index(index)),
            HistoryModel::Continuation { .. } => key
                .previous
                .map(|previous| previous.index() * PieceTo::COUNT + key.piece_to.index()),
            HistoryModel::Capture { .. } => key
                .captured
                .map(|captured| key.piece_to.index() * Piece::NUM + captured as usize),
        }
    }

    /// The value of a move.
    #[inline]
    pub(crate) fn get(&self, key: &MoveKey) -> i32 {
        let Some(place) = self.place(key) else {
            return 0;
        };
        let value = self.values[place];
        let quotient = |scale: i32| {
            let tries = self.tries[place];
            if tries == 0 {
                0
            } else {
                (i64::from(scale) * i64::from(value) / i64::from(tries)) as i32
            }
        };
        match self.model {
            HistoryModel::Fruit { .. } => quotient(16_384),
            HistoryModel::Relative { scale, .. } => quotient(scale),
            _ => value,
        }
    }

    /// Updates the table after the search of a move.
    #[inline]
    pub(crate) fn searched(&mut self, searched: &SearchedMove) {
        let depth = searched.depth.get().max(0);
        match self.model {
            HistoryModel::Rebel { ply_limit, bound } => {
                if searched.key.captured.is_none() && searched.ply.get() as u32 <= ply_limit {
                    let entry = &mut self.values[searched.key.piece_to.index()];
                    *entry += if searched.improved { depth * depth } else { -depth };
                    if entry.abs() >= bound {
                        *entry /= 2;
                    }
                }
            }
            HistoryModel::ProDeo { .. } if searched.key.captured.is_some() => {}
            HistoryModel::ProDeo { bonus, malus, .. } => {
                let entry = &mut self.values[searched.key.piece_to.index()];
                *entry += if searched.improved { bonus } else { -malus };
                *entry = (*entry).clamp(-ENTRY_LIMIT, ENTRY_LIMIT);
            }
            HistoryModel::MadChess { .. } => {
                if searched.cutoff && searched.quiet {
                    let entry = &mut self.values[searched.key.piece_to.index()];
                    *entry = (*entry + depth * depth).min(ENTRY_LIMIT);
                }
            }
            HistoryModel::Relative { index, increment, .. } => {
                if searched.quiet {
                    let amount = increment.at(depth);
                    let place = searched.key.index(index);
                    self.tries[place] = (self.tries[place] + amount).min(ENTRY_LIMIT);
                    if searched.cutoff {
                        self.values[place] = (self.values[place] + amount).min(self.tries[place]);
                    }
                }
            }
            HistoryModel::Butterfly { .. }
            | HistoryModel::Gravity { .. }
            | HistoryModel::Fruit { .. }
            | HistoryModel::Continuation { .. }
            | HistoryModel::Capture { .. } => {}
        }
    }

    /// Updates the table after a beta cutoff by `best`. `earlier` are the moves of its kind (quiet or capture) tried before.
    pub(crate) fn cutoff(&mut self, best: &MoveKey, earlier: impl Iterator<Item = MoveKey>, depth: Depth) {
        let depth = depth.get().max(0);
        let captures = best.captured.is_some();
        if captures != matches!(self.model, HistoryModel::Capture { .. }) {
            return;
        }
        match self.model {
            HistoryModel::Butterfly {
                bonus, malus, bound, ..
            } => {
                self.add(best, bonus.at(depth), bound);
                if let Some(malus) = malus {
                    for key in earlier {
                        self.add(&key, -malus.at(depth), bound);
                    }
                }
            }
            HistoryModel::Gravity { .. } | HistoryModel::Continuation { .. } | HistoryModel::Capture { .. } => {
                self.add_with_gravity(best, 1, depth);
                for key in earlier {
                    self.add_with_gravity(&key, -1, depth);
                }
            }
            HistoryModel::Fruit { limit } => {
                let limit = limit as i32;
                self.count(best, true, limit);
                for key in earlier {
                    self.count(&key, false, limit);
                }
            }
            HistoryModel::Rebel { .. }
            | HistoryModel::ProDeo { .. }
            | HistoryModel::MadChess { .. }
            | HistoryModel::Relative { .. } => {}
        }
    }

    /// Malus for a single move, in models with gravity.
    pub(crate) fn failure(&mut self, key: &MoveKey, depth: Depth) {
        self.add_with_gravity(key, -1, depth.get().max(0));
    }

    /// Adds to an entry. When it reaches the bound, all entries are halved.
    fn add(&mut self, key: &MoveKey, amount: i32, bound: i32) {
        if let Some(place) = self.place(key) {
            self.values[place] = self.values[place].saturating_add(amount);
            if self.values[place].abs() >= bound {
                for entry in &mut self.values {
                    *entry /= 2;
                }
                // One update may be greater than the bound itself.
                self.values[place] = self.values[place].clamp(-bound, bound);
            }
        }
    }

    /// Adds a bonus (`sign` 1) or a malus (-1), in models with gravity.
    fn add_with_gravity(&mut self, key: &MoveKey, sign: i32, depth: i32) {
        if let HistoryModel::Gravity { scale, max, bound, .. }
        | HistoryModel::Continuation { scale, max, bound }
        | HistoryModel::Capture { scale, max, bound } = self.model
            && let Some(place) = self.place(key)
        {
            let bonus = scale.saturating_mul(depth * depth).min(max).min(bound);
            self.values[place] = with_gravity(self.values[place], sign * bonus, bound);
        }
    }

    fn count(&mut self, key: &MoveKey, hit: bool, limit: i32) {
        if let Some(place) = self.place(key) {
            self.tries[place] += 1;
            self.values[place] += i32::from(hit);
            if self.tries[place] >= limit {
                self.tries[place] = (self.tries[place] + 1) / 2;
                self.values[place] = (self.values[place] + 1) / 2;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use lmrlab_policy::history::Increment;

    use super::*;
    use crate::position::Position;

    /// Nf3 in the initial position, without a previous move.
    fn knight_key() -> MoveKey {
        key("g1f3", None)
    }

    fn key(mv: &str, previous: Option<PieceTo>) -> MoveKey {
        MoveKey::new(&Position::initial(), mv.parse().unwrap(), previous)
    }

    fn knight_to_f3(depth: i32, ply: i32, improved: bool, cutoff: bool) -> SearchedMove {
        SearchedMove {
            key: knight_key(),
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
        let value = |history: &PolicyHistory| history.get(&knight_key());
        history.searched(&knight_to_f3(6, 8, true, false));
        assert_eq!(value(&history), 36);
        history.searched(&knight_to_f3(6, 9, true, false));
        assert_eq!(value(&history), 36);
        history.searched(&knight_to_f3(6, 3, false, false));
        assert_eq!(value(&history), 30);
        for _ in 0..10_000 {
            history.searched(&knight_to_f3(12, 1, true, false));
            assert!(value(&history).abs() < 2000);
        }
        history.new_search();
        assert_eq!(value(&history), 0);
    }

    #[test]
    fn madchess_counts_cutoffs_and_ages_one_side() {
        let mut history = PolicyHistory::new(HistoryModel::MadChess { age_percent: 95 });
        let value = |history: &PolicyHistory| history.get(&knight_key());
        history.searched(&knight_to_f3(10, 20, true, false));
        assert_eq!(value(&history), 0);
        history.searched(&knight_to_f3(10, 20, true, true));
        assert_eq!(value(&history), 100);
        history.new_iteration(Color::Black);
        assert_eq!(value(&history), 100);
        history.new_iteration(Color::White);
        assert_eq!(value(&history), 95);
        history.new_search();
        assert_eq!(value(&history), 95);
    }

    #[test]
    fn prodeo_earns_five_and_loses_one_from_a_hundred() {
        let mut history = PolicyHistory::new(HistoryModel::ProDeo {
            start: 100,
            bonus: 5,
            malus: 1,
        });
        assert_eq!(history.get(&knight_key()), 100);
        history.searched(&knight_to_f3(3, 2, true, false));
        history.searched(&knight_to_f3(3, 2, false, false));
        history.searched(&knight_to_f3(3, 2, false, false));
        assert_eq!(history.get(&knight_key()), 103);
        history.new_search();
        assert_eq!(history.get(&knight_key()), 100);
    }

    #[test]
    fn fruit_is_sure_of_a_move_until_it_fails() {
        let mut history = PolicyHistory::new(HistoryModel::Fruit { limit: 16_384 });
        assert_eq!(history.get(&knight_key()), 16_384);
        let other = key("e2e4", None);
        history.cutoff(&other, [knight_key()].into_iter(), Depth::new(9));
        assert_eq!(history.get(&knight_key()), 8_192);
        assert_eq!(history.get(&other), 16_384);
        let mut small = PolicyHistory::new(HistoryModel::Fruit { limit: 4 });
        for _ in 0..1_000 {
            small.cutoff(&other, [knight_key()].into_iter(), Depth::new(9));
        }
        assert!(small.get(&knight_key()) <= 8_192 && small.get(&other) <= 16_384);
    }

    #[test]
    fn relative_history_divides_cutoffs_by_tries() {
        let mut history = PolicyHistory::new(HistoryModel::Relative {
            index: Index::FromTo,
            increment: Increment::Depth,
            scale: 1_000,
        });
        assert_eq!(history.get(&knight_key()), 0);
        history.searched(&knight_to_f3(6, 2, true, true));
        history.searched(&knight_to_f3(2, 2, false, false));
        assert_eq!(history.get(&knight_key()), 750);
        // Another knight that goes to the same square is another move, unless the index says otherwise.
        let knights = Position::from_fen("4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1").unwrap();
        let other = MoveKey::new(&knights, "d2f3".parse().unwrap(), None);
        assert_eq!(history.get(&other), 0);
        let mut by_piece = PolicyHistory::new(HistoryModel::Relative {
            index: Index::PieceTo,
            increment: Increment::One,
            scale: 1_000,
        });
        by_piece.searched(&knight_to_f3(6, 2, true, true));
        assert_eq!(by_piece.get(&other), 1_000);
    }

    #[test]
    fn butterfly_rewards_punishes_and_halves() {
        let mut history = PolicyHistory::new(HistoryModel::Butterfly {
            index: Index::FromTo,
            bonus: Increment::DepthSquared,
            malus: Some(Increment::Depth),
            bound: 100,
        });
        let other = key("e2e4", None);
        history.cutoff(&knight_key(), [other].into_iter(), Depth::new(7));
        assert_eq!(history.get(&knight_key()), 49);
        assert_eq!(history.get(&other), -7);
        history.cutoff(&knight_key(), std::iter::empty(), Depth::new(8));
        assert_eq!(history.get(&knight_key()), (49 + 64) / 2);
        assert_eq!(history.get(&other), -3);
    }

    #[test]
    fn continuation_depends_on_the_move_before() {
        let mut history = PolicyHistory::new(HistoryModel::Continuation {
            scale: 10,
            max: 500,
            bound: 1_000,
        });
        let before = PieceTo {
            color: Color::Black,
            piece: Piece::Pawn,
            to: Square::E5,
        };
        history.cutoff(&key("g1f3", Some(before)), std::iter::empty(), Depth::new(5));
        assert_eq!(history.get(&key("g1f3", Some(before))), 250);
        assert_eq!(history.get(&knight_key()), 0);
    }
}
