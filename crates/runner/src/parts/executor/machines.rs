//! Where the pairs of a run are played.

use crate::conduct::in_order::Record;
use crate::conduct::pair_player::PairPlayer;
use crate::conduct::worker_pool::{RunInPlay, ThisProcess, WorkerPool};
use crate::interrupt::Interrupt;
use crate::memory::Tables;
use crate::record::recorded_pair::Waiting;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::manifest::Invocation;

use super::Executor;
use super::coordinator::Coordinator;
use super::settings::Settings;

/// Where the pairs of a run are played.
pub enum Machines {
    /// In threads of this process.
    Here,
    /// By the command of an executor.
    Executor(Box<Executor>),
}

impl Machines {
    /// Where an executor with these settings plays. `program` is this program. `warn` gets what the user should know.
    pub fn of(settings: Settings, program: Invocation, warn: impl FnMut(&str) + 'static) -> Self {
        Self::Executor(Box::new(Executor {
            settings,
            program,
            warn: Box::new(warn),
        }))
    }

    /// Whether pairs are played by a command.
    pub fn are_elsewhere(&self) -> bool {
        matches!(self, Self::Executor(_))
    }
}

impl WorkerPool for Machines {
    fn play(
        &mut self,
        run: RunInPlay<'_>,
        player: &PairPlayer<'_>,
        record: &mut dyn Record,
        waiting: Waiting,
        interrupt: &Interrupt,
    ) -> Result<(), Failure> {
        match self {
            Self::Here => ThisProcess.play(run, player, record, waiting, interrupt),
            Self::Executor(executor) => {
                Coordinator::begin(executor, run, &player.arena, record, waiting, interrupt)?.play()
            }
        }
    }

    fn check(&self, tables: Tables) -> Result<(), Failure> {
        match self {
            Self::Here => ThisProcess.check(tables),
            // The commands have the tables.
            Self::Executor(_) => Ok(()),
        }
    }
}
