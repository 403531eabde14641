//! The estimate that a table of standings shows: Elo, normalized Elo, their errors, LOS.

use super::counts::Counts;
use super::elo::{Elo, NormalizedElo};
use super::few::{ENOUGH, Freedom, MeanScore};
use super::moments::{Moments, scores};
use super::normal::{DEVIATIONS_95, normal};
use super::regularized::{EMPTY_CELL, regularized_moments};

/// Strength of the first engine relative to the second, with the uncertainty of the sample.
///
/// [`Estimate::of`] computes it from the raw counts, as in fastchess; [`Estimate::regularized`] first
/// replaces empty cells by 1/1000, as fishtest does. No field is ever NaN. An engine that won or lost everything has an infinite
/// estimate. With fewer than [`ENOUGH`] outcomes, and when all are alike, the errors and the LOS are those of Student's t. The
/// variance then has a prior with the weight of one outcome. fastchess prints 0 or NaN for outcomes that are all alike.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// Mean score of a game, 0 to 1.
    pub score: f64,
    /// Logistic Elo at which this score is expected; `±∞` when everything was won or lost.
    pub elo: Elo,
    /// Half the width of the 95% confidence interval of [`Self::elo`]: the interval of the mean
    /// score, both ends translated to Elo. `None` when that interval reaches a score of 0 or 1, as after a single outcome.
    pub elo_error_95: Option<Elo>,
    /// Normalized Elo; `±∞` when all outcomes were alike and better or worse than even.
    pub normalized_elo: NormalizedElo,
    /// Half the width of the 95% confidence interval of [`Self::normalized_elo`], as fastchess prints it. It depends on
    /// the number of games alone, because it leaves out the uncertainty of the standard deviation: For engines 60 Elo
    /// apart it covers 94% instead of 95%. [`Self::normalized_elo_interval_95`] has no such error. `None` when all
    /// outcomes were alike.
    pub normalized_elo_error_95: Option<NormalizedElo>,
    /// The 95% confidence interval of [`Self::normalized_elo`], by the delta method. The skewness and the kurtosis of the
    /// sample give the variance of the standard deviation and its covariance with the mean. Source: Harald Cramér,
    /// *Mathematical Methods of Statistics*, 1946, sections 27.7 and 28.4. `None` when all outcomes were alike.
    pub normalized_elo_interval_95: Option<[NormalizedElo; 2]>,
    /// Likelihood of superiority, 0 to 1: the probability that the first engine is the stronger.
    pub los: f64,
}

impl Estimate {
    /// Before the first game: even, without a limit to the error.
    pub const NOTHING_KNOWN: Self = Self {
        score: 0.5,
        elo: Elo(0.0),
        elo_error_95: None,
        normalized_elo: NormalizedElo(0.0),
        normalized_elo_error_95: None,
        normalized_elo_interval_95: None,
        los: 0.5,
    };

    /// From counted pairs or games; `None` before the first.
    pub fn of<const N: usize>(results: &Counts<N>) -> Option<Self> {
        let moments = Moments::of(results.counts())?;
        let mean = MeanScore::of::<N>(moments);
        Some(Self {
            normalized_elo_interval_95: normalized_interval(results, moments),
            los: mean.above_half(),
            ..Self::from_moments(moments, mean.error_95(), Counts::<N>::GAMES)
        })
    }

    /// As fishtest prints it: empty cells of the counts are 1/1000, and scores are limited to 1/1000 and
    /// 999/1000. Every field is finite. `None` for fewer than [`ENOUGH`] outcomes, and when all are alike, because the error would
    /// be far too small. [`Self::normalized_elo_interval_95`] is not part of it.
    pub fn regularized<const N: usize>(results: &Counts<N>) -> Option<Self> {
        Moments::of(results.counts()).filter(|moments| moments.variance > 0.0 && moments.outcomes >= ENOUGH as f64)?;
        let moments = regularized_moments(results);
        let deviation = (moments.variance / moments.outcomes).sqrt();
        let margin = DEVIATIONS_95 * deviation;
        let elo = |score: f64| Elo::from_score(score.clamp(EMPTY_CELL, 1.0 - EMPTY_CELL));
        let error = (elo(moments.score + margin).0 - elo(moments.score - margin).0) / 2.0;
        Some(Self {
            elo: elo(moments.score),
            elo_error_95: Some(Elo(error)),
            los: normal((moments.score - 0.5) / deviation),
            ..Self::from_moments(moments, margin, Counts::<N>::GAMES)
        })
    }

