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
        right: advice.to_owned(),
    }
}
