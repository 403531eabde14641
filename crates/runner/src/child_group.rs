//! A program that this one starts, with the programs that it starts itself: a process group on Unix, a job on Windows. Ctrl-C in
//! a terminal does not reach it.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

/// A program and its children. Dropping it kills them.
pub(crate) struct ChildGroup {
    pub(crate) child: Child,
    /// How the program ended, when it was waited for.
    ended: Option<ExitStatus>,
    /// Windows kills the processes in a job when its last handle is closed, also when this process is killed.
    #[cfg(windows)]
    job: Option<win32job::Job>,
}

impl ChildGroup {
    /// Starts a command.
    #[cfg(unix)]
    pub(crate) fn spawn(command: &mut Command) -> io::Result<Self> {
        use std::os::unix::process::CommandExt;
        let child = command.process_group(0).spawn()?;
        Ok(Self { child, ended: None })
    }

    /// Starts a command.
    #[cfg(windows)]
    pub(crate) fn spawn(command: &mut Command) -> io::Result<Self> {
        use std::os::windows::io::AsRawHandle;
        use std::os::windows::process::CommandExt;
        /// The creation flag CREATE_NEW_PROCESS_GROUP.
        const NEW_PROCESS_GROUP: u32 = 0x200;
        let mut limits = win32job::ExtendedLimitInfo::new();
        limits.limit_kill_on_job_close();
        let job = win32job::Job::create_with_limit_info(&limits).map_err(io::Error::other)?;
        let child = command.creation_flags(NEW_PROCESS_GROUP).spawn()?;
        // A process that is already gone cannot join. Its closed output shows that it is gone.
        let _ = job.assign_process(child.as_raw_handle() as isize);
        let (ended, job) = (None, Some(job));
        Ok(Self { child, ended, job })
    }

    /// Whether the program has exited. It stays a zombie, so that its id, by which its group is killed, is not reused. It is an error
    /// when the system does not know the program any more.
    pub(crate) fn has_exited(&mut self) -> io::Result<bool> {
        #[cfg(unix)]
        {
            use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            Ok(self.ended.is_some() || waitid(WaitId::Pid(Pid::from_child(&self.child)), options)?.is_some())
        }
        #[cfg(windows)]
        Ok(self.child.try_wait()?.is_some())
    }

    /// Whether the program exits within this time. One that the system does not know any more has exited.
    pub(crate) fn exits_within(&mut self, time: Duration) -> bool {
        let deadline = Instant::now() + time;
        let mut pause = Duration::from_micros(50);
        while !self.has_exited().unwrap_or(true) {
            if Instant::now() >= deadline {
                return false;
            }
            std::thread::sleep(pause);
            pause = (2 * pause).min(Duration::from_millis(5));
        }
        true
    }

    /// Asks the program and its children to end. On Windows it does nothing.
    pub(crate) fn ask_to_end(&self) {
        #[cfg(unix)]
        self.signal(rustix::process::Signal::TERM);
    }

    /// Kills the program and its children. Returns how the program ended.
    pub(crate) fn kill(&mut self) -> io::Result<ExitStatus> {
        if let Some(status) = self.ended {
            return Ok(status);
        }
        #[cfg(unix)]
        self.signal(rustix::process::Signal::KILL);
        #[cfg(windows)]
        {
            let _ = self.child.kill();
            self.job = None;
        }
        let status = self.child.wait()?;
        self.ended = Some(status);
        Ok(status)
    }

    #[cfg(unix)]
    fn signal(&self, signal: rustix::process::Signal) {
        let group = rustix::process::Pid::from_child(&self.child);
        let _ = rustix::process::kill_process_group(group, signal);
    }
}

impl Drop for ChildGroup {
    fn drop(&mut self) {
        let _ = self.kill();
    }
}

/// How a program ended, in words.
pub(crate) fn ending(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("was killed by signal {signal}");
    }
    match status.code() {
        // An exception of Windows, such as 0xc0000005 for an access violation.
        Some(code) if code < 0 => format!("exited with status {code:#x}"),
        Some(code) => format!("exited with status {code}"),
        None => "exited".to_owned(),
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn shell(script: &str) -> ChildGroup {
        ChildGroup::spawn(Command::new("sh").args(["-c", script])).unwrap()
    }

    #[test]
    fn a_dropped_program_is_killed() {
        let group = shell("sleep 60");
        let id = rustix::process::Pid::from_child(&group.child);
        assert!(rustix::process::test_kill_process(id).is_ok());
        drop(group);
        assert!(rustix::process::test_kill_process(id).is_err());
    }

    #[test]
    fn a_program_that_the_system_does_not_know_does_not_run() {
        let mut group = shell("exit 3");
        group.child.wait().unwrap();
        assert!(group.has_exited().is_err());
        assert!(group.exits_within(Duration::from_secs(60)));
        let mut group = shell("exit 3");
        assert!(group.exits_within(Duration::from_secs(60)));
        assert_eq!(ending(group.kill().unwrap()), "exited with status 3");
        assert!(group.has_exited().unwrap());
    }
}
