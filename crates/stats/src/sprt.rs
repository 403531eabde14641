//! The sequential probability ratio test (SPRT): it decides when a match can stop.

use super::counts::Counts;
use super::elo::{Elo, NormalizedElo};
use super::likelihood::Likelihood;

/// The scale of an SPRT's two hypotheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EloModel {
    /// [`Elo`]: a hypothesis fixes the expected score.
    Logistic,
    /// [`NormalizedElo`]: a hypothesis fixes the expected score in standard deviations.
    Normalized,
}

/// Where a test stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Stop: not stronger by `elo1`.
    AcceptH0,
    /// Stop: stronger than by `elo0`.
    AcceptH1,
    /// More games are needed.
    Continue,
}

/// Why an SPRT cannot be set up.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SprtError {
    /// An Elo bound is NaN, or further from zero than [`Sprt::MAX_ELO`].
    #[error("an SPRT's Elo bounds must lie between -{max} and {max}, not at {}", number_text(*.0), max = Sprt::MAX_ELO)]
    EloOutOfRange(f64),
    /// The hypotheses are not in order: `elo0 < elo1` is required.
    #[error("an SPRT needs elo0 < elo1, but elo0 is {} and elo1 is {}", number_text(*elo0), number_text(*elo1))]
    EloNotAscending {
        /// Elo under H0.
        elo0: f64,
        /// Elo under H1.
        elo1: f64,
    },
    /// The hypotheses are closer than [`Sprt::LEAST_DISTANCE`].
    #[error("an SPRT's elo0 and elo1 must be at least {} apart, but they are {} and {}", Sprt::LEAST_DISTANCE, number_text(*elo0), number_text(*elo1))]
    EloTooClose {
        /// Elo under H0.
        elo0: f64,
        /// Elo under H1.
        elo1: f64,
    },
    /// An error probability is less than [`Sprt::LEAST_ERROR_RATE`], or not less than 1.
    #[error("an SPRT's {name} must be at least {} and less than 1, not {}", Sprt::LEAST_ERROR_RATE, number_text(*value))]
    ErrorProbabilityOutOfRange {
        /// Which one: `alpha` or `beta`.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// The error probabilities add up to 1 or more: a coin toss would do as well.
    #[error("an SPRT's alpha and beta must add up to less than 1, but they are {} and {}", number_text(*alpha), number_text(*beta))]
    ErrorProbabilitiesTooLarge {
        /// Probability of accepting H1 when H0 is true.
        alpha: f64,
        /// Probability of accepting H0 when H1 is true.
        beta: f64,
    },
}

impl SprtError {
    /// What would be right.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::EloOutOfRange(_) | Self::EloNotAscending { .. } | Self::EloTooClose { .. } => {
                "give two differences in Elo, the lower first, as in 0 and 5"
            }
            Self::ErrorProbabilityOutOfRange { .. } | Self::ErrorProbabilitiesTooLarge { .. } => {
                "alpha and beta are chances of a wrong verdict, for example 0.05 each"
            }
        }
    }
}

