//! What a run does.

use std::fmt;

/// What a run does. Each kind has a table of that name in its manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunKind {
    /// A tournament of any format.
    Tournament,
    /// A tuning run.
    Tuning,
}

impl RunKind {
    /// The name of its table in the manifest.
    pub fn table(self) -> &'static str {
        match self {
            Self::Tournament => "tournament",
            Self::Tuning => "tuning",
        }
    }
}

impl fmt::Display for RunKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tournament => "tournament",
            Self::Tuning => "tuning run",
        })
    }
}
