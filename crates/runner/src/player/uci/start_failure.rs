//! Why a program could not be started, or not be given its policy: because of the program, or of the machine.

use std::io;

use crate::player::fault::{Fault, FaultKind};

/// Why a program was not started: the machine has no more files, processes or memory for it, or it is no program that
/// can be started.
pub(super) fn not_started(error: &io::Error) -> Fault {
    let what = format!("could not be started: {error}");
    let kind = match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory => FaultKind::Machine,
        _ if is_out_of_files(error) => FaultKind::Machine,
        _ => FaultKind::Crash,
    };
    Fault::new(kind, what)
}

/// The file of its policy could not be written.
pub(super) fn not_written(error: &io::Error) -> Fault {
    let what = format!("gets no policy, because its temporary file cannot be written: {error}");
    Fault::new(FaultKind::Machine, what)
}

/// Whether this process, or the system, has too many open files.
#[cfg(unix)]
fn is_out_of_files(error: &io::Error) -> bool {
    use rustix::io::Errno;
    [Errno::MFILE, Errno::NFILE]
        .iter()
        .any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
}

/// Whether this process has too many open files.
#[cfg(not(unix))]
fn is_out_of_files(error: &io::Error) -> bool {
    /// `ERROR_TOO_MANY_OPEN_FILES`
    const TOO_MANY_OPEN_FILES: i32 = 4;
    error.raw_os_error() == Some(TOO_MANY_OPEN_FILES)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_machine_and_not_the_engine_is_out_of_files_and_processes() {
        use rustix::io::Errno;
        let kind = |errno: Errno| not_started(&io::Error::from(errno)).kind;
        for errno in [Errno::MFILE, Errno::NFILE, Errno::AGAIN, Errno::NOMEM] {
            assert_eq!(kind(errno), FaultKind::Machine, "{errno}");
        }
        for errno in [Errno::NOENT, Errno::ACCESS, Errno::NOEXEC] {
            assert_eq!(kind(errno), FaultKind::Crash, "{errno}");
        }
    }
}
