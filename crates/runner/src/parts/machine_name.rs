//! The name of the machine that a part is played on.

/// Environment variables with the name, which come before the system's name. Several nodes of Slurm may run on one
/// machine.
const VARIABLES: [&str; 2] = ["LMRLAB_HOST", "SLURMD_NODENAME"];

/// What this machine is called.
pub fn this_machine() -> String {
    let named = VARIABLES.iter().filter_map(|variable| std::env::var(variable).ok());
    let named = named.map(|name| name.trim().to_owned()).find(|name| !name.is_empty());
    named
        .or_else(sysinfo::System::host_name)
        .unwrap_or_else(|| "unknown".to_owned())
}
