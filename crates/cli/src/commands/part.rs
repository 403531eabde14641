//! Plays a part of a run: for `--part` and for `lmrlab resume` with the folder of a part.

use std::num::NonZeroUsize;

use crate::frame::{Frame, Work, listen, print_err, print_warnings};
use crate::invocation::invocation;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::manifest::RunKind;
use lmrlab_runner::conduct::first_handshake;
use lmrlab_runner::conduct::threads::Threads;
use lmrlab_runner::parts::PartFolder;
use lmrlab_runner::parts::machine_name::this_machine;
use lmrlab_runner::parts::play::{PartEnding, play_part};
use lmrlab_runner::run::Run;
use lmrlab_runner::tournament::defaults::all_threads;
use lmrlab_runner::trust;
use lmrlab_tune::run::TuningRun;

/// Plays the remaining pairs of a part, and prints how it ended.
///
/// # Errors
/// When the part belongs to another version or search than this program's, and when a file or a program has changed.
pub(crate) fn play(part: &PartFolder, threads: Option<NonZeroUsize>, frame: &Frame) -> Result<(), Failure> {
    let program = invocation();
    part.check_program(&program)?;
    let interrupt = listen(Work::Pairs)?;
    let run = Run::open(part.path())?;
    // The arena borrows one of the two.
    let (tournament, tuning);
    let (mut arena, warnings) = match part.manifest.kind {
        RunKind::Tournament => {
            tournament = run.tournament(|_| (), &program)?;
            (tournament.0.arena(), &tournament.1)
        }
        RunKind::Tuning => {
            tuning = TuningRun::recorded(part.path(), |_| (), &program)?;
            (tuning.plan.arena(), &tuning.warnings)
        }
    };
    trust::check(part.path(), arena.engines, None, frame.options.trust)?;
    warnings.iter().for_each(print_warnings);
    let warnings = first_handshake(arena.engines, arena.conditions.hash_mib, &interrupt)?;
    warnings.iter().for_each(print_warnings);
    // Parts that an executor plays at the same time on a machine would share a processor.
    let is_alone = part.part.of.is_some();
    arena.threads = Threads {
        count: threads.unwrap_or_else(|| if is_alone { all_threads() } else { NonZeroUsize::MIN }),
        pinned: arena.threads.pinned && is_alone,
    };
    let name = part.name();
    let mut shown = 0;
    let mut each = |played: u64, of: u64| {
        let percent = played * 100 / of;
        if !frame.options.quiet && percent / 10 > shown / 10 {
            shown = percent;
            print_err(&format!("{name}: {played} of {of} pairs"));
        }
    };
    let played = play_part(&arena, part, (&this_machine(), &program), &interrupt, &mut each);
    let text = match played? {
        PartEnding::ToItsEnd => format!("{} is complete\n", capitalized(&part.name())),
        PartEnding::Before => format!("{} was complete already\n", capitalized(&part.name())),
        PartEnding::Interrupted => {
            print_err(&format!(
                "Interrupted; resume with: lmrlab resume {}",
                part.path().display()
            ));
            return Err(Failure::Interrupted);
        }
    };
    frame.print(&text);
    Ok(())
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
