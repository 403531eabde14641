//! Races between many variants: find the best one, or all that beat a baseline, and drop hopeless variants early.
//!
//! [`Race::next`] says which pairs of games to play. [`Race::record`] takes their results in the same order. Decisions
//! depend on these results alone. Pairs come in blocks, so that many can be played at the same time; variants are
//! dropped between blocks.

mod baseline;
mod best;
mod fate;

use super::counts::PairOutcome;
use super::sprt::{EloModel, Sprt, SprtError};
use baseline::AgainstBaseline;
use best::Best;

pub use fate::RaceFate;

/// A block has at least this many pairs, enough for the threads of most machines.
const PAIRS_A_BLOCK: usize = 32;

/// What a race looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Goal {
    /// The best variant: every variant plays every other one until all but one are dropped.
    ///
    /// If one variant is better than every other by the given Elo, the race finds it with a probability of at least 1 -
    /// alpha. If several are closer together, it finds one of them. A variant is dropped when it is behind another one
    /// by more points than a bound. The bound narrows with each round and is finally zero. The noise of each difference
    /// of two variants is estimated from rounds, because the pairs of an opening are not independent. So variants that
    /// play the same games make a race longer, and no less sure. Sources: Edward Paulson, *A
    /// sequential procedure for selecting the population with the largest mean from k normal populations*, 1964 (the
    /// procedure); Vaclav Fabian, *Note on Anderson's sequential procedures with triangular boundary*, 1974 (its
    /// constants); Seong-Hee Kim and Barry Nelson, *A fully sequential procedure for indifference-zone selection in
    /// simulation*, 2001 (differences of scores instead of scores, a variance for each difference, and the constant for an
    /// estimated variance).
    Best,
    /// All variants that are better than the first, the baseline: each plays a sequential test against it.
    ///
    /// The tests are [`Sprt`]s. Each has the error rate alpha divided by the number of tests (Bonferroni). So the race
    /// accepts a variant that is no better than the baseline with a probability of at most alpha, all tests taken
    /// together. A variant that is better by the given Elo fails its test with a probability of about alpha divided by
    /// the number of tests.
    BeatBaseline,
}

/// A pair of games to play: the same opening twice, with colours swapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Duel {
    /// Number of the round, from 0. All duels of a round share an opening.
    pub round: u64,
    /// The outcome is recorded from the side of this variant.
    pub first: usize,
    /// Its opponent.
    pub second: usize,
}

/// Why a race cannot be set up.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RaceError {
    /// There are fewer than two variants.
    #[error("a race needs at least 2 variants, not {0}")]
    TooFewVariants(usize),
    /// The difference that matters is not greater than 0 and at most [`Race::MAX_ELO`].
    #[error("the difference that a race has to find must be greater than 0 and at most {most} Elo, not {0}", most = Race::MAX_ELO)]
    EloOutOfRange(f64),
    /// The error rate is not between 0 and 1/2.
    #[error("a race's alpha must be greater than 0 and less than 0.5, not {0}")]
    AlphaOutOfRange(f64),
    /// The tests against the baseline cannot be set up.
    #[error(transparent)]
    Test(SprtError),
}

#[derive(Debug, Clone)]
enum Kind {
    Best(Best),
    AgainstBaseline(AgainstBaseline),
}

/// A race between variants, which are numbered from 0.
///
/// ```
/// use lmrlab_stats::{EloModel, PairOutcome};
/// use lmrlab_stats::race::{RaceFate, Goal, Race};
///
/// let mut race = Race::new(Goal::Best, 3, EloModel::Normalized, 20.0, 0.05)?;
/// // Variant 1 scores one and a half points in each pair; all other pairs are even.
/// while !race.is_over() {
///     let outcomes: Vec<_> = race
///         .next()
///         .iter()
///         .map(|duel| match (duel.first, duel.second) {
///             (1, _) => PairOutcome::WinDraw,
///             (_, 1) => PairOutcome::LossDraw,
///             _ => PairOutcome::Even,
///         })
///         .collect();
///     race.record(&outcomes);
/// }
/// assert!(matches!(race.fate(1), RaceFate::Accepted { .. }));
/// # Ok::<(), lmrlab_stats::race::RaceError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Race {
    kind: Kind,
    fates: Vec<RaceFate>,
    rounds: u64,
    pairs: u64,
    block: Vec<Duel>,
}

impl Race {
    /// The greatest difference that a race may look for. Beyond it, points are not proportional to Elo.
    pub const MAX_ELO: f64 = 200.0;

