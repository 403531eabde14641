//! What a check finds: something is as it should be (`ok`), there is nothing to be judged (`note`), perhaps there is a mistake
//! (`warning`), or there is one (`wrong`).

use lmrlab_results::rows::host_check::HostFindingRow;

/// What one check found.
pub type Finding = HostFindingRow;

/// The verdict on a mistake.
pub const WRONG: &str = "wrong";
/// The verdict on what may be a mistake.
pub const WARNING: &str = "warning";
/// The verdict on what is as it should be.
pub(super) const OK: &str = "ok";
/// The verdict on what cannot be judged.
pub(super) const NOTE: &str = "note";

/// A finding with what would be right, and an example of a mistake.
pub(super) fn of(verdict: &str, check: &str, what: impl Into<String>, advice: &str, seen: &str) -> Finding {
    Finding {
        verdict: verdict.to_owned(),
        check: check.to_owned(),
        found: what.into(),
        seen: seen.to_owned(),
        right: format!("{advice}{}", in_rust(advice)),
    }
}

/// The functions of lmrlab.h in advice, and what does the same in the crate lmrlab-host.
const IN_RUST: [(&str, &str); 14] = [
    ("lmr_print_options", "Host::options"),
    ("lmr_setoption", "Host::set_option"),
    ("lmr_init", "Host::new"),
    ("lmr_policy", "Host::policy"),
    ("lmr_open", "Host::open"),
    ("LMR_WANTS", "Host::wants"),
    ("lmr_position", "LateMove::position"),
    ("lmr_reduction", "Host::reduction"),
    ("lmr_result", "LateMove::result"),
    ("lmr_close", "Host::close"),
    ("lmr_shadow", "LateMove::is_sampled and Host::shadow"),
    ("lmr_judged", "Host::judged"),
    ("lmr_new_search", "Host::new_search"),
    (
        "lmr_ladder, lmr_depth_change and lmr_updates_history",
        "Host::research and Host::depth_change",
    ),
];

fn in_rust(advice: &str) -> String {
    let used = IN_RUST.iter().filter(|(name, _)| advice.contains(name));
    let names: Vec<String> = used.map(|(name, rust)| format!("{name} is {rust}")).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!(" (in Rust {})", names.join(", ")),
    }
}
