//! The head of a run on many machines: cuts it into parts, has them played, and records what comes back in the order of the
//! schedule, so that the files are those of a single machine.
//!
//! ```text
//! tasks -> Dispatcher -> parts on disk -> Executor -> workers
//!   ^                                                    |
//!   +-- Record <- results in order <- verified, compared +
//! ```
//!
//! Everything that the head knows is on disk: the journal of the run has the recorded pairs, `parts/` those that are in
//! play, parts.csv where each was played. So a head that was killed goes on where it stopped, and jobs that went on without
//! it are taken as they come.

mod arrival;
mod comparisons;
mod in_play;
pub mod ledger;
pub mod numbers;
mod round;
mod submission;
mod take_back;
mod told;
mod wrong_host;

use std::time::Duration;

pub use self::take_back::{TakenBack, take_back};
pub use self::told::Told;
use crate::executor::Executor;
use crate::part::Program;
use lmrlab_runner::conduct::in_order::{Record, Tasks, Waiting};
use lmrlab_runner::conduct::portable::Portable;
use lmrlab_runner::conduct::workforce::{RunInPlay, Workforce};
use lmrlab_runner::failure::Failure;
use lmrlab_runner::interrupt::Interrupt;

/// How long a part should take.
pub const PART_TIME: Duration = Duration::from_secs(60);
/// Attempts at a part before the run gives up.
pub const ATTEMPTS: u32 = 3;

/// Machines that play the parts of runs.
pub struct Cluster {
    executor: Box<dyn Executor>,
    settings: String,
    program: Program,
    part_time: Duration,
    tell: Box<dyn FnMut(&Told)>,
}

impl Cluster {
    /// The machines of an executor with these settings, which are kept in the folder of each run. `program` is this one;
    /// `tell` is told what the user should know.
    pub fn new(
        (executor, settings): (Box<dyn Executor>, String),
        program: Program,
        part_time: Duration,
        tell: Box<dyn FnMut(&Told)>,
    ) -> Self {
        Self {
            executor,
            settings,
            program,
            part_time,
            tell,
        }
    }
}

impl Workforce for Cluster {
    fn play<P, R>(
        &mut self,
        run: RunInPlay<'_>,
        play: &P,
        record: &mut R,
        waiting: Waiting<P::Task, P::Result>,
        interrupt: &Interrupt,
    ) -> Result<(), Failure>
    where
        P: Portable,
        R: Record<Result = P::Result, Remark = P::Remark>,
        R::Tasks: Tasks<Task = P::Task>,
    {
        round::Head::begin(self, run, play, record, waiting, interrupt)?.go_on()
    }
}