    /// A race of this many variants; with [`Goal::BeatBaseline`] the first of them is the baseline. `elo`, on the scale
    /// of `model`, is the difference that matters, `alpha` the error rate.
    ///
    /// # Errors
    /// With fewer than two variants, a difference that is not greater than 0 and at most [`Self::MAX_ELO`], or an
    /// `alpha` that is not between 0 and 1/2.
    pub fn new(goal: Goal, variants: usize, model: EloModel, elo: f64, alpha: f64) -> Result<Self, RaceError> {
        if variants < 2 {
            return Err(RaceError::TooFewVariants(variants));
        }
        if !(elo > 0.0 && elo <= Self::MAX_ELO) {
            return Err(RaceError::EloOutOfRange(elo));
        }
        if !(alpha > 0.0 && alpha < 0.5) {
            return Err(RaceError::AlphaOutOfRange(alpha));
        }
        let mut fates = vec![RaceFate::Racing; variants];
        let kind = match goal {
            Goal::Best => Kind::Best(Best::new(variants, model, elo, alpha)),
            Goal::BeatBaseline => {
                fates[0] = RaceFate::Baseline;
                let error = alpha / (variants - 1) as f64;
                let sprt = Sprt::new(model, 0.0, elo, error, error).map_err(RaceError::Test)?;
                Kind::AgainstBaseline(AgainstBaseline::new(variants, sprt))
            }
        };
        let mut race = Self {
            kind,
            fates,
            rounds: 0,
            pairs: 0,
            block: Vec::new(),
        };
        race.block = race.plan();
        Ok(race)
    }

    /// The pairs to play next, round by round; none when the race is over.
    pub fn next(&self) -> &[Duel] {
        &self.block
    }

    /// Takes the outcomes of the pairs that [`Self::next`] names, in the same order, each from the side of
    /// [`Duel::first`]. If there are fewer, as after an interrupted match, only those of complete rounds count, and the
    /// other pairs are played again. Excess outcomes are ignored.
    pub fn record(&mut self, outcomes: &[PairOutcome]) {
        let block = std::mem::take(&mut self.block);
        let duels = block.iter().filter(|duel| duel.round == self.rounds).count();
        let complete = outcomes.len().min(block.len()) / duels.max(1);
        for round in block
            .chunks(duels.max(1))
            .zip(outcomes.chunks(duels.max(1)))
            .take(complete)
        {
            for (duel, &outcome) in round.0.iter().zip(round.1) {
                self.pairs += 1;
                match &mut self.kind {
                    Kind::Best(best) => best.record(duel.first, duel.second, outcome),
                    Kind::AgainstBaseline(tests) => tests.record(duel.first, outcome),
                }
            }
            self.rounds += 1;
            if let Kind::Best(best) = &mut self.kind {
                best.end_of_round(&self.fates);
            }
        }
        if complete > 0 {
            match &mut self.kind {
                Kind::Best(best) => best.drop_hopeless(&mut self.fates, self.rounds),
                Kind::AgainstBaseline(tests) => tests.decide(&mut self.fates, self.rounds),
            }
        }
        self.block = self.plan();
    }

    /// Whether everything has been decided.
    pub fn is_over(&self) -> bool {
        self.block.is_empty()
    }

    /// The state of a variant. A number without a variant counts as dropped before the start.
    pub fn fate(&self, variant: usize) -> RaceFate {
        let dropped = RaceFate::Dropped { rounds: 0 };
        self.fates.get(variant).copied().unwrap_or(dropped)
    }

