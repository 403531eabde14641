//! A search in which every node is searched to its nominal depth, and every move of every node: in it each condition of a
//! scheme meets moves of each kind, and facts can be computed again from the line alone.

use lmrlab_engine::preset::Preset;

/// The standard search without whatever leaves moves out, changes depths, learns corrections, or brings checks forward so
/// that none is late.
pub(crate) fn plain_search() -> Preset {
    let mut preset = Preset::default();
    for feature in [
        "correction_history",
        "reverse_futility",
        "futility",
        "late_move_pruning",
        "history_pruning",
        "see_pruning",
        "singular_extension",
        "null_move_verification_depth",
        "threat_ordering",
        "check_ordering",
    ] {
        preset.parameters.set(feature, 0).unwrap();
    }
    preset
}
