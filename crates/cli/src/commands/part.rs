//! Plays a part of a run: for `--part` and for `lmrlab resume` with the folder of a part.

use std::num::NonZeroUsize;
use std::time::Duration;

use super::playing::guard_engines;
use crate::frame::Frame;
use crate::frame::print::{print_err, print_warnings};
use crate::frame::stop_signal::{Work, listen};
use crate::invocation::invocation;
use lmrlab_cluster::host;
use lmrlab_cluster::part::{PartFolder, Program};
use lmrlab_cluster::worker::{Played, play_part};
use lmrlab_results::failure::Failure;
use lmrlab_results::manifest::RunKind;
use lmrlab_runner::conduct::in_order::Threads;
use lmrlab_runner::conduct::portable::Portable;
use lmrlab_runner::conduct::{Pairs, first_handshake};
use lmrlab_runner::interrupt::Interrupt;
use lmrlab_runner::player::uci::guard::Guard;
use lmrlab_runner::record::fault_log::EngineLogs;
use lmrlab_runner::run::Run;
use lmrlab_runner::tournament::defaults::all_threads;
use lmrlab_runner::tournament::entrant::Entrant;
use lmrlab_tune::session::{Overrides, Session};
use lmrlab_tune::tuning_run::TuningRun;

/// Plays the remaining pairs of a part, and prints how it ended.
///
/// # Errors
/// When the part belongs to another version or search than this program's, and when a file or a program has changed.
pub(crate) fn play(part: &PartFolder, frame: &Frame) -> Result<(), Failure> {
    play_as(part, Program::this(&invocation())?, frame.options.threads, frame)
}

/// The same, with the identity of this program given.
pub(crate) fn play_as(
    part: &PartFolder,
    program: Program,
    threads: Option<NonZeroUsize>,
    frame: &Frame,
) -> Result<(), Failure> {
    part.check_program(&program)?;
    let interrupt = listen(Work::Pairs)?;
    let worker = Worker {
        part,
        program,
        count: threads.unwrap_or_else(|| match part.part().of {
            Some(_) => all_threads(),
            // An executor plays several parts at a time.
            None => NonZeroUsize::MIN,
        }),
        quiet: frame.options.quiet,
        interrupt: &interrupt,
    };
    let logs = EngineLogs::new(part.path(), None);
    let played = match part.manifest().kind {
        RunKind::Tournament => {
            let (tournament, warnings) = Run::open(part.path())?.tournament(|_| (), &invocation())?;
            warnings.iter().for_each(print_warnings);
            let hash = tournament.description.conditions.hash_mib;
            let pairs = Pairs::new(&tournament, &interrupt, &logs);
            // Parts that an executor plays at the same time on a machine would share a processor.
            let pinned = tournament.pins() && part.part().of.is_some();
            worker.play(&pairs, &tournament.engines, hash, pinned)
        }
        RunKind::Tuning => {
            let session = Session::recorded(part.path(), Overrides::default(), &invocation())?;
            session.warnings.iter().for_each(print_warnings);
            let plan = &session.plan;
            let pairs = TuningRun::new(plan, &interrupt, &logs, Duration::ZERO);
            let engine = std::slice::from_ref(&plan.subject.start);
            worker.play(&pairs, engine, plan.conditions.hash_mib, false)
        }
    }?;
    let text = match played {
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
    frame.print(&text);
    Ok(())
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Plays pairs of any kind.
struct Worker<'w> {
    part: &'w PartFolder,
    program: Program,
    count: NonZeroUsize,
    quiet: bool,
    interrupt: &'w Interrupt,
}

impl Worker<'_> {
    fn play<P: Portable>(
        &self,
        pairs: &P,
        engines: &[Entrant],
        hash_mib: u32,
        pinned: bool,
    ) -> Result<Played, Failure> {
        let guard = guard_engines(engines.iter().any(|engine| engine.external_engine().is_some()));
        let warnings = first_handshake(engines, hash_mib, self.interrupt)?;
        warnings.iter().for_each(print_warnings);
        let threads = Threads {
            count: self.count,
            pinned,
        };
        let name = self.part.name();
        let mut shown = 0;
        let mut each = |played: u64, of: u64| {
            let percent = played * 100 / of;
            if !self.quiet && percent / 10 > shown / 10 {
                shown = percent;
                print_err(&format!("{name}: {played} of {of} pairs"));
            }
        };
        let played = play_part(
            pairs,
            self.part,
            (threads, &host::this_host(), &self.program),
            self.interrupt,
            &mut each,
        );
        guard.into_iter().for_each(Guard::end);
        played
    }
}
