//! The ideas of a trial: `[[idea]]` tables with what each changes of the policy, or of the search.

use lmrlab_diagnostics::{Diagnostic, Table};

use crate::idea::Idea;
use crate::subject::Subject;

/// Reads the ideas and adds them to the subject.
pub(super) fn ideas(table: &Table<'_>, subject: &mut Subject) -> Option<()> {
    let mut right = true;
    for idea in table.tables("idea") {
        let read = match (idea.text("policy"), idea.text("search")) {
            (Some(text), None) => Some((Idea::of_policy(&text.value), text.span)),
            (None, Some(text)) => Some((Idea::of_search(&text.value), text.span)),
            _ => None,
        };
        let place = idea.span();
        idea.close();
        let Some((read, at)) = read else {
            let message = "an idea has either `policy` or `search`, with its changes";
            table.report(Diagnostic::error(message).at(place, ""));
            right = false;
            continue;
        };
        let checked = read.and_then(|idea| {
            if let Some(own) = subject.start.own() {
                idea.changes(&own.policy, &own.preset)?;
            }
            idea.check_together(&subject.ideas)?;
            Ok(idea)
        });
        match checked {
            Ok(idea) => subject.ideas.push(idea),
            Err(error) => {
                table.report(Diagnostic::error(error.message).at(at, "").help(error.advice));
                right = false;
            }
        }
    }
    if !subject.ideas.is_empty() && (subject.start.own().is_none() || subject.names().len() != subject.ideas.len()) {
        let message = "ideas are of the project's own engine, without parameters and choices beside them";
        table.report(Diagnostic::error(message).at(table.place_of("engine"), ""));
        right = false;
    }
    right.then_some(())
}
