//! How much games.pgn contains.

/// How much games.pgn contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PgnStyle {
    /// There is no such file.
    None,
    /// The moves, and why a game ended that the rules did not end.
    Compact,
    /// Beside each move its score, depth, nodes, and time where time counted.
    #[default]
    Full,
}

impl PgnStyle {
    /// The styles with the names that they have in a tournament file.
    pub const NAMES: [(&'static str, Self); 3] =
        [("none", Self::None), ("compact", Self::Compact), ("full", Self::Full)];
}
