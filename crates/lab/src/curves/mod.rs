//! Curves: what the search of a late move would have cost and found with each reduction. The searches of sampled
//! moves take place on copies of the tables. From a file of curves follows what any policy would have done on the same moves.

mod collect;
mod comparison;
mod curve;
pub(crate) mod curve_facts;
mod file;
mod report;
mod sampling;
mod score;
mod watcher;

pub use self::collect::{Collected, collect};
pub use self::comparison::{score_table, write_scores};
pub use self::curve::{Curve, Point};
pub use self::file::{CurveFile, read, write};
pub use self::report::curve_table;
pub use self::sampling::CurveOptions;
pub use self::score::{Score, Tally, score};
