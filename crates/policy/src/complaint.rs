//! Reports what is wrong in a file.

use std::ops::Range;

use lmrlab_diagnostics::{Diagnostic, Table};

/// An error with its place; the label and the help may be empty.
pub(crate) fn wrong(message: impl Into<String>, place: Range<usize>, label: &str, help: &str) -> Diagnostic {
    complaint(Diagnostic::error(message), place, label, help)
}

fn complaint(diagnostic: Diagnostic, place: Range<usize>, label: &str, help: &str) -> Diagnostic {
    let diagnostic = diagnostic.at(place, label);
    if help.is_empty() {
        diagnostic
    } else {
        diagnostic.help(help)
    }
}

/// Reports with a place, a label and help; the last two may be empty.
pub(crate) trait Complain {
    fn wrong(&self, message: impl Into<String>, place: Range<usize>, label: &str, help: &str);
    fn warn(&self, message: impl Into<String>, place: Range<usize>, label: &str, help: &str);
}

impl Complain for Table<'_> {
    fn wrong(&self, message: impl Into<String>, place: Range<usize>, label: &str, help: &str) {
        self.report(wrong(message, place, label, help));
    }

    fn warn(&self, message: impl Into<String>, place: Range<usize>, label: &str, help: &str) {
        self.report(complaint(Diagnostic::warning(message), place, label, help));
    }
}
