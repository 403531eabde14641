//! Plays a part of a run: for `--part` and for `lmrlab resume` with the folder of a part.

use std::num::NonZeroUsize;

use super::tournament_session::{guard_engines, listen};
use crate::invocation::invocation;
use crate::print::{print_err, print_out, print_warnings};
use lmrlab_cluster::host;
use lmrlab_cluster::part::{PartFolder, Program};
use lmrlab_cluster::worker::{Played, check_program, play_part};
use lmrlab_results::failure::Failure;
use lmrlab_results::manifest::RunKind;
use lmrlab_runner::conduct::first_handshake;
use lmrlab_runner::conduct::in_order::Threads;
use lmrlab_runner::conduct::pair_player::PairPlayer;
use lmrlab_runner::player::uci::guard::Guard;
use lmrlab_runner::record::fault_log::EngineLogs;
use lmrlab_runner::run::Run;
use lmrlab_runner::tournament::defaults::all_threads;
use lmrlab_tune::tuning_run::{Overrides, TuningRun};

/// Plays the remaining pairs of a part, and prints how it ended.
///
/// # Errors
/// When the part belongs to another version or search than this program's, and when a file or a program has changed.
pub(crate) fn play(part: &PartFolder, threads: Option<NonZeroUsize>, quiet: bool) -> Result<(), Failure> {
    play_as(part, Program::this(&invocation())?, threads, quiet)
}

/// The same, with the identity of this program given.
pub(crate) fn play_as(
    part: &PartFolder,
    program: Program,
    threads: Option<NonZeroUsize>,
    quiet: bool,
) -> Result<(), Failure> {
    check_program(part, &program)?;
    let interrupt = listen()?;
    let run = Run::open(part.path())?;
    // The arena borrows one of the two.
    let (tournament, tuning);
    let (arena, warnings) = match part.manifest().kind {
        RunKind::Tournament => {
            tournament = run.tournament(|_| (), &invocation())?;
            (tournament.0.arena(), &tournament.1)
        }
        RunKind::Tuning => {
            tuning = TuningRun::recorded(part.path(), Overrides::default(), &invocation())?;
            (tuning.plan.arena(), &tuning.warnings)
        }
    };
    warnings.iter().for_each(print_warnings);
    let mut engines = arena.engines.iter();
    let guard = guard_engines(engines.any(|engine| engine.external_engine().is_some()));
    let warnings = first_handshake(arena.engines, arena.conditions.hash_mib, &interrupt)?;
    warnings.iter().for_each(print_warnings);
    let threads = Threads {
        count: threads.unwrap_or_else(all_threads),
        ..arena.threads
    };
    let name = part.name();
    let mut shown = 0;
    let mut each = |played: u64, of: u64| {
        let percent = played * 100 / of;
        if !quiet && percent / 10 > shown / 10 {
            shown = percent;
            print_err(&format!("{name}: {played} of {of} pairs"));
        }
    };
    let logs = EngineLogs::new(part.path(), None);
    let player = PairPlayer::new(arena, &interrupt, &logs);
    let host = (threads, &*host::this_host(), &program);
    let played = play_part(&player, part, host, &interrupt, &mut each);
    guard.into_iter().for_each(Guard::end);
    let text = match played? {
        Played::ToItsEnd => format!("{} is complete\n", capitalized(&part.name())),
        Played::Before => format!("{} was complete already\n", capitalized(&part.name())),
        Played::Interrupted => {
            print_err(&format!(
                "Interrupted; resume with: lmrlab resume {}",
                part.path().display()
            ));
            return Err(Failure::Interrupted);
        }
    };
    print_out(&text);
    Ok(())
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
