//! Whether the transposition tables of a run fit into memory. This is checked before the first game, because a failed
//! allocation ends the process.

use std::fmt;

use lmrlab_diagnostics::failure::Refusal;

const MIB: u64 = 1 << 20;

/// Address space that a thread takes besides its transposition tables, in bytes.
const THREAD_BYTES: u64 = 64 * MIB;

/// The transposition tables that exist at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tables {
    /// Searches or games at the same time.
    pub threads: u64,
    /// Engines of this process for each of them.
    pub own: u64,
    /// Engines that are programs, for each of them. Their real size depends on the program.
    pub programs: u64,
    /// The size of each table, in MiB.
    pub hash_mib: u32,
}

impl Tables {
    /// Checks that they fit into the free memory, as far as the system reports it. Each thread also needs address space
    /// for its stack and for what its engines allocate besides the tables.
    ///
    /// # Errors
    /// When they do not.
    pub fn check(self) -> Result<(), Refusal> {
        self.check_against(&[
            (self.own + self.programs, free_memory(), "are free"),
            (
                self.own,
                free_addresses().map(|bytes| bytes.saturating_sub(self.threads.saturating_mul(THREAD_BYTES))),
                "are left to them in this process (`ulimit -v`)",
            ),
        ])
    }

    /// Each limit has the number of engines that share it, its size in bytes where that is known, and its name.
    fn check_against(self, limits: &[(u64, Option<u64>, &'static str)]) -> Result<(), Refusal> {
        for (engines, limit, what) in limits {
            let tables = self.threads.saturating_mul(*engines);
            let needed = tables.saturating_mul(u64::from(self.hash_mib));
            let Some(free) = limit.map(|bytes| bytes / MIB).filter(|free| needed > *free) else {
                continue;
            };
            return Err(Refusal::TooLittleMemory {
                needed_mib: needed,
                tables: self.to_string(),
                free_mib: free,
                of_what: what,
            });
        }
        Ok(())
    }
}

impl fmt::Display for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |count: u64, what: &str| match count {
            1 => format!("1 {what}"),
            _ => format!("{count} {what}s"),
        };
        let engines = count(self.own + self.programs, "engine");
        write!(
            f,
            "{} x {engines} x {} MiB",
            count(self.threads, "thread"),
            self.hash_mib
        )
    }
}

/// Memory that this process can have without swapping, in bytes: at most what is free, and at most what a control group
/// allows.
fn free_memory() -> Option<u64> {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    let machine = Some(system.available_memory()).filter(|bytes| *bytes > 0);
    // Caches of the group are given back when memory is needed, so they do not count.
    let group = (system.cgroup_limits()).map(|group| group.total_memory.saturating_sub(group.rss));
    machine.into_iter().chain(group).min()
}

/// Address space that this process may still take, in bytes; `None` when it is not limited.
#[cfg(target_os = "linux")]
fn free_addresses() -> Option<u64> {
    use rustix::process::{Resource, getrlimit};
    let limit = getrlimit(Resource::As).current?;
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmSize:"))?;
    let taken: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(limit.saturating_sub(taken << 10))
}

/// Address space that this process may still take, in bytes: this system does not report it.
#[cfg(not(target_os = "linux"))]
fn free_addresses() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_counted_against_each_limit() {
        let tables = Tables {
            threads: 3,
            own: 1,
            programs: 1,
            hash_mib: 100,
        };
        let check = |all: u64, own: u64| {
            let limits = [(2, Some(all * MIB), "are free"), (1, Some(own * MIB), "are left")];
            tables.check_against(&limits).map_err(|failure| failure.to_string())
        };
        assert!(check(600, 300).is_ok());
        let message = check(599, 300).unwrap_err();
        assert!(
            message.contains("take 600 MiB (3 threads x 2 engines x 100 MiB), and 599 MiB are free"),
            "{message}"
        );
        assert!(check(600, 299).unwrap_err().contains("take 300 MiB"));
        assert!(tables.check_against(&[(2, None, "")]).is_ok());
        let huge = Tables {
            threads: u64::MAX,
            ..tables
        };
        assert!(huge.check_against(&[(2, Some(u64::MAX / 2), "are free")]).is_err());
    }

    #[test]
    fn the_system_tells_what_is_free() {
        let free = free_memory().unwrap();
        assert!(free > MIB, "{free}");
        let tables = |threads| Tables {
            threads,
            own: 1,
            programs: 0,
            hash_mib: 1,
        };
        assert!(tables(1).check().is_ok());
        assert!(tables(1 << 40).check().is_err());
    }
}
