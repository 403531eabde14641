//! completion.toml: says that a part was played to its end.

use serde::{Deserialize, Serialize};

/// How a part was played to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Completion {
    /// Where it was played.
    pub host: String,
    /// The version of lmrlab that played it.
    pub lmrlab: String,
    /// The commit that it was built from, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Its bench fingerprint.
    pub bench: u64,
    /// When the last process began to play it, by the clock of the host, in UTC.
    pub started: String,
    /// When it ended, by the same clock.
    pub ended: String,
    /// How many results there are.
    pub pairs: u64,
    /// Time that the last process took for all its pairs together, in milliseconds.
    pub milliseconds: u64,
    /// The SHA-256 of manifest.toml. It differs between parts.
    pub manifest_sha256: String,
    /// The SHA-256 of games.csv.
    pub games_sha256: String,
    /// Warnings about engines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}
