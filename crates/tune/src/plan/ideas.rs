//! The ideas of a trial: `[[idea]]` tables. Each changes the policy or the search.

use lmrlab_diagnostics::{Diagnostic, TomlTable};
use lmrlab_engine::preset::Preset;
use lmrlab_policy::policy::Policy;
use lmrlab_runner::tournament::resolve::Resolver;

use crate::subject::Subject;
use crate::subject::idea::{Idea, IdeaError, LIBRARY};
use crate::subject::idea_switch::{IdeaSwitch, NoSwitch};

/// Reads the ideas and adds them to the subject.
pub(super) fn ideas(table: &TomlTable<'_>, subject: &mut Subject, resolver: &mut Resolver<'_>) -> Option<()> {
    let (mut right, mut unfit) = (true, Vec::new());
    let base = Subject::changed(&subject.start);
    for idea in table.tables("idea") {
        let read = one(&idea, subject, base.as_ref(), resolver);
        idea.close();
        match read {
            Ok(idea) => subject.ideas.push(idea),
            Err(Wrong::Here(error)) => {
                table.report(error);
                right = false;
            }
            Err(Wrong::Elsewhere(report)) => {
                resolver.errors.push(report);
                right = false;
            }
            Err(Wrong::Unfit(error)) => unfit.push(error),
        }
    }
    if let (Some(last), Some((policy, _))) = (unfit.pop(), &base) {
        let possible = IdeaSwitch::possible(policy, &resolver.files, resolver.root);
        unfit.push(last.help(possible_ideas(&possible)));
        right = false;
    }
    unfit.into_iter().for_each(|error| table.report(error));
    if let Err(error) = check_all(subject) {
        table.report(Diagnostic::error(error.message).help(error.advice));
        right = false;
    }
    if !subject.ideas.is_empty() && (base.is_none() || subject.names().len() != subject.ideas.len()) {
        let message = "ideas are of the project's own engine or of a host with a policy, without parameters and choices beside them";
        table.report(Diagnostic::error(message).at(table.place_of("engine"), ""));
        right = false;
    }
    right.then_some(())
}

/// Advice for an idea that does not fit a policy; `possible` are the ideas that do.
pub(crate) fn possible_ideas(possible: &[String]) -> String {
    match possible.is_empty() {
        true => "no idea of the library fits this policy; `--change` tries a rule or a number of its own".to_owned(),
        false => format!("ideas that can be tried on it: {}", possible.join(", ")),
    }
}

/// What is wrong with an idea.
enum Wrong {
    /// In the file of the run.
    Here(Diagnostic),
    /// In a file of the library.
    Elsewhere(lmrlab_diagnostics::Diagnostics),
    /// It does not fit the policy.
    Unfit(Diagnostic),
}

/// The idea of a table.
fn one(
    table: &TomlTable<'_>,
    subject: &Subject,
    base: Option<&(Policy, Preset)>,
    resolver: &Resolver<'_>,
) -> Result<Idea, Wrong> {
    let reported = table.text("reported").map_or_else(String::new, |text| text.value);
    let (read, at) = match (table.text("policy"), table.text("search"), table.text(LIBRARY)) {
        (Some(text), None, None) => (Idea::of_policy(&text.value), text.span),
        (None, Some(text), None) if subject.start.hosted_policy().is_some() => {
            let message = format!(
                "the idea `{}` is of the search, and a host has a search of its own",
                text.value
            );
            let help = "try it in a preset, or write `policy` for an idea of the policy";
            return Err(Wrong::Here(Diagnostic::error(message).at(text.span, "").help(help)));
        }
        (None, Some(text), None) => (Idea::of_search(&text.value), text.span),
        (None, None, Some(text)) if base.is_some() => {
            let policy = base.map_or_else(Policy::none, |(policy, _)| policy.clone());
            let idea = Idea::of_library(&text.value, reported, &policy, (&resolver.files, resolver.root));
            let idea = idea.map_err(|why| match why {
                NoSwitch::Wrong(report) => Wrong::Elsewhere(report),
                NoSwitch::Unfit(reason) => {
                    let (name, policy) = (&text.value, &subject.start.name);
                    let message = format!("the idea `{name}` cannot be tried on `{policy}`: {reason}");
                    Wrong::Unfit(Diagnostic::error(message))
                }
            })?;
            (Ok(idea), text.span)
        }
        _ => {
            let message = "an idea has one of `policy`, `search` and `library`, with its changes or its name";
            return Err(Wrong::Here(Diagnostic::error(message).at(table.span(), "")));
        }
    };
    let checked = read.and_then(|idea| {
        if let Some((policy, preset)) = base {
            idea.changes(policy, preset)?;
        }
        idea.check_together(&subject.ideas)?;
        Ok(idea)
    });
    checked.map_err(|error| Wrong::Here(Diagnostic::error(error.message).at(at, "").help(error.advice)))
}

/// Refuses ideas that cannot all be on together, or all be off together.
fn check_all(subject: &Subject) -> Result<(), IdeaError> {
    let Some(base) = Subject::changed(&subject.start) else {
        return Ok(());
    };
    for on in [true, false] {
        let (mut policy, mut preset) = base.clone();
        let ideas = subject.ideas.iter().map(|idea| (idea, on));
        Idea::apply_all(ideas, &mut policy, &mut preset)?;
    }
    Ok(())
}
