//! The defaults of a run, and the bounds of what can be asked for.

use std::num::NonZeroUsize;

use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_engine::engine::HASH_MIB;
use lmrlab_stats::{EloModel, Sprt};

pub use lmrlab_engine::engine::DEFAULT_HASH_MIB;

/// Pairs that a test may take by default, when openings may be used again: more than reasonable bounds need.
pub const SPRT_PAIRS: u64 = 100_000;
/// Nodes a move of a match without another limit.
pub const DEFAULT_NODES: u64 = 10_000;
/// The greatest number of pairs for each pairing.
pub const MAX_PAIRS: u64 = 1_000_000_000;
/// The greatest place in the order of the openings at which a run can begin.
pub const MAX_START: u64 = 1_000_000_000;
/// The greatest number of threads.
pub const MAX_THREADS: u64 = 1_024;
/// The largest transposition table, in MiB.
pub const MAX_HASH_MIB: u32 = *HASH_MIB.end();
/// The default openings, from the root of the project.
pub const DEFAULT_OPENINGS: &str = "positions/book.epd";
/// The default openings of Chess960: its 960 start positions.
pub const DEFAULT_CHESS960_OPENINGS: &str = "positions/chess960.epd";
/// The default preset.
pub const DEFAULT_PRESET: &str = "standard";
/// The default error probabilities of a test.
pub const DEFAULT_ERROR: f64 = Sprt::DEFAULT_ERROR_RATE;
/// The longest name of a tournament or an engine, in characters.
pub const MAX_NAME: usize = 200;

/// The models of Elo with the names that they have in a tournament file.
pub const MODELS: [(&str, EloModel); 2] = [("normalized", EloModel::Normalized), ("logistic", EloModel::Logistic)];

/// The openings when none are named, from the root of the project. They are of chess unless the user asks for Chess960.
pub fn default_openings(asked: Option<ChessVariant>) -> &'static str {
    match asked.unwrap_or_default() {
        ChessVariant::Standard => DEFAULT_OPENINGS,
        ChessVariant::Chess960 => DEFAULT_CHESS960_OPENINGS,
    }
}

/// The number of threads that the machine has.
pub fn all_threads() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// The default number of threads: all that the machine has. When time counts, it is one less, so that the players lose
/// no time to other work. When programs think on the opponent's time, it is half, because then both sides of a game
/// think.
pub fn usual_threads(timed: bool, ponders: bool) -> NonZeroUsize {
    let all = all_threads();
    if ponders {
        return NonZeroUsize::new(all.get() / 2).unwrap_or(NonZeroUsize::MIN);
    }
    if timed {
        NonZeroUsize::new(all.get() - 1).unwrap_or(all)
    } else {
        all
    }
}
