//! Statistics of matches between chess engines: counts in, estimates out.
//!
//! All functions are pure. They read no file and use no clock; [`Resamples`] are drawn from a seed. Elementary functions come from
//! `libm`, and sums have a fixed order, so results are the same to the last bit on every machine.
//!
//! - [`Pentanomial`] counts pairs of games (one opening, colours swapped), [`Trinomial`] single games. Both are seen from
//!   the first engine's side.
//! - [`Estimate`]: [`Elo`], [`NormalizedElo`], their 95% errors and the likelihood of superiority (LOS).
//! - [`Sprt`]: whether a match can stop. [`SequentialEstimate`]: the strength after an SPRT, corrected for the early stop.
//! - [`GameVariance`] and [`SprtPlan`]: how many games a match needs, before it is played.
//! - [`ratings`]: ratings of many players. [`race`]: the best of many variants with few games.
//! - [`meta`]: the mean of results that may differ beyond chance, and what to expect of the next one.
//! - [`Paired`]: means of paired differences. [`geometric_mean()`]: means of quotients. [`Resamples`]: intervals of any
//!   statistic, by resampling.
//! - [`elo_effects()`]: what each of many changes adds, from pairs between sides with several of them.
//! - [`linear_algebra`]: the symmetric matrices behind the ratings.
//!
//! ```
//! use lmrlab_stats::{EloModel, Estimate, Pentanomial, Sprt, Verdict};
//!
//! let pairs = Pentanomial::new([365, 16618, 36229, 16974, 390]);
//! let estimate = Estimate::of(&pairs).expect("there are pairs");
//! assert_eq!(format!("{:.2}", estimate.elo.0), "1.00");
//!
//! let sprt = Sprt::new(EloModel::Normalized, 0.0, 2.0, 0.05, 0.05)?;
//! assert_eq!(format!("{:.2}", sprt.llr(&pairs)), "2.25");
//! assert_eq!(sprt.status(&pairs), Verdict::Continue);
//! # Ok::<(), lmrlab_stats::SprtError>(())
//! ```

mod brownian;
mod counts;
mod effects;
mod elo;
mod empirical_likelihood;
mod estimate;
mod few;
mod geometric_mean;
mod incomplete;
mod likelihood;
pub mod linear_algebra;
pub mod meta;
mod moments;
mod normal;
mod paired;
mod planning;
pub mod race;
pub mod ratings;
mod regression;
mod regularized;
mod resamples;
mod root_finding;
mod sequential_estimate;
mod sprt;
mod student;

pub use counts::{Counts, GameOutcome, PairOutcome, Pentanomial, Trinomial};
pub use effects::{EffectPair, EloEffect, elo_effects};
pub use elo::{Elo, NormalizedElo};
pub use estimate::Estimate;
pub use few::ENOUGH;
pub use geometric_mean::geometric_mean;
pub use normal::{CONFIDENCE, DEVIATIONS_95, ERROR_HEADING, deviations_among};
pub use paired::Paired;
pub use planning::{GameVariance, GameVarianceError, SprtPlan};
pub use resamples::{Resamples, percentiles};
pub use sequential_estimate::{ResultSummary, SequentialEstimate};
pub use sprt::{EloModel, Sprt, SprtError, Verdict};
