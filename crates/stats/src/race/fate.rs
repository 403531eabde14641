//! Whether a variant is still in the race.

/// The state of a variant in a race.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RaceFate {
    /// Still in the race.
    Racing,
    /// Out of the race after this many rounds.
    Dropped {
        /// Rounds that it has played.
        rounds: u64,
    },
    /// The best, or better than the baseline, after this many rounds.
    Accepted {
        /// Rounds that it has played.
        rounds: u64,
    },
    /// The baseline itself.
    Baseline,
}
