//! What the head of a run has to say.

use std::fmt;

/// Something that the user should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// The executor does not answer; it is asked again.
    NoAnswer(String),
    /// It answers again.
    Answer,
    /// An attempt at a part failed.
    Failed {
        /// The part, from 1.
        part: u64,
        /// The attempt, from 1.
        attempt: u32,
        /// Where, if that is known.
        host: Option<String>,
        /// The rest of a sentence that begins with "it".
        why: String,
    },
    /// A host gets no more parts.
    Excluded {
        /// The host.
        host: String,
        /// Why: a sentence.
        why: String,
    },
    /// The clock of a host is wrong.
    Clock {
        /// The host.
        host: String,
        /// The host's time, in UTC.
        there: String,
        /// The time here, in UTC.
        here: String,
    },
    /// What a worker reported about engines.
    Remark(String),
    /// Parts of an earlier process were found.
    Found {
        /// Parts in play.
        parts: usize,
    },
}

impl Told {
    /// Whether it is a warning, and not only news.
    pub fn is_warning(&self) -> bool {
        !matches!(self, Self::Answer | Self::Found { .. })
    }
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAnswer(why) => write!(f, "the executor does not answer, it is asked again: {why}"),
            Self::Answer => f.write_str("the executor answers again"),
            Self::Failed {
                part,
                attempt,
                host,
                why,
            } => {
                let host = host.as_deref().unwrap_or("an unknown host");
                write!(f, "attempt {attempt} at part {part} failed; on {host} it {why}")
            }
            Self::Excluded { host, why } => write!(f, "{host} gets no more parts: {why}"),
            Self::Clock { host, there, here } => write!(
                f,
                "the clock of {host} says {there}, and here it is {here}; the result does not depend on it"
            ),
            Self::Remark(what) => f.write_str(what),
            Self::Found { parts } => write!(f, "going on with {parts} parts that were in play"),
        }
    }
}