    /// Rounds played.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// Pairs of games played.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    fn plan(&self) -> Vec<Duel> {
        let racing: Vec<usize> = (0..self.fates.len())
            .filter(|&variant| self.fates[variant] == RaceFate::Racing)
            .collect();
        let pairings: Vec<(usize, usize)> = match self.kind {
            Kind::Best(_) => racing
                .iter()
                .enumerate()
                .flat_map(|(place, &first)| racing[place + 1..].iter().map(move |&second| (first, second)))
                .collect(),
            Kind::AgainstBaseline(_) => racing.iter().map(|&variant| (variant, 0)).collect(),
        };
        if pairings.is_empty() {
            return Vec::new();
        }
        let rounds = PAIRS_A_BLOCK.div_ceil(pairings.len()) as u64;
        (self.rounds..self.rounds + rounds)
            .flat_map(|round| {
                pairings
                    .iter()
                    .map(move |&(first, second)| Duel { round, first, second })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn race(goal: Goal, variants: usize) -> Race {
        Race::new(goal, variants, EloModel::Normalized, 30.0, 0.05).expect("valid")
    }

    #[test]
    fn refuses_what_is_no_race() {
        let new = |variants, elo, alpha| Race::new(Goal::Best, variants, EloModel::Logistic, elo, alpha).map(|_| ());
        assert_eq!(new(1, 5.0, 0.05), Err(RaceError::TooFewVariants(1)));
        assert_eq!(new(2, 0.0, 0.05), Err(RaceError::EloOutOfRange(0.0)));
        assert!(matches!(new(2, f64::NAN, 0.05), Err(RaceError::EloOutOfRange(_))));
        assert_eq!(new(2, 5.0, 0.5), Err(RaceError::AlphaOutOfRange(0.5)));
        assert_eq!(new(2, 5.0, 0.05), Ok(()));
    }

    #[test]
    fn everybody_meets_everybody() {
        let race = race(Goal::Best, 4);
        let first: Vec<(usize, usize)> = (race.next().iter())
            .filter(|duel| duel.round == 0)
            .map(|duel| (duel.first, duel.second))
            .collect();
        assert_eq!(first, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
        assert_eq!(race.next().len(), 36);
    }

    #[test]
    fn equal_variants_come_to_an_end() {
        let mut race = race(Goal::Best, 3);
        while !race.is_over() {
            let draws = vec![PairOutcome::Even; race.next().len()];
            race.record(&draws);
            assert!(race.rounds() < 10_000);
        }
        assert!(matches!(race.fate(0), RaceFate::Accepted { .. }));
        assert!(matches!(race.fate(2), RaceFate::Dropped { .. }));
    }

    /// A round robin of as many rounds would have all pairings in each.
    #[test]
    fn a_race_takes_at_most_half_the_games_of_a_round_robin() {
        let mut race = race(Goal::Best, 8);
        while !race.is_over() {
            let outcomes: Vec<PairOutcome> = (race.next().iter())
                .map(|duel| match (duel.second, duel.round % 5) {
                    (1, 0..3) | (2.., 0..4) => PairOutcome::WinDraw,
                    _ => PairOutcome::LossDraw,
                })
                .collect();
            race.record(&outcomes);
        }
        assert!(matches!(race.fate(0), RaceFate::Accepted { .. }));
        let all = 28 * race.rounds();
        assert!(2 * race.pairs() <= all, "{} of {all}", race.pairs());
    }

    #[test]
    fn a_baseline_is_beaten_by_the_better_ones() {
        let mut race = race(Goal::BeatBaseline, 4);
        while !race.is_over() {
            let outcomes: Vec<PairOutcome> = (race.next().iter())
                .map(|duel| {
                    assert_eq!(duel.second, 0);
                    match (duel.first, duel.round % 3) {
                        (1, 0) => PairOutcome::WinDraw,
                        (2, 0) => PairOutcome::LossDraw,
                        (3, 1) => PairOutcome::WinDraw,
                        (3, 2) => PairOutcome::LossDraw,
                        _ => PairOutcome::Even,
                    }
                })
                .collect();
            race.record(&outcomes);
            if race.rounds() > 5000 {
                break;
            }
        }
        assert_eq!(race.fate(0), RaceFate::Baseline);
        assert!(matches!(race.fate(1), RaceFate::Accepted { .. }));
        assert!(matches!(race.fate(2), RaceFate::Dropped { .. }));
        assert!(
            matches!(race.fate(3), RaceFate::Dropped { .. }),
            "no better than the baseline"
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        /// Only complete rounds count: the rest of an interrupted block is played again.
        #[test]
        fn outcomes_count_in_complete_rounds(outcomes in proptest::collection::vec(0_u8..5, 400), cut in 1_usize..40) {
            let outcome = |duel: &Duel| {
                let place = duel.round as usize * 7 + duel.first * 3 + duel.second;
                PairOutcome::ALL[usize::from(outcomes[place % outcomes.len()])]
            };
            let (mut whole, mut parts) = (race(Goal::Best, 3), race(Goal::Best, 3));
            let block: Vec<PairOutcome> = whole.next().iter().map(outcome).collect();
            whole.record(&block);
            let cut = cut.min(block.len());
            let complete = cut / 3 * 3;
            parts.record(&block[..cut]);
            prop_assert_eq!(parts.pairs(), complete as u64);
            prop_assert!(parts.next().iter().all(|duel| duel.round >= parts.rounds()));
        }

        #[test]
        fn always_ends_with_one(seed: u64, variants in 2_usize..6) {
            let mut race = race(Goal::Best, variants);
            let mut state = seed;
            while !race.is_over() {
                let outcomes: Vec<PairOutcome> = (race.next().iter())
                    .map(|_| {
                        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                        PairOutcome::ALL[(state >> 60) as usize % 5]
                    })
                    .collect();
                race.record(&outcomes);
            }
            let accepted = (0..variants)
                .filter(|&variant| matches!(race.fate(variant), RaceFate::Accepted { .. }))
                .count();
            prop_assert_eq!(accepted, 1);
        }
    }
}
