//! Reports what is wrong in a file.

use std::ops::Range;

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Severity, Source, TomlTable};

/// An error with its place; the label and the help may be empty.
pub(crate) fn wrong(message: impl Into<String>, place: Range<usize>, label: &str, help: &str) -> Diagnostic {
    let error = Diagnostic::error(message).at(place, label);
    match help {
        "" => error,
        help => error.help(help),
    }
}

/// A warning with its place; the label and the help may be empty.
pub(crate) fn warning(message: impl Into<String>, place: Range<usize>, label: &str, help: &str) -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        ..wrong(message, place, label, help)
    }
}

/// The report of one mistake.
pub(crate) fn refusal(source: Source, error: Diagnostic) -> Diagnostics {
    Diagnostics::new(source, vec![error])
}

/// Reports with a place, a label and help; the last two may be empty.
pub(crate) trait Complain {
    fn wrong(&self, message: impl Into<String>, place: Range<usize>, label: &str, help: &str);
    fn warn(&self, message: impl Into<String>, place: Range<usize>, label: &str, help: &str);
}

impl Complain for TomlTable<'_> {
    fn wrong(&self, message: impl Into<String>, place: Range<usize>, label: &str, help: &str) {
        self.report(wrong(message, place, label, help));
    }

    fn warn(&self, message: impl Into<String>, place: Range<usize>, label: &str, help: &str) {
        self.report(warning(message, place, label, help));
    }
}
