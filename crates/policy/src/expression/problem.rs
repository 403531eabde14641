//! A mistake in an expression, and its place.

use std::ops::Range;

use lmrlab_diagnostics::{Diagnostic, Text};

/// A mistake in an expression. Its place counts from the start of the expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) message: String,
    pub(crate) span: Range<usize>,
    pub(crate) label: String,
    pub(crate) help: Option<String>,
}

impl Problem {
    pub(crate) fn new(message: impl Into<String>, span: Range<usize>, label: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            span,
            label: label.into(),
            help: None,
        }
    }

    #[must_use]
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The problem with its place in the file that `text` comes from.
    pub(crate) fn into_diagnostic(self, text: &Text) -> Diagnostic {
        let diagnostic = Diagnostic::error(self.message).at(text.place(self.span), self.label);
        match self.help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }
}
