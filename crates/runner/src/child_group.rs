//! A program that this one starts, with the programs that it starts itself: a process group on Unix, a job on Windows. Ctrl-C in
//! a terminal does not reach it.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

/// A program and its children.
pub(crate) struct ChildGroup {
    pub(crate) child: Child,
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
        Ok(Self { child })
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
        Ok(Self { child, job: Some(job) })
    }

    /// Whether the program has exited. It stays a zombie, so that its id, by which its group is killed, is not reused.
    pub(crate) fn has_exited(&mut self) -> bool {
        #[cfg(unix)]
        {
            use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            matches!(waitid(WaitId::Pid(Pid::from_child(&self.child)), options), Ok(Some(_)))
        }
        #[cfg(windows)]
        matches!(self.child.try_wait(), Ok(Some(_)))
    }

    /// Whether the program exits within this time.
    pub(crate) fn exits_within(&mut self, time: Duration) -> bool {
        let deadline = Instant::now() + time;
        let mut pause = Duration::from_micros(50);
        while !self.has_exited() {
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

    /// Kills the program and its children. Returns how the program ended. To be called once.
    pub(crate) fn kill(&mut self) -> io::Result<ExitStatus> {
        #[cfg(unix)]
        self.signal(rustix::process::Signal::KILL);
        #[cfg(windows)]
        {
            let _ = self.child.kill();
            self.job = None;
        }
        self.child.wait()
    }

    #[cfg(unix)]
    fn signal(&self, signal: rustix::process::Signal) {
        let group = rustix::process::Pid::from_child(&self.child);
        let _ = rustix::process::kill_process_group(group, signal);
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
