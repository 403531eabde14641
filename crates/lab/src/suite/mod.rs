//! Test suites: how many positions a policy solves, how soon, and which ones another policy does not solve.

mod difference;
mod outcome;
mod question;
mod solve;

pub use self::difference::SolvedDifference;
pub use self::outcome::SuiteTables;
pub use self::question::{TestPosition, questions};
pub(crate) use self::solve::solved;
pub use self::solve::{Answer, answer, answers};
