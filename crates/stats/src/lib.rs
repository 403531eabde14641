//! Statistics of matches: counts in, estimates out.
//!
//! Everything here is a pure function of win, draw and loss counts, seen from the first engine's
//! side. Nothing reads a file, draws a random number or asks the clock. The elementary functions
//! come from the `libm` crate instead of the platform, so that an Elo or an LLR is the same to the
//! last bit on every machine.
//!
//! - [`Pentanomial`] counts pairs of games (the same opening with colours swapped), [`Trinomial`]
//!   single games.
//! - [`Estimate`] is what a table of standings shows: [`Elo`], [`NormalizedElo`], their errors,
//!   LOS.
//! - [`Sprt`] decides when enough games have been played; [`SequentialEstimate`] is what may be said about the strength
//!   then, [`SprtPlan`] what to expect before. [`GameVariance`] knows how large the error of a match will be.
//! - [`ratings`] compare many players, [`race`] finds the best of many with few games.
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
mod elo;
mod estimate;
mod likelihood;
pub mod linear_algebra;
mod moments;
mod observed;
mod pentanomial;
mod plan;
pub mod race;
pub mod ratings;
mod root;
mod secular;
mod sequential;
mod sprt;
mod trinomial;

pub use elo::{Elo, NormalizedElo};
pub use estimate::{DEVIATIONS_95, Estimate};
pub use moments::{Moments, Outcomes};
pub use pentanomial::{PairOutcome, Pentanomial};
pub use plan::{GameVariance, PlanError, SprtPlan};
pub use sequential::SequentialEstimate;
pub use sprt::{EloModel, Sprt, SprtError, Verdict};
pub use trinomial::{GameOutcome, Trinomial};
