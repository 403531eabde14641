//! The files that a run depends on, with their SHA-256.

use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::openings::Openings;
use crate::sha256::sha256_of_file;
use crate::tournament::description::OpeningsFile;
use crate::tournament::entrant::Entrant;

/// A file that a run depends on.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RecordedFile {
    /// Its path, as seen from the project's root; or that of a built-in file.
    pub path: String,
    /// The SHA-256 of its bytes.
    pub sha256: String,
    /// Of openings, the number of positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<usize>,
    /// The text of a configuration file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl RecordedFile {
    /// An openings file.
    pub fn openings(file: &OpeningsFile, openings: &Openings) -> Self {
        Self {
            path: file.file.display().to_string(),
            sha256: openings.sha256().to_owned(),
            positions: Some(openings.count()),
            text: None,
        }
    }
}

/// The programs among some engines, each once.
///
/// # Errors
/// When one cannot be read.
pub fn programs(engines: &[Entrant]) -> Result<Vec<RecordedFile>, Failure> {
    let mut files: Vec<RecordedFile> = Vec::new();
    for engine in engines {
        let Some(external) = engine.external_engine() else {
            continue;
        };
        let path = engine.reference().to_owned();
        if files.iter().any(|file| file.path == path) {
            continue;
        }
        let sha256 = sha256_of_file(&external.program).map_err(|error| {
            Failure::input(
                format!("cannot read `{}`: {error}", external.program.display()),
                "a run records the SHA-256 of its programs",
            )
        })?;
        files.push(RecordedFile {
            path,
            sha256,
            positions: None,
            text: None,
        });
    }
    Ok(files)
}
