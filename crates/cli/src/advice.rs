//! Advice about failures, with the options of the command line.

use std::path::Path;

use lmrlab_diagnostics::failure::{Failure, Refusal, RunFailure};
use lmrlab_results::folder::MANIFEST;

/// What to do when the folder for the results has results already.
const ANOTHER_FOLDER: &str = "name another folder with `--out`, or replace it with `--force`";

/// The advice; empty when there is none, or when the message contains its own.
pub(crate) fn advice(failure: &Failure) -> String {
    match failure {
        Failure::Refused(refusal) => of_refusal(refusal),
        Failure::Run(RunFailure::FaultsInARow { .. }) => {
            "`--faults-allowed inf` continues a run after any number of faults".to_owned()
        }
        Failure::Run(_) | Failure::Input(_) | Failure::Changed { .. } | Failure::Interrupted => String::new(),
    }
}

fn of_refusal(refusal: &Refusal) -> String {
    match refusal {
        Refusal::FolderExists(_) => ANOTHER_FOLDER.to_owned(),
        Refusal::NotARun(_) => format!(
            "`--force` replaces only a folder with a {} of lmrlab; name another one with `--out`",
            MANIFEST.name()
        ),
        Refusal::NotAFolder(_)
        | Refusal::FolderUnwritable { .. }
        | Refusal::BegunElsewhere(_)
        | Refusal::ReplacesInput(_) => "name another folder with `--out`".to_owned(),
        Refusal::InterruptedTuning(folder) => of_interrupted(folder),
        Refusal::TooLittleMemory { .. } => {
            "ask for a smaller `--hash` or fewer `--threads` (`hash_mib` and `threads` in a file)".to_owned()
        }
    }
}

/// What to do when the folder for the results has an interrupted run.
pub(crate) fn of_interrupted(folder: &Path) -> String {
    format!(
        "`lmrlab resume {}` resumes it; `--force` starts it again, `--out` names another folder",
        folder.display()
    )
}

/// A failure of the run in `folder`, with the command that resumes it when the folder is there: `resume` with `named`.
/// The games so far are saved.
pub(crate) fn with_resume(failure: Failure, folder: &Path, named: &Path) -> Failure {
    match &failure {
        Failure::Run(run) if folder.join(MANIFEST.name()).is_file() => {
            let advice = advice(&failure);
            let advice = if advice.is_empty() {
                advice
            } else {
                format!("; {advice}")
            };
            Failure::run(format!(
                "{run}{advice}; all recorded pairs are saved, resume with `lmrlab resume {}`",
                named.display()
            ))
        }
        _ => failure,
    }
}
