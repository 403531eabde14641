//! The first handshake with every program of a run, before anything is played or written.

use lmrlab_diagnostics::{Diagnostics, Source};
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::interrupt::Interrupt;
use crate::player::uci::try_handshake;
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
    let results: Vec<(&str, _)> = (engines.par_iter())
        .filter_map(|entrant| {
            let program = (entrant.external_engine()?, entrant.hosted_policy());
            let name = entrant.name.as_str();
            Some((name, try_handshake(name, program, hash_mib, interrupt.stop_flag())))
        })
        .collect();
    if interrupt.is_abandoned() {
        return Err(Failure::Run(RunFailure::Stopped));
    }
    let (mut errors, mut warnings) = (Vec::new(), Vec::new());
    for (name, result) in results {
        let engine = format!("the engine `{name}`");
        match result {
            Ok(odd) if odd.is_empty() => {}
            Ok(odd) => warnings.push(Diagnostics::new(Source::new("", ""), odd)),
            Err(error) if error.is_of_machine() => {
                let what = error.what;
                return Err(Failure::Run(RunFailure::Machine { engine, what }));
            }
            Err(error) => errors.push(complaint(format!("{engine} {}", error.what), error.details)),
        }
    }
    match errors.is_empty() {
        true => Ok(warnings),
        false => Err(Failure::Input(errors)),
    }
}
