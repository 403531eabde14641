//! Which history table a policy keeps: the declaration. The tables themselves live in the engine.

/// A policy's `[history]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct History {
    /// How the table is indexed, updated, bounded and aged.
    pub model: HistoryModel,
    /// Whether quiet moves are also ordered by this table, in place of the preset's own history.
    pub orders_moves: bool,
}

/// The published models. All are indexed by piece (of a colour) and destination square.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum HistoryModel {
    /// Rebel (Schröder 2017): every searched non-capture within `ply_limit` of the root gets `+depth²` when it improved
    /// alpha and `-depth` otherwise; an entry that reaches `bound` in absolute value is halved. Cleared at each search.
    Rebel {
        /// Greatest distance from the root at which entries are updated, in plies.
        ply_limit: u32,
        /// Absolute value at which an entry is halved.
        bound: i32,
    },
    /// MadChess 2.0 (Madsen 2015): a quiet move that causes a beta cutoff gets `+depth²`; after each iteration the
    /// entries of the side to move at the root keep `age_percent` of their value. Cleared for each game.
    MadChess {
        /// What an entry keeps at each iteration, in percent.
        age_percent: u32,
    },
}
