//! The first handshake with every program of a run, before anything is played or written.

use lmrlab_diagnostics::{Diagnostics, Source};

use crate::interrupt::Interrupt;
use crate::player::uci::try_handshake;
use crate::tournament::defaults::all_threads;
use crate::tournament::entrant::Entrant;
use lmrlab_diagnostics::failure::{Failure, RunFailure, complaint};

/// Starts each program among these engines once, with hash tables of `hash_mib` MiB. Sets its options and its policy, and waits
/// until it is ready. Returns warnings.
///
/// # Errors
/// When a program cannot be started, exits, does not answer in time, or cannot play its policy. The message names all
/// such programs. When the machine has no files, processes or memory left to start one, the error is a failure of the
/// run, not of the input.
pub fn first_handshake(engines: &[Entrant], hash_mib: u32, interrupt: &Interrupt) -> Result<Vec<Diagnostics>, Failure> {
    let programs = engines.iter().filter_map(|entrant| {
        let program = (entrant.external_engine()?, entrant.hosted_policy());
        Some((&*entrant.name, program))
    });
    let programs: Vec<_> = programs.collect();
    let (mut errors, mut warnings) = (Vec::new(), Vec::new());
    for some in programs.chunks(all_threads().get()) {
        let results: Vec<_> = std::thread::scope(|scope| {
            let stop = interrupt.stop_flag();
            let start = |(name, program)| scope.spawn(move || try_handshake(name, program, hash_mib, stop));
            let threads: Vec<_> = some.iter().copied().map(start).collect();
            threads.into_iter().map(std::thread::ScopedJoinHandle::join).collect()
        });
        for ((name, _), result) in some.iter().zip(results) {
            match result {
                Ok(Ok(odd)) if odd.is_empty() => {}
                Ok(Ok(odd)) => warnings.push(Diagnostics::new(Source::new("", ""), odd)),
                Ok(Err(error)) if error.is_of_machine() => {
                    let engine = format!("the engine `{name}`");
                    return Err(Failure::Run(RunFailure::Machine {
                        engine,
                        what: error.what,
                    }));
                }
                Ok(Err(error)) => errors.push(complaint(format!("the engine `{name}` {}", error.what), error.details)),
                Err(panic) => return Err(Failure::mistake(&format!("the first handshake with `{name}`"), &*panic)),
            }
        }
    }
    if interrupt.is_abandoned() {
        return Err(Failure::Run(RunFailure::Stopped));
    }
    if errors.is_empty() {
        Ok(warnings)
    } else {
        Err(Failure::Input(errors))
    }
}
