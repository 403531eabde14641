//! Which history table a policy keeps: the declaration. The tables themselves live in the engine.

use std::ops::RangeInclusive;

use crate::document::Table;

/// What `ply_limit` may be, in plies; 8 unless the file says otherwise.
pub const PLY_LIMITS: RangeInclusive<u32> = 1..=128;
/// What `bound` may be; 2000 unless the file says otherwise.
pub const BOUNDS: RangeInclusive<u32> = 2..=1_000_000;
/// What `age_percent` may be, in percent; 95 unless the file says otherwise.
pub const AGE_PERCENTS: RangeInclusive<u32> = 0..=100;

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

impl History {
    /// Reads `[history]`; `None` when something in it is wrong, which is then reported.
    pub(crate) fn read(table: Table<'_>) -> Option<Self> {
        let model = table.require(
            "model",
            table.choice(
                "model",
                &[("rebel", Model::Rebel), ("madchess", Model::MadChess)],
            ),
        );
        let orders_moves = table.boolean("orders_moves").unwrap_or(false);
        let model = model.map(|model| match model {
            Model::Rebel => HistoryModel::Rebel {
                ply_limit: integer(&table, "ply_limit", 8, PLY_LIMITS),
                bound: integer(&table, "bound", 2000, BOUNDS) as i32,
            },
            Model::MadChess => HistoryModel::MadChess {
                age_percent: integer(&table, "age_percent", 95, AGE_PERCENTS),
            },
        });
        if model.is_some() {
            table.close();
        }
        Some(Self {
            model: model?,
            orders_moves,
        })
    }
}

#[derive(Clone, Copy)]
enum Model {
    Rebel,
    MadChess,
}

fn integer(table: &Table<'_>, key: &str, default: u32, range: RangeInclusive<u32>) -> u32 {
    table
        .integer(key, i64::from(*range.start())..=i64::from(*range.end()))
        .map_or(default, |value| value as u32)
}
