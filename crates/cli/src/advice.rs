//! What to do about a failure, in the words of the command line.

use lmrlab_runner::failure::{Failure, Refusal, RunFailure};
use lmrlab_runner::record::folder::MANIFEST;

/// The advice; empty when there is none, or the message has its own.
pub(crate) fn advice(failure: &Failure) -> String {
    match failure {
        Failure::Refused(refusal) => of_refusal(refusal),
        Failure::Run(RunFailure::FaultsInARow { .. }) => {
            "`--faults-allowed inf` plays on whatever an engine does".to_owned()
        }
        Failure::Run(_) | Failure::Input(_) | Failure::Changed { .. } | Failure::Interrupted => String::new(),
    }
}

fn of_refusal(refusal: &Refusal) -> String {
    match refusal {
        Refusal::FolderExists(_) => "name another one with `--out`, or replace it with `--force`".to_owned(),
        Refusal::NotARun(_) => format!(
            "`--force` replaces only a folder with a {} of lmrlab; name another one with `--out`",
            MANIFEST.name()
        ),
        Refusal::NotAFolder(_)
        | Refusal::FolderUnwritable { .. }
        | Refusal::BegunElsewhere(_)
        | Refusal::ReplacesInput(_) => "name another folder with `--out`".to_owned(),
        Refusal::InterruptedTuning(folder) => format!(
            "`lmrlab resume {}` goes on with it; `--force` plays it again from the beginning, `--out` elsewhere",
            folder.display()
        ),
        Refusal::TooLittleMemory { .. } => {
            "ask for a smaller `--hash` or fewer `--threads` (`hash_mib` and `threads` in a file)".to_owned()
        }
    }
}

/// A failure of a run, with the command that resumes it. The games so far are saved.
pub(crate) fn with_resume(failure: Failure, folder: &str, what: &str) -> Failure {
    match &failure {
        Failure::Run(run) => {
            let advice = advice(&failure);
            let advice = if advice.is_empty() {
                advice
            } else {
                format!("; {advice}")
            };
            Failure::run(format!(
                "{run}{advice}; what was {what} is kept, `lmrlab resume {folder}` goes on with it"
            ))
        }
        _ => failure,
    }
}
