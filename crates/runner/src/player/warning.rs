//! Warnings: oddities of a player that a user should know of.

/// The kind of a [`Warning`]. Each kind is reported once for each engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum WarningKind {
    /// The player answered without being asked.
    ExtraAnswer,
    /// The player searches far more nodes than it may.
    TooManyNodes,
    /// The player named no move in a position with legal moves.
    NoMove,
}

/// An oddity of a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The kind.
    pub kind: WarningKind,
    /// What happened, as the rest of a sentence that begins with the player's name.
    pub what: String,
}

impl Warning {
    /// A warning of this kind.
    pub fn new(kind: WarningKind, what: impl Into<String>) -> Self {
        Self {
            kind,
            what: what.into(),
        }
    }
}
