//! The ideas of a trial: `[[idea]]` tables. Each changes the policy or the search.

use lmrlab_diagnostics::{Diagnostic, TomlTable};
use lmrlab_runner::tournament::resolve::Resolver;

use crate::subject::idea::{Idea, LIBRARY};
use crate::subject::idea_switch::{IdeaSwitch, NoSwitch};
use crate::subject::{Subject, policy_of};

/// Reads the ideas and adds them to the subject.
pub(super) fn ideas(table: &TomlTable<'_>, subject: &mut Subject, resolver: &mut Resolver<'_>) -> Option<()> {
    let (mut right, mut unfit) = (true, Vec::new());
    for idea in table.tables("idea") {
        let wrong = add(&idea, subject, resolver).err();
        idea.close();
        right &= wrong.is_none();
        match wrong {
            None => {}
            Some(Wrong::Here(error)) => table.report(error),
            Some(Wrong::Elsewhere(report)) => resolver.errors.push(report),
            Some(Wrong::Unfit(error)) => unfit.push(error),
        }
    }
    let policy = policy_of(&subject.start.engine).map(|(policy, _)| policy);
    if let (Some(last), Some(policy)) = (unfit.pop(), policy) {
        let possible = IdeaSwitch::possible(policy, &resolver.files, resolver.root);
        unfit.push(last.help(match possible.is_empty() {
            true => {
                "no idea of the library fits this policy; `--change` tries a rule or a number of its own".to_owned()
            }
            false => format!("ideas that can be tried on it: {}", possible.join(", ")),
        }));
    }
    unfit.into_iter().for_each(|error| table.report(error));
    if !subject.ideas.is_empty() && (policy.is_none() || subject.names().len() != subject.ideas.len()) {
        let message =
            "ideas are of the project's own engine or of a host with a policy, without parameters beside them";
        table.report(Diagnostic::error(message).at(table.place_of("engine"), ""));
        right = false;
    }
    right.then_some(())
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

/// Adds the idea of a table.
fn add(table: &TomlTable<'_>, subject: &mut Subject, resolver: &Resolver<'_>) -> Result<(), Wrong> {
    let reported = table.text("reported").map_or_else(String::new, |text| text.value);
    let policy = policy_of(&subject.start.engine).map(|(policy, _)| policy);
    let library = table.text(LIBRARY).zip(policy);
    let (read, at) = match (table.text("policy"), table.text("search"), library) {
        (Some(text), None, None) => (Idea::of_policy(&text.value), text.span),
        (None, Some(text), None) if subject.start.hosted_policy().is_some() => {
            let message = format!(
                "the idea `{}` is of the search, and a host has a search of its own",
                text.value
            );
            let help = "try it in a preset, or write `policy` for an idea of the policy";
            (Err(Diagnostic::error(message).help(help)), text.span)
        }
        (None, Some(text), None) => (Idea::of_search(&text.value), text.span),
        (None, None, Some((text, policy))) => {
            let idea = Idea::of_library(&text.value, reported, policy, (&resolver.files, resolver.root));
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
            (Err(Diagnostic::error(message)), table.span())
        }
    };
    let added = read.and_then(|idea| subject.add(idea));
    added.map_err(|error| Wrong::Here(error.at(at, "")))
}
