//! What an engine prints when one of lmrlab's options is set.

use std::fmt;

/// A line that the engine prints. Its text is complete: `info string lmrlab-host ..`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answer {
    /// A policy is in force.
    Policy {
        /// Its name.
        name: String,
        /// Its hash.
        hash: String,
        /// The changes of `LmrParams`; empty without changes.
        changes: String,
    },
    /// No policy is in force: the engine reduces by its own scheme.
    OwnScheme,
    /// The path of the trace that is being written; `None` when there is none.
    Trace(Option<String>),
    /// What is wrong. When a policy is wrong, none is in force; when a trace is wrong, none is written.
    Error(String),
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Policy { name, hash, changes } if changes.is_empty() => format!("policy {name} {hash} -"),
            Self::Policy { name, hash, changes } => format!("policy {name} {hash} {changes}"),
            Self::OwnScheme => "policy -".to_owned(),
            Self::Trace(path) => format!("trace {}", path.as_deref().unwrap_or("-")),
            Self::Error(message) => format!("error {message}"),
        };
        let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        write!(f, "info string lmrlab-host {line}")
    }
}
