//! `--threads` and `--executor`: where the games of a run are played.

use std::path::Path;

use lmrlab_diagnostics::Source;

use crate::frame::{Options, print_err};
use crate::invocation::invocation;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::folder::EXECUTOR;
use lmrlab_results::text_file;
use lmrlab_runner::parts::executor::Executor;
use lmrlab_runner::parts::executor::command::ExecutorCommand;
use lmrlab_runner::trust;

/// What `--executor` is for this process.
const HERE: &str = "here";
/// The longest file with a command that is read, in bytes.
const MAX_FILE: u64 = 1 << 20;

/// The machines for a run: those that the user asks for, those that it began with, or this process.
pub(crate) fn machines(options: &Options, begun_with: Option<ExecutorCommand>) -> Result<Option<Executor>, Failure> {
    let command = match (begun_with, options.executor.as_deref()) {
        (Some(command), _) => command,
        (None, None | Some(HERE)) => return Ok(None),
        (None, Some(text)) => {
            let command = ExecutorCommand::argument(text)?;
            trust::record(&[], Some(&command));
            command
        }
    };
    Ok(Some(Executor::new(command, invocation(), |text| {
        print_err(&format!("warning: {text}"));
    })))
}

/// The executor that a run began with, unless the user gives another.
pub(crate) fn begun_with(options: &Options, run: &Path) -> Result<Option<ExecutorCommand>, Failure> {
    let saved = run.join(EXECUTOR.name());
    if options.executor.is_some() || !saved.exists() {
        return Ok(None);
    }
    let shown = saved.display().to_string();
    let text = text_file::read_utf8(&saved, MAX_FILE)
        .map_err(|error| Failure::input(format!("cannot read `{shown}`: {error}"), "name one with `--executor`"))?;
    ExecutorCommand::read(Source::new(shown, text)).map(Some)
}