    /// All but the LOS. `margin` is half the width of the 95% interval of the mean score.
    fn from_moments(moments: Moments, margin: f64, games: u32) -> Self {
        let Moments { score, variance, .. } = moments;
        let game_deviation = (variance * f64::from(games)).sqrt();
        let elo_error_95 = (Elo::from_score(score + margin).0 - Elo::from_score(score - margin).0) / 2.0;
        let normalized_elo_error_95 = NormalizedElo::from_score(0.5 + margin, game_deviation);
        Self {
            score,
            elo: Elo::from_score(score),
            elo_error_95: elo_error_95.is_finite().then_some(Elo(elo_error_95)),
            normalized_elo: NormalizedElo::from_score(score, game_deviation),
            normalized_elo_error_95: (variance > 0.0).then_some(normalized_elo_error_95),
            ..Self::NOTHING_KNOWN
        }
    }
}

/// The 95% interval by the delta method: to the first order in which the error of the standard deviation counts.
fn normalized_interval<const N: usize>(results: &Counts<N>, moments: Moments) -> Option<[NormalizedElo; 2]> {
    if moments.variance <= 0.0 {
        return None;
    }
    let deviation = moments.variance.sqrt();
    let (mut skewness, mut kurtosis) = (0.0, 0.0);
    for (count, score) in results.counts().into_iter().zip(scores::<N>()) {
        let share = count as f64 / moments.outcomes;
        let distance = (score - moments.score) / deviation;
        let cube = distance * distance * distance;
        skewness += share * cube;
        kurtosis += share * cube * distance;
    }
    let t_value = (moments.score - 0.5) / deviation;
    // Not negative except for rounding: the kurtosis is at least one plus the square of the skewness.
    let variance = 1.0 - skewness * t_value + (kurtosis - 1.0) * t_value * t_value / 4.0;
    let deviations = Freedom::new(moments.outcomes as u64).deviations_95();
    let margin = deviations * (variance.max(0.0) / moments.outcomes).sqrt() * deviation;
    let game_deviation = (moments.variance * f64::from(Counts::<N>::GAMES)).sqrt();
    Some([moments.score - margin, moments.score + margin].map(|score| NormalizedElo::from_score(score, game_deviation)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pentanomial, Trinomial};
    use proptest::prelude::*;

    fn estimate(counts: [u64; 5]) -> Estimate {
        Estimate::of(&Pentanomial::new(counts)).expect("there are pairs")
    }

    /// fishtest's figures for counts with empty cells: Elo, half of the 95% interval, LOS.
    #[test]
    fn empty_cells_count_as_fishtest_counts_them() {
        for (counts, elo, error, los) in [
            (
                [0, 12, 60, 20, 0],
                15.115095351954558,
                20.772786591126,
                0.9235923559535045,
            ),
            ([0, 0, 0, 3, 40], 699.7888904698663, 315.9023622595896, 1.0),
        ] {
            let ours = Estimate::regularized(&Pentanomial::new(counts)).expect("there are pairs");
            assert!((ours.elo.0 - elo).abs() < 1e-9, "{ours:?}");
            assert!((ours.elo_error_95.expect("finite").0 - error).abs() < 1e-9, "{ours:?}");
            assert!((ours.los - los).abs() < 1e-9, "{ours:?}");
        }
        let full = Pentanomial::new([1, 12, 60, 20, 3]);
        let [raw, regularized] =
            [Estimate::of(&full), Estimate::regularized(&full)].map(|estimate| estimate.map(|e| e.elo));
        assert_eq!(raw, regularized, "without empty cells nothing is replaced");
        // fishtest's errors are 34 and 3 Elo here.
        for too_little in [
            [0; 5],
            [0, 0, 1, 0, 0],
            [0, 0, 10, 0, 0],
            [0, 0, 100, 0, 0],
            [0, 5, 10, 5, 0],
        ] {
            assert_eq!(Estimate::regularized(&Pentanomial::new(too_little)), None);
        }
    }

    #[test]
    fn outcomes_all_alike_are_no_certainty() {
        let even = estimate([0, 0, 50, 0, 0]);
        assert_eq!(
            (even.elo, even.normalized_elo, even.los),
            (Elo(0.0), NormalizedElo(0.0), 0.5)
        );
        assert!((even.elo_error_95.expect("bounded").0 - 9.6).abs() < 0.1, "{even:?}");
        assert_eq!(even.normalized_elo_error_95, None);

        for (pairs, least, most) in [(1, 0.75, 0.85), (7, 0.999, 0.99999)] {
            let won = estimate([0, 0, 0, 0, pairs]);
            assert_eq!((won.score, won.elo), (1.0, Elo(f64::INFINITY)));
            assert!((least..most).contains(&won.los), "{won:?}");
            assert_eq!(won.normalized_elo, NormalizedElo(f64::INFINITY));
            assert_eq!((won.elo_error_95, won.normalized_elo_error_95), (None, None));
        }

        let lost = estimate([7, 0, 0, 0, 0]);
        assert_eq!((lost.score, lost.elo), (0.0, Elo(f64::NEG_INFINITY)));
        assert!(lost.los > 0.0 && lost.los < 0.001, "{lost:?}");
    }

    /// Fewer than [`ENOUGH`] pairs have wider errors than the normal distribution gives.
    #[test]
    fn few_pairs_have_wide_errors() {
        assert_eq!(estimate([0, 1, 0, 0, 0]).elo_error_95, None, "a single pair");
        assert_eq!(estimate([0, 1, 1, 0, 0]).elo_error_95, None, "two pairs");
        let times = |times: u64| {
            let estimate = estimate([0, times, 2 * times, times, 0]);
            estimate.elo_error_95.expect("bounded").0 * (times as f64).sqrt()
        };
        assert!(times(1) > 1.8 * times(100) && times(7) > 1.05 * times(100));
        assert!((times(8) / times(100) - 1.0).abs() < 0.01, "enough pairs");
    }

    /// Between equal engines the error of the deviation does not matter, so both intervals are the same.
    #[test]
    fn the_normalized_interval_between_equals_is_the_simple_one() {
        let even = estimate([10, 80, 200, 80, 10]);
        let error = even.normalized_elo_error_95.expect("spread").0;
        let [low, high] = even.normalized_elo_interval_95.expect("spread");
        assert!((low.0 + error).abs() < 1e-9 && (high.0 - error).abs() < 1e-9);
        // Far apart it matters, and with this many draws it makes the interval wider.
        let apart = estimate([0, 1, 10, 300, 60]);
        let error = apart.normalized_elo_error_95.expect("spread").0;
        let [low, high] = apart.normalized_elo_interval_95.expect("spread");
        assert!(high.0 - low.0 > 2.2 * error, "{apart:?}");
    }

    proptest! {
        #[test]
        fn never_nan(counts: [u64; 5]) {
            let [losses, draws, wins, ..] = counts;
            let pairs = Estimate::of(&Pentanomial::new(counts));
            let games = Estimate::of(&Trinomial::new([losses, draws, wins]));
            for estimate in [pairs, games].into_iter().flatten() {
                prop_assert!((0.0..=1.0).contains(&estimate.score));
                prop_assert!((0.0..=1.0).contains(&estimate.los));
                prop_assert!(!estimate.elo.0.is_nan() && !estimate.normalized_elo.0.is_nan());
                let logistic = estimate.elo_error_95.map(|error| error.0);
                prop_assert!(logistic.is_none_or(|error| error.is_finite() && error >= 0.0));
                let normalized = estimate.normalized_elo_error_95.map(|error| error.0);
                prop_assert!(normalized.is_none_or(|error| error.is_finite() && error > 0.0));
                if let Some([low, high]) = estimate.normalized_elo_interval_95 {
                    let within = low <= estimate.normalized_elo && estimate.normalized_elo <= high;
                    prop_assert!(within && low.0.is_finite() && high.0.is_finite(), "{estimate:?}");
                }
            }
        }

        #[test]
        fn swapping_the_engines_swaps_the_sign(
            counts in proptest::array::uniform5(1..=u64::from(u32::MAX)),
        ) {
            let there = estimate(counts);
            let back = estimate(Pentanomial::new(counts).reversed().counts());
            prop_assert!((there.elo.0 + back.elo.0).abs() < 1e-9);
            prop_assert!((there.los + back.los - 1.0).abs() < 1e-9);
            let interval = |estimate: Estimate| estimate.normalized_elo_interval_95.expect("spread");
            let ([low, _], [_, high]) = (interval(there), interval(back));
            prop_assert!((low.0 + high.0).abs() < 1e-9 * (1.0 + high.0.abs()));
            match (there.elo_error_95, back.elo_error_95) {
                (Some(there), Some(back)) => prop_assert!((there.0 - back.0).abs() < 1e-6),
                (there, back) => prop_assert_eq!(there, back),
            }
        }
    }
}
