//! Parts played by processes on this machine.

use std::path::Path;

use lmrlab_runner::failure::Failure;

use super::processes::{Commands, Processes, Step};
use super::settings::{Host, LocalSettings};
use crate::host::this_host;

/// Runs lmrlab itself.
pub(super) struct Local {
    program: String,
    threads: usize,
}

/// The executor that runs `program` on this machine.
pub(super) fn local(settings: &LocalSettings, program: &Path) -> Result<Processes<Local>, Failure> {
    let Some(path) = program.to_str() else {
        let message = format!("the path of lmrlab, `{}`, is not UTF-8", program.display());
        return Err(Failure::input(message, "move it to another folder"));
    };
    let threads = settings.threads.unwrap_or(1);
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let host = Host {
        name: this_host(),
        slots: settings.slots.unwrap_or((processors / threads).max(1)),
    };
    let local = Local {
        program: path.to_owned(),
        threads,
    };
    Ok(Processes::new(local, vec![host], None))
}

impl Commands for Local {
    fn words(&self, step: Step, _: &str, folder: &str) -> Option<Vec<String>> {
        let threads = self.threads.to_string();
        let words = [
            &*self.program,
            "resume",
            folder,
            "--trust",
            "--quiet",
            "--threads",
            &threads,
        ];
        (step == Step::Play).then(|| words.map(str::to_owned).to_vec())
    }

    fn are_foreign(&self) -> bool {
        false
    }
}
