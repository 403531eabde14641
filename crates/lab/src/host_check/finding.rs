//! What a check finds.

use std::fmt;

/// How good or bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// As it should be.
    Ok,
    /// Nothing to be judged.
    Note,
    /// Perhaps a mistake.
    Warning,
    /// A mistake.
    Wrong,
}

impl Verdict {
    /// The word that begins the line of a finding.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Wrong => "wrong",
        }
    }
}

/// What one check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// How good or bad it is.
    pub verdict: Verdict,
    /// What was checked: the name of a fact, or of a part of the engine.
    pub check: String,
    /// What was found.
    pub what: String,
    /// An example of a mistake: the position, the move, what is there and what was expected.
    pub example: Option<String>,
    /// What would be right.
    pub advice: Option<String>,
}

impl Finding {
    /// Something is as it should be.
    pub(super) fn ok(check: &str, what: impl Into<String>) -> Self {
        Self::new(Verdict::Ok, check, what)
    }

    /// Something to know.
    pub(super) fn note(check: &str, what: impl Into<String>) -> Self {
        Self::new(Verdict::Note, check, what)
    }

    /// Something that may be a mistake.
    pub(super) fn warning(check: &str, what: impl Into<String>, advice: impl Into<String>) -> Self {
        Self::new(Verdict::Warning, check, what).advised(advice)
    }

    /// A mistake, and what would be right.
    pub(super) fn wrong(check: &str, what: impl Into<String>, advice: impl Into<String>) -> Self {
        Self::new(Verdict::Wrong, check, what).advised(advice)
    }

    fn new(verdict: Verdict, check: &str, what: impl Into<String>) -> Self {
        Self {
            verdict,
            check: check.to_owned(),
            what: what.into(),
            example: None,
            advice: None,
        }
    }

    fn advised(mut self, advice: impl Into<String>) -> Self {
        let advice = advice.into();
        self.advice = (!advice.is_empty()).then_some(advice);
        self
    }

    #[must_use]
    pub(super) fn seen(mut self, example: impl Into<String>) -> Self {
        self.example = Some(example.into());
        self
    }
}

impl fmt::Display for Finding {
    /// A line, and a line each for the example and the advice.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<8} {:<20} {}", self.verdict.word(), self.check, self.what)?;
        for (word, text) in [("seen:", &self.example), ("right:", &self.advice)] {
            if let Some(text) = text {
                write!(f, "\n{:<9}{word:<7}{text}", "")?;
            }
        }
        Ok(())
    }
}
