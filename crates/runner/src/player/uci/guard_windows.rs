//! What ends the engines that a killed run leaves behind. On Windows that is a job object, not a process: the system kills
//! what is in it when the run ends, however it ends.

use std::io;
use std::path::Path;

use win32job::{ExtendedLimitInfo, Job};

/// A guard for the engines of this process.
#[derive(Debug)]
pub struct Guard(());

impl Guard {
    /// Puts this process, and with it all that it will start, into a job object.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn start() -> io::Result<Self> {
        let job = deadly_job()?;
        job.assign_current_process().map_err(io::Error::other)?;
        // The last handle to the job is closed when this process ends; earlier that would end it.
        let _ = job.into_handle();
        Ok(Self(()))
    }

    /// On Windows a killed run leaves its temporary files behind.
    pub(super) fn watch_file(_: &Path) {}

    /// Ends the guarding, as far as it ends before the process does.
    pub fn end(self) {}
}

/// A job object that kills the processes in it when it is closed.
pub(super) fn deadly_job() -> io::Result<Job> {
    let mut limits = ExtendedLimitInfo::new();
    limits.limit_kill_on_job_close();
    Job::create_with_limit_info(&limits).map_err(io::Error::other)
}
