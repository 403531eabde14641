//! The name of the machine that a part is played on.

/// Where names are looked for before the system is asked: a node of Slurm need not be a machine of its own.
const VARIABLES: [&str; 2] = ["LMRLAB_HOST", "SLURMD_NODENAME"];

/// What this machine is called.
pub fn this_host() -> String {
    let named = VARIABLES.iter().filter_map(|variable| std::env::var(variable).ok());
    let named = named.map(|name| name.trim().to_owned()).find(|name| !name.is_empty());
    named
        .or_else(sysinfo::System::host_name)
        .unwrap_or_else(|| "unknown".to_owned())
}
