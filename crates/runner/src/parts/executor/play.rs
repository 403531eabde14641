//! Plays the pairs of a run, here or by an executor.

use lmrlab_diagnostics::failure::Failure;

use super::given_out::Parts;
use super::{Executor, RunInPlay};
use crate::conduct::collector::Record;
use crate::conduct::in_order::{Pool, play_in_order};
use crate::conduct::pair_player::PairPlayer;
use crate::conduct::threads_file::ThreadsFile;
use crate::conduct::worker::{Played, Turn};
use crate::interrupt::Interrupt;
use crate::record::recorded_pair::Waiting;

/// Plays pairs until none remain, the run is decided, or the user asks to stop: in threads of this process, or by the command
/// of an executor. Records the results in the order of the pairs. `waiting` has the results that an earlier process finished
/// before their turn; their pairs are not played again.
///
/// # Errors
/// When the recorder fails, a pair cannot be played, or no machine can play. Earlier results stay recorded.
pub fn play(
    executor: Option<&Executor>,
    run: RunInPlay<'_>,
    player: &PairPlayer<'_>,
    record: &mut dyn Record,
    waiting: Waiting,
    interrupt: &Interrupt,
) -> Result<(), Failure> {
    match executor {
        None => {
            let file = ThreadsFile::of(run.folder, run.threads.count);
            let pool = Pool {
                // Threads beyond the number at first wait.
                hosts: vec![None; file.most()],
                playing: run.threads.count.get(),
                pinned: run.threads.pinned,
                pairs: 1,
                begun: Vec::new(),
                file: Some(file),
            };
            let play = |turn: Turn<'_>| {
                let mut results = Vec::new();
                for pair in &turn.work.pairs {
                    match player.play(turn.players, pair, turn.warnings)? {
                        Some(result) => results.push(result),
                        None => return Ok(Played::Nothing),
                    }
                }
                Ok(Played::Results(results, None))
            };
            play_in_order(&play, record, waiting, pool, interrupt)
        }
        Some(executor) => {
            let parts = Parts::of(executor, run, &player.arena, interrupt)?;
            let pool = Pool {
                hosts: parts.hosts.clone(),
                playing: parts.hosts.len(),
                pinned: false,
                pairs: executor.settings.pairs.get().into(),
                begun: parts.begun(record, &waiting),
                file: None,
            };
            play_in_order(&|turn| parts.play(turn), record, waiting, pool, interrupt)?;
            parts.end(record);
            Ok(())
        }
    }
}
