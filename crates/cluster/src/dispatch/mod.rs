//! Which pairs make a part, how many are played ahead, and what is tried again, started twice or checked.
//!
//! A [`Dispatcher`] is told what happens and says what is to be done. It knows neither files nor clocks: time is a duration
//! since the beginning, and comes from whoever drives it, be it a run or a simulation.

use std::time::Duration;

/// The number of a part, from 0.
pub type PartNumber = u64;

/// One attempt at a part.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Attempt {
    /// The part.
    pub part: PartNumber,
    /// The attempt at it, from 1.
    pub number: u32,
    /// Hosts that are not to get it.
    pub avoid: Vec<String>,
}

/// What a run asks of its parts.
#[derive(Debug, Clone, PartialEq)]
pub struct Rules {
    /// Attempts at a part before the run gives up.
    pub attempts: u32,
    /// How long a part should take.
    pub part_time: Duration,
    /// Whether a pair comes out the same wherever it is played, so that hosts can be checked by repeating pairs.
    pub repeatable: bool,
}

/// Where the run stands.
#[derive(Debug, Clone)]
pub struct Situation<'s> {
    /// Time since the beginning.
    pub now: Duration,
    /// Parts that the machines can play at the same time.
    pub slots: usize,
    /// Pairs that are recorded.
    pub recorded: u64,
    /// Pairs that may still be needed, by the present guess; nothing where all of the schedule are.
    pub expected_left: Option<u64>,
    /// Pairs that are in no part, in their order. May be cut off after as many as [`Dispatcher::wanted`] says.
    pub free: &'s [u64],
}

/// A new part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPart {
    /// Its number.
    pub part: PartNumber,
    /// Its pairs, in their order.
    pub pairs: Vec<u64>,
    /// How many pairs of other parts it should repeat, to find out whether its host plays as others do.
    pub checks: usize,
}
