//! Slurm's commands, run with a time limit.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::super::child::{Process, ProcessState, ending, in_own_group, last_lines_of};

/// Time limit of a command. Slurm's own commands give up earlier when the controller does not answer.
const LIMIT: Duration = Duration::from_secs(120);

/// The beginnings of the names of environment variables that change the answers of the commands.
const FILTERS: [&str; 2] = ["SQUEUE_", "SCANCEL_"];

/// Where Slurm's commands are.
pub(super) struct Tools {
    folder: Option<PathBuf>,
    limit: Duration,
}

/// Why a command has no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum ToolError {
    /// There is no such command.
    #[error("there is no command `{0}`")]
    Missing(String),
    /// It failed: its name, and what it printed or how it ended.
    #[error("`{0}` failed: {1}")]
    Failed(String, String),
}

impl ToolError {
    /// Whether the command printed one of these texts.
    pub(super) fn says(&self, texts: &[&str]) -> bool {
        match self {
            Self::Missing(_) => false,
            Self::Failed(_, why) => texts.iter().any(|text| why.contains(text)),
        }
    }
}

impl Tools {
    pub(super) fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, limit: LIMIT }
    }

    #[cfg(test)]
    pub(super) fn with_limit(self, limit: Duration) -> Self {
        Self { limit, ..self }
    }

    /// Runs a command with this input, and returns its output.
    pub(super) fn run(&self, name: &str, arguments: &[String], input: &str) -> Result<String, ToolError> {
        let program = match &self.folder {
            Some(folder) => folder.join(name),
            None => PathBuf::from(name),
        };
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        for (variable, _) in std::env::vars_os() {
            let text = variable.to_string_lossy();
            if FILTERS.iter().any(|filter| text.starts_with(filter)) {
                command.env_remove(&variable);
            }
        }
        in_own_group(&mut command);
        let failed = |why: String| ToolError::Failed(name.to_owned(), why);
        let mut child = command.spawn().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => ToolError::Missing(name.to_owned()),
            _ => failed(error.to_string()),
        })?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(mut stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(failed("a pipe is missing".to_owned()));
        };
        let (status, output, errors) = thread::scope(|scope| {
            // A command that does not read its input reports the reason in its output.
            scope.spawn(move || drop(stdin.write_all(input.as_bytes())));
            let output = scope.spawn(|| read(stdout));
            let errors = scope.spawn(|| read(stderr));
            let status = self.wait(child);
            (
                status,
                output.join().unwrap_or_default(),
                errors.join().unwrap_or_default(),
            )
        });
        match status {
            Some(status) if status.success() => Ok(String::from_utf8_lossy(&output).into_owned()),
            Some(status) => Err(failed(last_lines_of(&errors).unwrap_or_else(|| ending(status)))),
            None => Err(failed(format!("no answer within {} s", self.limit.as_secs_f64()))),
        }
    }

    /// The exit status of the command; `None` when it was killed at the time limit.
    fn wait(&self, child: Child) -> Option<ExitStatus> {
        let mut process = Process::Own(child);
        let deadline = Instant::now() + self.limit;
        let mut pause = Duration::from_micros(200);
        loop {
            match process.poll() {
                ProcessState::Ended(status) => return status,
                ProcessState::Running if Instant::now() >= deadline => {
                    process.end_now();
                    return None;
                }
                ProcessState::Running => thread::sleep(pause),
            }
            pause = (2 * pause).min(Duration::from_millis(20));
        }
    }
}

fn read(mut pipe: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    // The bytes before an error may explain it.
    let _ = pipe.read_to_end(&mut bytes);
    bytes
}