/// A number in a message: without a long row of zeros.
pub(super) fn number_text(value: f64) -> String {
    let text = format!("{value:?}");
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

/// A sequential probability ratio test of H1 "stronger by `elo1`" against H0 "stronger by `elo0`".
///
/// After every outcome the log-likelihood ratio of the hypotheses is compared with two bounds. An
/// engine at `elo0` passes with a probability of about `alpha`, one at `elo1` fails with a
/// probability of about `beta`. Each hypothesis fixes the strength only; the draw rate and the rest
/// of the distribution have their maximum-likelihood values. Sources: Abraham Wald,
/// *Sequential tests of statistical hypotheses*, 1945; for matches, with the generalised ratio,
/// Michel Van den Bergh, <https://www.cantate.be/Fishtest/GSPRT_approximation.pdf>. Unlike
/// fishtest, the bounds are not corrected for overshoot: Wald's are slightly conservative.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    model: EloModel,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

impl Sprt {
    /// The usual `alpha` and `beta`.
    pub const DEFAULT_ERROR_RATE: f64 = 0.05;

    /// The bounds `elo0` and `elo1` may be at most this far from zero, on either scale.
    pub const MAX_ELO: f64 = 600.0;

    /// The least distance of `elo0` and `elo1`, on either scale: no match could distinguish closer ones.
    pub const LEAST_DISTANCE: f64 = 1e-6;

    /// The least `alpha` and `beta`: with less, rounding would decide the test.
    pub const LEAST_ERROR_RATE: f64 = 1e-9;

    /// A test of `elo0` against `elo1`, both on the scale of `model`.
    ///
    /// # Errors
    ///
    /// Unless `elo0 < elo1`, at least [`Self::LEAST_DISTANCE`] apart and both within [`Self::MAX_ELO`] of zero, and
    /// `alpha` and `beta` at least [`Self::LEAST_ERROR_RATE`] and less than 1 together.
    pub fn new(model: EloModel, elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, SprtError> {
        for elo in [elo0, elo1] {
            if !(-Self::MAX_ELO..=Self::MAX_ELO).contains(&elo) {
                return Err(SprtError::EloOutOfRange(elo));
            }
        }
        if elo0 >= elo1 {
            return Err(SprtError::EloNotAscending { elo0, elo1 });
        }
        // A distance of exactly the least one may be rounded to less.
        if elo1 - elo0 < Self::LEAST_DISTANCE * (1.0 - 1e-9) - 1e-12 {
            return Err(SprtError::EloTooClose { elo0, elo1 });
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(Self::LEAST_ERROR_RATE..1.0).contains(&value) {
                return Err(SprtError::ErrorProbabilityOutOfRange { name, value });
            }
        }
        // Rounded probabilities must not make the bounds meet, either.
        if alpha + beta > 1.0 - 1e-9 {
            return Err(SprtError::ErrorProbabilitiesTooLarge { alpha, beta });
        }
        Ok(Self {
            model,
            elo0,
            elo1,
            alpha,
            beta,
        })
    }

    /// The scale of the hypotheses.
    pub fn model(&self) -> EloModel {
        self.model
    }

    /// Strength under H0, on the scale of [`Self::model`].
    pub fn elo0(&self) -> f64 {
        self.elo0
    }

    /// Strength under H1, on the scale of [`Self::model`].
    pub fn elo1(&self) -> f64 {
        self.elo1
    }

    /// Probability of accepting H1 when H0 is true.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// Probability of accepting H0 when H1 is true.
    pub fn beta(&self) -> f64 {
        self.beta
    }

    /// The log-likelihood ratios at which the test ends, H0's first: ln(β / (1 - α)) and ln((1 - β)
    /// / α).
    pub fn bounds(&self) -> (f64, f64) {
        let Self { alpha, beta, .. } = *self;
        (libm::log(beta / (1.0 - alpha)), libm::log((1.0 - beta) / alpha))
    }

    /// The scores that both hypotheses expect of games with this standard deviation. On the normalized scale they may lie
    /// outside 0 to 1, where no games can be.
    pub(super) fn scores(&self, game_deviation: f64) -> [f64; 2] {
        [self.elo0, self.elo1].map(|elo| match self.model {
            EloModel::Logistic => Elo(elo).expected_score(),
            EloModel::Normalized => 0.5 + NormalizedElo(elo).t_value(1) * game_deviation,
        })
    }

    /// Logarithm (natural) of the generalised likelihood ratio of H1 to H0.
    ///
    /// From the exact maximum-likelihood distributions, not the normal approximation. An outcome that
    /// has not occurred counts as 1/1000 of one, as in fishtest. Finite for all counts.
    pub fn llr<const N: usize>(&self, results: &Counts<N>) -> f64 {
        let likelihood = Likelihood::of(results);
        let cost = |elo: f64| match self.model {
            EloModel::Logistic => likelihood.cost_of_mean(Elo(elo).expected_score()),
            EloModel::Normalized => likelihood.cost_of_t_value(NormalizedElo(elo).t_value(Counts::<N>::GAMES)),
        };
        cost(self.elo0) - cost(self.elo1)
    }

    /// Where the test stands after these results.
    ///
    /// Ask after every outcome, in the order of the schedule: the first verdict other than
    /// [`Verdict::Continue`] is final. Later results must not change it.
    pub fn status<const N: usize>(&self, results: &Counts<N>) -> Verdict {
        let (lower, upper) = self.bounds();
        match self.llr(results) {
            llr if llr <= lower => Verdict::AcceptH0,
            llr if llr >= upper => Verdict::AcceptH1,
            _ => Verdict::Continue,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Estimate, Pentanomial, Trinomial};
    use proptest::prelude::*;

    const MODELS: [EloModel; 2] = [EloModel::Logistic, EloModel::Normalized];

    #[test]
    fn what_is_no_test_is_refused_without_long_rows_of_zeros() {
        let new = |elo0, elo1, alpha, beta| Sprt::new(EloModel::Normalized, elo0, elo1, alpha, beta);
        for (elo0, elo1, alpha, beta, said) in [
            (2.0, 2.0, 0.05, 0.05, "elo0 is 2 and elo1 is 2"),
            (0.0, 1e-300, 0.05, 0.05, "they are 0 and 1e-300"),
            (1.5, -1e-300, 0.05, 0.05, "elo0 is 1.5 and elo1 is -1e-300"),
            (0.0, 601.0, 0.05, 0.05, "between -600 and 600, not at 601"),
            (0.0, 1e308, 0.05, 0.05, "not at 1e308"),
            (f64::NAN, 2.0, 0.05, 0.05, "not at NaN"),
            (f64::NEG_INFINITY, 2.0, 0.05, 0.05, "not at -inf"),
            (0.0, 5.0, -1e308, 0.05, "less than 1, not -1e308"),
            (0.0, 2.0, 0.05, 0.0, "less than 1, not 0"),
            (0.0, 2.0, 0.05, 1.0, "less than 1, not 1"),
            (0.0, 2.0, 0.05, f64::NAN, "less than 1, not NaN"),
        ] {
            let error = new(elo0, elo1, alpha, beta).expect_err(said).to_string();
            assert!(error.ends_with(said), "{error}");
        }
        let widest = new(-600.0, 600.0, 1e-9, 0.499).expect("the widest test");
        assert!(widest.llr(&Pentanomial::default()).abs() < 1e-3);
        assert!(new(0.0, 2.0, 0.7, 0.05).is_ok());
        let too_large = new(0.0, 2.0, 0.7, 0.3);
        assert!(matches!(too_large, Err(SprtError::ErrorProbabilitiesTooLarge { .. })));
    }

    #[test]
    fn verdicts() {
        let sprt = Sprt::new(EloModel::Logistic, 0.0, 5.0, 0.05, 0.1).expect("valid");
        let (lower, upper) = sprt.bounds();
        assert!((lower - (0.1_f64 / 0.95).ln()).abs() < 1e-15);
        assert!((upper - (0.9_f64 / 0.05).ln()).abs() < 1e-15);
        assert_eq!(sprt.status(&Pentanomial::default()), Verdict::Continue);
        assert_eq!(sprt.status(&Trinomial::new([0, 0, 4250])), Verdict::AcceptH1);
        assert_eq!(sprt.status(&Trinomial::new([4250, 0, 0])), Verdict::AcceptH0);
    }

    fn model() -> impl Strategy<Value = EloModel> {
        proptest::sample::select(&MODELS[..])
    }

    fn pairs() -> impl Strategy<Value = Pentanomial> {
        let count = || prop_oneof![Just(0_u64), 0_u64..5, 0_u64..100_000, 0..=u64::from(u32::MAX)];
        [count(), count(), count(), count(), count()].prop_map(Pentanomial::new)
    }

    fn bounds() -> impl Strategy<Value = (f64, f64)> {
        prop_oneof![(-10.0..10.0, 0.1..10.0), (-600.0..300.0, 1e-6..300.0)]
            .prop_map(|(elo0, width)| (elo0, elo0 + width))
    }

    fn sprt(model: EloModel, (elo0, elo1): (f64, f64)) -> Sprt {
        Sprt::new(model, elo0, elo1, 0.05, 0.05).expect("valid bounds")
    }

    /// Up to what rounding can do, which grows with the counts.
    fn nearly_equal(a: f64, b: f64, pairs: Pentanomial) -> bool {
        (a - b).abs() <= 1e-9 * (1.0 + a.abs() + pairs.pairs() as f64 * 1e-5)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn any_counts_give_a_finite_llr(model in model(), counts: [u64; 5], elo in bounds()) {
            let sprt = sprt(model, elo);
            let [losses, draws, wins, ..] = counts;
            prop_assert!(sprt.llr(&Pentanomial::new(counts)).is_finite());
            prop_assert!(sprt.llr(&Trinomial::new([losses, draws, wins])).is_finite());
        }

        #[test]
        fn swapping_the_engines_swaps_the_hypotheses(
            model in model(), pairs in pairs(), (elo0, elo1) in bounds(),
        ) {
            let there = sprt(model, (elo0, elo1)).llr(&pairs);
            let back = sprt(model, (-elo1, -elo0)).llr(&pairs.reversed());
            prop_assert!(nearly_equal(there, -back, pairs), "{there} {back}");
        }

        #[test]
        fn the_nearer_hypothesis_wins(
            model in model(), pairs in pairs(), (elo0, elo1) in bounds(), wider in 0.0..100.0_f64,
        ) {
            // Without empty cells, the likelihood sees the same distribution as the estimate.
            let pairs = pairs + Pentanomial::new([1; 5]);
            let estimate = Estimate::of(&pairs).expect("there are pairs");
            let measured = match model {
                EloModel::Logistic => estimate.elo.0,
                EloModel::Normalized => estimate.normalized_elo.0,
            };
            let llr = sprt(model, (elo0, elo1)).llr(&pairs);
            if measured <= elo0 {
                prop_assert!(llr < 0.0 || nearly_equal(llr, 0.0, pairs), "{llr}");
                let wide = sprt(model, (elo0, f64::min(elo1 + wider, 600.0))).llr(&pairs);
                prop_assert!(wide <= llr || nearly_equal(wide, llr, pairs), "{wide} {llr}");
            }
            if measured >= elo1 {
                prop_assert!(llr > 0.0 || nearly_equal(llr, 0.0, pairs), "{llr}");
            }
        }
    }
}
