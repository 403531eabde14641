//! Where the pairs of a run are played.

use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::manifest::Invocation;

use super::coordinator::Coordinator;
use super::settings::Settings;
use super::{Executor, RunInPlay};
use crate::conduct::in_order::{Record, play_in_order};
use crate::conduct::pair_player::PairPlayer;
use crate::conduct::threads_file::ThreadsFile;
use crate::interrupt::Interrupt;
use crate::memory::Tables;
use crate::record::recorded_pair::Waiting;

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

    /// Plays pairs until none remain, the run is decided, or the user asks to stop. Records the results in the order of
    /// the pairs. `waiting` has the results that an earlier process finished before their turn; their pairs are not
    /// played again.
    ///
    /// # Errors
    /// When the recorder fails, a pair cannot be played, or no machine can play. Earlier results stay recorded.
    pub fn play(
        &mut self,
        run: RunInPlay<'_>,
        player: &PairPlayer<'_>,
        record: &mut dyn Record,
        waiting: Waiting,
        interrupt: &Interrupt,
    ) -> Result<(), Failure> {
        match self {
            Self::Here => {
                let file = ThreadsFile::of(run.folder, run.threads.count);
                let play = |players: &mut _, pair: &_, warnings: &mut _| player.play(players, pair, warnings);
                play_in_order(&play, record, waiting, run.threads, file, interrupt)
            }
            Self::Executor(executor) => {
                Coordinator::begin(executor, run, &player.arena, record, waiting, interrupt)?.play()
            }
        }
    }

    /// Checks that the tables of the run fit into memory. Those of a command are on other machines.
    ///
    /// # Errors
    /// When they do not.
    pub fn check(&self, tables: Tables) -> Result<(), Failure> {
        match self {
            Self::Here => Ok(tables.check()?),
            Self::Executor(_) => Ok(()),
        }
    }
}
