//! Test suites: how many of a set of positions a policy solves, how soon, and which ones another does not.

pub mod difference;
pub mod question;
pub mod score;
mod solve;
pub mod summary;
pub mod tables;

pub use question::TestPosition;
pub use score::SuiteScore;
pub use solve::{Answer, Solution, answers};
