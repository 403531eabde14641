//! Slurm's commands, run with a time limit.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::super::child::{in_own_group, last_lines_of};

/// Time for a command. Slurm's own commands give up earlier when the controller does not answer.
const LIMIT: Duration = Duration::from_secs(120);

/// What the names of variables begin with that change what the commands answer.
const FILTERS: [&str; 2] = ["SQUEUE_", "SCANCEL_"];

/// Where Slurm's commands are.
pub(super) struct Tools {
    folder: Option<PathBuf>,
    limit: Duration,
}

/// Why a command has no answer.
#[derive(Debug)]
pub(super) enum ToolError {
    /// There is no such command.
    Missing(String),
    /// It failed: its name, and what it said or how it ended.
    Failed(String, String),
}

impl std::fmt::Display for ToolError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Missing(name) => write!(f, "there is no command `{name}`"),
            Self::Failed(name, why) => write!(f, "`{name}` failed: {why}"),
        }
    }
}

impl ToolError {
    /// Whether the command said one of these.
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

    /// What a command prints, given its input.
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
            // A command that does not read its input says why elsewhere.
            scope.spawn(move || drop(stdin.write_all(input.as_bytes())));
            let output = scope.spawn(|| read(stdout));
            let errors = scope.spawn(|| read(stderr));
            let status = self.wait(&mut child);
            (
                status,
                output.join().unwrap_or_default(),
                errors.join().unwrap_or_default(),
            )
        });
        match status {
            Ok(Some(status)) if status.success() => Ok(String::from_utf8_lossy(&output).into_owned()),
            Ok(Some(status)) => {
                let ending = || super::super::child::ending(status);
                Err(failed(last_lines_of(&errors).unwrap_or_else(ending)))
            }
            Ok(None) => Err(failed(format!("no answer within {} s", self.limit.as_secs_f64()))),
            Err(error) => Err(failed(error.to_string())),
        }
    }

    /// How the command ended; `None` when it was killed at the limit.
    fn wait(&self, child: &mut Child) -> io::Result<Option<std::process::ExitStatus>> {
        let deadline = Instant::now() + self.limit;
        let mut pause = Duration::from_micros(200);
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(Some(status));
            }
            if Instant::now() >= deadline {
                kill(child);
                child.wait()?;
                return Ok(None);
            }
            thread::sleep(pause);
            pause = (2 * pause).min(Duration::from_millis(20));
        }
    }
}

fn read(mut pipe: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    // What was read before an error may still tell something.
    let _ = pipe.read_to_end(&mut bytes);
    bytes
}

/// Kills a command with what it has started.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        // It is not reaped yet, so the number is its own.
        let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = child.kill();
}
