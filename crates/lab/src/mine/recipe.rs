//! What positions to look for, and how.

/// What kind of positions to look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Motif {
    /// One move is clearly best, and the player of the game overlooked it.
    Tactics,
    /// Zugzwang: a side would rather pass than move, and a search with null moves misses the best move.
    Zugzwang,
}

/// Which games to play, and what to keep of them.
#[derive(Debug, Clone)]
pub struct Recipe {
    /// What to look for.
    pub motif: Motif,
    /// Most positions.
    pub count: usize,
    /// Most games, or random endgames.
    pub games: u64,
    /// Seed of the openings and of the random plies behind them (PCG64, O'Neill 2014): game `n` depends on the seed and `n`
    /// alone.
    pub seed: u64,
    /// Nodes of each move of the games.
    pub game_nodes: u64,
    /// Nodes of the searches that judge a position.
    pub nodes: u64,
    /// By how much the best move must be better than the second, in centipawns.
    pub margin: i32,
}
