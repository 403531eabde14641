//! The coordinator of a run on many machines. It cuts the run into parts and has them played. It records the results in
//! the order of the schedule, so the files are those of a single machine.
//!
//! ```text
//! pairs -> parts on disk -> Executor -> workers
//!   ^                                      |
//!   +---- Record <- results in order <-----+
//! ```
//!
//! All that the coordinator knows is on disk: the journal of the run has the recorded pairs, `parts/` has the submitted
//! pairs, and parts.csv says where each part was played. So a new coordinator takes over from one that was killed.

pub mod parts_csv;
mod parts_in_play;
mod returned;
mod rounds;

use crate::executor::Executor;
use crate::executor::settings::Settings;
use crate::part::Program;
use lmrlab_results::failure::Failure;
use lmrlab_runner::conduct::in_order::Record;
use lmrlab_runner::conduct::pair_player::PairPlayer;
use lmrlab_runner::conduct::worker_pool::{RunInPlay, WorkerPool};
use lmrlab_runner::interrupt::Interrupt;
use lmrlab_runner::record::recorded_pair::Waiting;

/// Attempts at the pairs of a part before the run ends.
pub const ATTEMPTS: usize = 3;

/// Something that the user should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// Something went wrong, and the run continues.
    Warning(String),
    /// News about the run that are no warning.
    News(String),
}

/// Machines that play the parts of runs.
pub struct Cluster {
    executor: Box<dyn Executor>,
    settings: Settings,
    program: Program,
    notify: Box<dyn FnMut(&Notice)>,
}

impl Cluster {
    /// The machines of an executor with these settings. The settings are saved in the folder of each run. `program` is
    /// this program. `notify` gets what the user should know.
    pub fn new(
        executor: Box<dyn Executor>,
        settings: Settings,
        program: Program,
        notify: Box<dyn FnMut(&Notice)>,
    ) -> Self {
        Self {
            executor,
            settings,
            program,
            notify,
        }
    }
}

impl WorkerPool for Cluster {
    fn play(
        &mut self,
        run: RunInPlay<'_>,
        player: &PairPlayer<'_>,
        record: &mut dyn Record,
        waiting: Waiting,
        interrupt: &Interrupt,
    ) -> Result<(), Failure> {
        rounds::Coordinator::begin(self, run, &player.arena, record, waiting, interrupt)?.play()
    }
}
