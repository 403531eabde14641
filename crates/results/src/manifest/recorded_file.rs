//! The files that a run depends on, with their SHA-256.

use serde::{Deserialize, Serialize};

/// A file that a run depends on.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RecordedFile {
    /// Its path relative to the project's root, or the path of a built-in file.
    pub path: String,
    /// The SHA-256 of its bytes.
    pub sha256: String,
    /// The number of positions, for openings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<usize>,
    /// The text of a configuration file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}
