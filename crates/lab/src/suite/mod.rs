//! Test suites: how many positions a policy solves, how soon, and which ones another policy does not solve.

mod outcome;
mod question;
mod solve;

pub use self::outcome::SuiteTables;
pub use self::question::{TestPosition, questions};
pub use self::solve::{Answer, answer, answers};
pub(crate) use self::solve::{gain, solved};
