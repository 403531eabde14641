//! The public record: what authors of other engines reported about ideas, and what we measure for the same ideas.
//!
//! [`ideas`] are files that express an idea as policies on one or several baselines; [`reports`] is the file of what was reported.
//! [`measurement`] plays the ideas against their baselines in many surroundings, and [`cells`] is the file that has the games so
//! far. [`estimates`] says what each idea is worth by our games alone, [`reported`] what it is worth by the reports, and
//! [`agreement`] sets one beside the other.

pub mod agreement;
pub mod cells;
pub mod estimates;
pub mod ideas;
pub mod measurement;
pub mod reported;
pub mod reports;
mod sheet;
#[cfg(test)]
mod tests;

/// Nodes a move at short time control, such as 8 seconds and 0.08 a move: most of what is reported is measured there.
pub const SHORT_TIME_CONTROL: u64 = 200_000;

/// The budgets of the measurement, in nodes a move.
pub const BUDGETS: [u64; 3] = [1_000, 4_000, 16_000];
