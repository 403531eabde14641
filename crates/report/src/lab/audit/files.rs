//! The files of an audit, their columns, and what tables call these.

use crate::rows::Shown;

/// The files of an audit, with columns that each must have.
pub(in crate::lab) const FILES: [(&str, &[&str]); 9] = [
    (
        "totals.csv",
        &[
            "policy",
            "sampled",
            "missed_rate",
            "missed_lower_95",
            "missed_upper_95",
            "population",
            "reduced_low_low",
            "reduced_low_high",
        ],
    ),
    (
        "samples.csv",
        &[
            "policy",
            "position",
            "depth",
            "reduction",
            "failed_high",
            "shadow_raises",
            "rules",
        ],
    ),
    (
        "predictors.csv",
        &[
            "policy",
            "predictor",
            "reduce_when",
            "auc",
            "auc_lower_95",
            "auc_upper_95",
        ],
    ),
    (
        "roc.csv",
        &[
            "policy",
            "predictor",
            "raising_reduced",
            "low_reduced",
            "low_reduced_lower_95",
            "low_reduced_upper_95",
        ],
    ),
    (
        "nodes.csv",
        &[
            "policy",
            "expected",
            "outcome",
            "reduced_low_low",
            "reduced_low_high",
            "missed_rate",
        ],
    ),
    (
        "depths.csv",
        &["policy", "depth", "reduced_low_low", "reduced_low_high", "missed_rate"],
    ),
    (
        "reductions.csv",
        &["policy", "plies", "reduced_low_low", "reduced_low_high", "missed_rate"],
    ),
    (
        "rules.csv",
        &["policy", "rule", "reduced_low_low", "reduced_low_high", "missed_rate"],
    ),
    (
        "blame.csv",
        &[
            "policy",
            "position",
            "fen",
            "depth",
            "played",
            "played_score",
            "missed",
            "missed_score",
            "line",
            "reduced_on_the_way",
        ],
    ),
];

/// Files that may have no lines: nothing was found.
pub(super) const MAY_BE_EMPTY: [&str; 8] = [
    "samples.csv",
    "predictors.csv",
    "roc.csv",
    "nodes.csv",
    "depths.csv",
    "reductions.csv",
    "rules.csv",
    "blame.csv",
];

/// Columns that hold numbers, where a file has them.
pub(super) const NUMBERS: [&str; 19] = [
    "sampled",
    "undecided",
    "missed_rate",
    "missed_lower_95",
    "missed_upper_95",
    "population",
    "reduced_low_low",
    "reduced_low_high",
    "depth",
    "reduction",
    "failed_high",
    "shadow_raises",
    "auc",
    "auc_lower_95",
    "auc_upper_95",
    "raising_reduced",
    "low_reduced",
    "low_reduced_lower_95",
    "low_reduced_upper_95",
];

pub(super) const HEADINGS: [Shown<'_>; 27] = [
    Shown::new("policy", "Policy", ""),
    Shown::new("depth", "Depth", "Of the node, in plies"),
    Shown::new("plies", "Plies", "Plies of reduction; negative: extended"),
    Shown::new("rule", "Rule", "Empty: no rule"),
    Shown::new("expected", "Expected", "What the node was expected to be"),
    Shown::new("outcome", "Turned out", ""),
    Shown::new("sampled", "Sampled", "Late moves of the sample"),
    Shown::new("undecided", "Undecided", "Shadow searches that ran out of nodes"),
    Shown::new(
        "reduced_low_low",
        "Rightly dismissed",
        "Reduced, failed low, and fails low at full depth",
    ),
    Shown::new(
        "reduced_low_high",
        "Missed",
        "Reduced, failed low, but raises alpha at full depth",
    ),
    Shown::new(
        "missed_rate",
        "Missed rate",
        "Missed moves divided by all that were reduced and failed low",
    ),
    Shown::new(
        "reduced_high_low",
        "False alarms",
        "Reduced, failed high, but fails low at full depth",
    ),
    Shown::new(
        "reduced_high_high",
        "Recognized",
        "Reduced, failed high, and raises alpha",
    ),
    Shown::new("unreduced_low_low", "Not reduced: low, low", ""),
    Shown::new(
        "unreduced_low_high",
        "low, high",
        "Not reduced, failed low, but the shadow search raises alpha",
    ),
    Shown::new("unreduced_high_low", "high, low", ""),
    Shown::new("unreduced_high_high", "high, high", ""),
    Shown::new("reduced", "Reduced", "Reduced and judged"),
    Shown::new(
        "missed_lower_95",
        "from",
        "Low end of the 95% interval of the missed rate",
    ),
    Shown::new(
        "missed_upper_95",
        "to",
        "High end of the 95% interval of the missed rate",
    ),
    Shown::new("population", "Late moves", "From which the sample was drawn"),
    Shown::new("nodes", "Nodes", "Of the observed searches"),
    Shown::new("shadow_nodes", "Shadow nodes", "Of the shadow searches"),
    Shown::new("predictor", "Predictor", "reduction is the policy itself"),
    Shown::new("reduce_when", "Reduce when it is", ""),
    Shown::new(
        "auc",
        "AUC",
        "Chance that it picks the move that fails low of one that does and one that raises alpha; 0.5 is guessing",
    ),
    Shown::new("auc_lower_95", "from", "Low end of the 95% interval of the AUC"),
];
