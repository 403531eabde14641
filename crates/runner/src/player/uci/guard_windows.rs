//! What ends the engines that a killed run leaves behind. On Windows that is a job object, not a process. However the
//! run ends, the system then kills all processes in the job.

use std::io;
use std::os::windows::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use win32job::{ExtendedLimitInfo, Job};

/// The creation flag CREATE_NEW_PROCESS_GROUP.
const NEW_PROCESS_GROUP: u32 = 0x200;

/// A guard for the engines of this process.
#[derive(Debug)]
pub struct Guard(());

impl Guard {
    /// Puts this process, and all processes that it will start, into a job object.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn start() -> io::Result<Self> {
        let job = deadly_job()?;
        job.assign_current_process().map_err(io::Error::other)?;
        // Closing the last handle to the job kills this process, so the handle stays open until the process ends.
        let _ = job.into_handle();
        Ok(Self(()))
    }

    /// Starts `program` with what `configure` adds to the command. Ctrl-C in the console is meant for lmrlab, not for it.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn spawn(program: &Path, configure: impl FnOnce(&mut Command)) -> io::Result<Child> {
        let mut command = Command::new(program);
        configure(&mut command);
        command.stdin(Stdio::piped()).creation_flags(NEW_PROCESS_GROUP).spawn()
    }

    /// On Windows a killed run leaves its temporary files behind.
    pub(super) fn watch_file(_: &Path) {}

    /// Does nothing: the guarding ends with the process.
    pub fn end(self) {}
}

/// A job object that kills the processes in it when it is closed.
pub(super) fn deadly_job() -> io::Result<Job> {
    let mut limits = ExtendedLimitInfo::new();
    limits.limit_kill_on_job_close();
    Job::create_with_limit_info(&limits).map_err(io::Error::other)
}
