//! Test suites: how many positions a policy solves, how soon, and which ones another policy does not solve.

mod difference;
mod files;
mod question;
mod report;
mod results;
mod solve;

pub use self::difference::SolvedDifference;
pub use self::files::{answer_rows, time_rows};
pub use self::question::{TestPosition, questions};
pub use self::report::{differences, overview};
pub(crate) use self::results::solved;
pub use self::results::{PolicyResult, WonAndLost, results};
pub use self::solve::{Answer, Solution, answer, answers};
