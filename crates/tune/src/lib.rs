//! Tuning: moves the numbers of an engine to where it plays best, by pairs of games between two settings.
//!
//! A [`Method`] returns the pairs to play next and learns from their outcomes. The default is [`surface`], which fits a
//! model of the strength to all pairs so far; [`spsa`] is the method of fishtest and OpenBench. [`simulation`] compares
//! methods on surfaces whose best point is known. All of them depend on the seed and on the outcomes alone, so a repeated
//! run gives the same values on any number of threads.
//!
//! ```
//! use lmrlab_tune::Method;
//! use lmrlab_tune::random::Random;
//! use lmrlab_tune::simulation::landscape::{Landscape, Shape};
//! use lmrlab_tune::simulation::pair_model::PairModel;
//! use lmrlab_tune::surface::Surface;
//!
//! let landscape = Landscape::new(Shape::Quadratic, 2, 1);
//! let (pairs, mut random) = (PairModel::new(), Random::new(1, 0));
//! let mut method = Surface::new(landscape.parameters().to_vec(), 1);
//! for _ in 0..20 {
//!     let results = landscape.play(&method.next(), &pairs, &mut random);
//!     method.record(&results);
//! }
//! let tuned = method.recommendation();
//! assert!(landscape.lost(&tuned) < 0.5 * landscape.lost(&landscape.start()));
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod choice;
pub mod evaluation;
pub mod fishtest;
pub mod gate;
pub mod idea;
mod method;
pub mod parameter;
pub mod plan;
pub mod random;
pub mod report;
pub mod session;
pub mod simulation;
pub mod spsa;
pub mod staged;
pub mod subject;
pub mod surface;
pub mod trial;
pub mod trial_table;
pub mod tuning_pairs;
pub mod tuning_run;

pub use method::{Finding, Method, PairResult, Probe};
