//! The estimate that a table of standings shows: Elo, normalized Elo, their errors, LOS.

use super::elo::{Elo, NormalizedElo};
use super::moments::{Moments, Outcomes, scores};
use super::normal::{DEVIATIONS_95, normal};
use super::regularized::{EMPTY_CELL, regularized_moments};

/// Strength of the first engine relative to the second, with the uncertainty of the sample.
///
/// [`Estimate::of`] computes it from the raw counts, as in fastchess; [`Estimate::regularized`] first
/// replaces empty cells by 1/1000, as fishtest does. No field is ever NaN. An engine that won or lost everything has an infinite estimate. When all
/// outcomes are alike (a single pair, nothing but draws), the sample has no spread and its errors
/// are `None`; fastchess prints 0 or NaN.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// Mean score of a game, 0 to 1.
    pub score: f64,
    /// Logistic Elo at which this score is expected; `±∞` when everything was won or lost.
    pub elo: Elo,
    /// Half the width of the 95% confidence interval of [`Self::elo`]: the interval of the mean
    /// score by the normal approximation, both ends translated to Elo. `None` when all outcomes
    /// were alike, and when that interval reaches a score of 0 or 1.
    pub elo_error_95: Option<Elo>,
    /// Normalized Elo; `±∞` when all outcomes were alike and better or worse than even.
    pub normalized_elo: NormalizedElo,
    /// Half the width of the 95% confidence interval of [`Self::normalized_elo`], as fastchess prints it. It depends on
    /// the number of games alone, because it leaves out the uncertainty of the standard deviation: For engines 60 Elo
    /// apart it covers 94% instead of 95%. [`Self::normalized_elo_interval_95`] has no such error. `None` when all
    /// outcomes were alike.
    pub normalized_elo_error_95: Option<NormalizedElo>,
    /// The 95% confidence interval of [`Self::normalized_elo`], by the delta method: with the
    /// variance of the standard deviation and its covariance with the mean, which follow from the
    /// skewness and the kurtosis of the sample. Source: Harald Cramér, *Mathematical Methods of
    /// Statistics*, 1946, sections 27.7 and 28.4. `None` when all outcomes were alike.
    pub normalized_elo_interval_95: Option<[NormalizedElo; 2]>,
    /// Likelihood of superiority, 0 to 1: the probability that the first engine is the stronger, by
    /// the normal approximation. When all outcomes were alike: 0, 1/2 or 1.
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
    pub fn of<const N: usize, R: Outcomes<N>>(results: &R) -> Option<Self> {
        let moments = Moments::of(results)?;
        Some(Self {
            normalized_elo_interval_95: normalized_interval(results, moments),
            ..Self::from_moments(moments, R::GAMES)
        })
    }

    /// As fishtest prints it: empty cells of the counts are 1/1000, and scores are limited to 1/1000 and
    /// 999/1000. Every field is finite. `None` when all outcomes are alike, because they show no error;
    /// [`Self::normalized_elo_interval_95`] is not part of it.
    pub fn regularized<const N: usize, R: Outcomes<N>>(results: &R) -> Option<Self> {
        Moments::of(results).filter(|moments| moments.variance > 0.0)?;
        let moments = regularized_moments(results);
        let margin = DEVIATIONS_95 * (moments.variance / moments.outcomes).sqrt();
        let elo = |score: f64| Elo::from_score(score.clamp(EMPTY_CELL, 1.0 - EMPTY_CELL));
        let error = (elo(moments.score + margin).0 - elo(moments.score - margin).0) / 2.0;
        Some(Self {
            elo: elo(moments.score),
            elo_error_95: Some(Elo(error)),
            ..Self::from_moments(moments, R::GAMES)
        })
    }

    fn from_moments(
        Moments {
            outcomes,
            score,
            variance,
        }: Moments,
        games: u32,
    ) -> Self {
        let spread = variance > 0.0;
        let mean_deviation = (variance / outcomes).sqrt();
        let game_deviation = (variance * f64::from(games)).sqrt();
        let margin = DEVIATIONS_95 * mean_deviation;
        let elo_error_95 = (Elo::from_score(score + margin).0 - Elo::from_score(score - margin).0) / 2.0;
        let normalized_elo_error_95 = NormalizedElo::from_score(0.5 + margin, game_deviation);
        Self {
            score,
            elo: Elo::from_score(score),
            elo_error_95: (spread && elo_error_95.is_finite()).then_some(Elo(elo_error_95)),
            normalized_elo: NormalizedElo::from_score(score, game_deviation),
            normalized_elo_error_95: spread.then_some(normalized_elo_error_95),
            normalized_elo_interval_95: None,
            los: likelihood_of_superiority(score, mean_deviation),
        }
    }
}

/// The 95% interval by the delta method: to the first order in which the error of the standard deviation counts.
fn normalized_interval<const N: usize, R: Outcomes<N>>(results: &R, moments: Moments) -> Option<[NormalizedElo; 2]> {
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
    let margin = DEVIATIONS_95 * (variance.max(0.0) / moments.outcomes).sqrt() * deviation;
    let game_deviation = (moments.variance * f64::from(R::GAMES)).sqrt();
    Some([moments.score - margin, moments.score + margin].map(|score| NormalizedElo::from_score(score, game_deviation)))
}

/// LOS of a mean score with this standard deviation.
fn likelihood_of_superiority(score: f64, deviation: f64) -> f64 {
    if score == 0.5 {
        0.5
    } else {
        normal((score - 0.5) / deviation)
    }
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
            ([0, 0, 10, 0, 0], 0.0, 3.403553665709381, 0.5),
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
        assert_eq!(Estimate::regularized(&Pentanomial::default()), None);
    }

    #[test]
    fn nothing_played() {
        assert_eq!(Estimate::of(&Pentanomial::default()), None);
        assert_eq!(Estimate::of(&Trinomial::default()), None);
    }

    #[test]
    fn outcomes_all_alike_leave_the_error_open() {
        let even = estimate([0, 0, 50, 0, 0]);
        assert_eq!(
            (even.elo, even.normalized_elo, even.los),
            (Elo(0.0), NormalizedElo(0.0), 0.5)
        );
        assert_eq!((even.elo_error_95, even.normalized_elo_error_95), (None, None));

        let won = estimate([0, 0, 0, 0, 7]);
        assert_eq!((won.score, won.elo, won.los), (1.0, Elo(f64::INFINITY), 1.0));
        assert_eq!(won.normalized_elo, NormalizedElo(f64::INFINITY));
        assert_eq!((won.elo_error_95, won.normalized_elo_error_95), (None, None));

        let lost = estimate([7, 0, 0, 0, 0]);
        assert_eq!((lost.score, lost.elo, lost.los), (0.0, Elo(f64::NEG_INFINITY), 0.0));
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

    #[test]
    fn an_interval_that_reaches_certainty_has_no_width() {
        let nearly_all_won = estimate([0, 0, 0, 3, 40]);
        assert!(nearly_all_won.elo.0.is_finite());
        assert_eq!(nearly_all_won.elo_error_95, None);
        assert!(nearly_all_won.normalized_elo_error_95.is_some());
    }

    proptest! {
        #[test]
        fn never_nan(counts: [u64; 5]) {
            let [losses, draws, wins, ..] = counts;
            let pairs = Estimate::of(&Pentanomial::new(counts));
            let games = Estimate::of(&Trinomial::new(losses, draws, wins));
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
