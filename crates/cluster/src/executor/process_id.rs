//! The identity of a process, for another process. The system uses process ids again, so the identity includes the
//! start time.

use std::fs;

use serde::{Deserialize, Serialize};

/// A process of this machine, unique across restarts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(super) struct ProcessId {
    /// Its number.
    pub(super) pid: u32,
    /// When it started, in the system's clock ticks.
    started: u64,
    /// The machine, and its current boot.
    boot: String,
}

impl ProcessId {
    /// The process with this number; `None` when there is none, or when this system does not report start times.
    pub(super) fn of(pid: u32) -> Option<Self> {
        let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
        Some(Self {
            pid,
            started: started(pid)?,
            boot: boot.trim().to_owned(),
        })
    }

    /// Whether it still runs. A zombie does not.
    pub(super) fn is_alive(&self) -> bool {
        Self::of(self.pid).as_ref() == Some(self)
    }
}

impl From<ProcessId> for String {
    fn from(id: ProcessId) -> Self {
        format!("{} {} {}", id.pid, id.started, id.boot)
    }
}

impl TryFrom<String> for ProcessId {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let read = || match text.split(' ').collect::<Vec<_>>()[..] {
            [pid, started, boot] => Some(Self {
                pid: pid.parse().ok()?,
                started: started.parse().ok()?,
                boot: boot.to_owned(),
            }),
            _ => None,
        };
        read().ok_or("not a process")
    }
}

/// When a process started: field 22 of its line in `/proc`, see proc(5). `None` for one that has ended.
fn started(pid: u32) -> Option<u64> {
    let line = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The second field is the program's name in parentheses, with anything in it.
    let (_, rest) = line.rsplit_once(')')?;
    let mut fields = rest.split_whitespace();
    let state = fields.next()?;
    if matches!(state, "Z" | "X" | "x") {
        return None;
    }
    fields.nth(18)?.parse().ok()
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_found_again_until_it_ends() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let id = ProcessId::of(child.id()).unwrap();
        assert_eq!(ProcessId::try_from(String::from(id.clone())), Ok(id.clone()));
        assert!(id.is_alive());
        let another = ProcessId {
            started: id.started + 1,
            ..id.clone()
        };
        assert!(!another.is_alive());
        let elsewhere = ProcessId {
            boot: "x".to_owned(),
            ..id.clone()
        };
        assert!(!elsewhere.is_alive());

        child.kill().unwrap();
        // A zombie has ended.
        while id.is_alive() {
            std::thread::yield_now();
        }
        child.wait().unwrap();
        assert!(!id.is_alive());
    }

    #[test]
    fn other_texts_are_no_processes() {
        for text in ["", "1", "1 2", "x 2 b", "1 x b", "1 2 b c"] {
            assert!(ProcessId::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
}
