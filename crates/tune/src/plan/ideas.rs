//! The ideas of a trial: `[[idea]]` tables. Each changes the policy or the search.

use lmrlab_diagnostics::{Diagnostic, TomlTable};
use lmrlab_runner::tournament::resolve::Resolver;

use crate::idea::{Idea, IdeaError, LIBRARY};
use crate::idea_switch::{IdeaSwitch, NoSwitch};
use crate::subject::Subject;

/// Reads the ideas and adds them to the subject. `filled` are the facts that a host fills; ideas that read other facts
/// are refused.
pub(super) fn ideas(
    table: &TomlTable<'_>,
    subject: &mut Subject,
    resolver: &mut Resolver<'_>,
    filled: Option<&[String]>,
) -> Option<()> {
    let (mut right, mut unfit) = (true, Vec::new());
    let base = Subject::changed(&subject.start);
    for idea in table.tables("idea") {
        let written = (idea.text("policy"), idea.text("search"), idea.text(LIBRARY));
        let reported = idea.text("reported").map_or_else(String::new, |text| text.value);
        let place = idea.span();
        idea.close();
        let (read, at) = match written {
            (Some(text), None, None) => (Idea::of_policy(&text.value), text.span),
            (None, Some(text), None) if subject.start.hosted_policy().is_some() => {
                let message = format!(
                    "the idea `{}` is of the search, and a host has a search of its own",
                    text.value
                );
                let help = "try it in a preset, or write `policy` for an idea of the policy";
                table.report(Diagnostic::error(message).at(text.span, "").help(help));
                right = false;
                continue;
            }
            (None, Some(text), None) => (Idea::of_search(&text.value), text.span),
            (None, None, Some(text)) if base.is_some() => {
                let (policy, _) = base.as_ref()?;
                let name = &text.value;
                match Idea::of_library(name, reported, policy, (&resolver.files, resolver.root)) {
                    Ok(idea) => (Ok(idea), text.span),
                    Err(NoSwitch::Wrong(report)) => {
                        resolver.errors.push(report);
                        right = false;
                        continue;
                    }
                    Err(NoSwitch::Unfit(reason)) => {
                        let policy = &subject.start.name;
                        let message = format!("the idea `{name}` cannot be tried on `{policy}`: {reason}");
                        unfit.push(Diagnostic::error(message));
                        continue;
                    }
                }
            }
            _ => {
                let message = "an idea has one of `policy`, `search` and `library`, with its changes or its name";
                table.report(Diagnostic::error(message).at(place, ""));
                right = false;
                continue;
            }
        };
        let checked = read.and_then(|idea| {
            if let Some((policy, preset)) = &base {
                idea.changes(policy, preset)?;
            }
            idea.check_together(&subject.ideas)?;
            Ok(idea)
        });
        match checked {
            Ok(idea) => {
                let alone = Subject {
                    ideas: vec![idea.clone()],
                    ..subject.clone()
                };
                let missing = filled.map_or_else(Vec::new, |filled| alone.missing_facts(0, filled));
                if missing.is_empty() {
                    subject.ideas.push(idea);
                } else {
                    let (name, policy) = (idea.name(), &subject.start.name);
                    let facts = missing.iter().map(|fact| format!("`{fact}`"));
                    let facts = facts.collect::<Vec<_>>().join(", ");
                    let message = format!(
                        "the idea `{name}` cannot be tried on `{policy}`: it reads facts that the engine does not fill: {facts}"
                    );
                    unfit.push(Diagnostic::error(message));
                }
            }
            Err(error) => {
                table.report(Diagnostic::error(error.message).at(at, "").help(error.advice));
                right = false;
            }
        }
    }
    if let (Some(last), Some((policy, _))) = (unfit.pop(), &base) {
        let mut possible = IdeaSwitch::possible(policy, &resolver.files, resolver.root);
        if let Some(filled) = filled {
            possible.retain(|name| {
                let idea = Idea::of_library(name, String::new(), policy, (&resolver.files, resolver.root));
                let alone = idea.map(|idea| Subject {
                    ideas: vec![idea],
                    ..subject.clone()
                });
                alone.is_ok_and(|alone| alone.missing_facts(0, filled).is_empty())
            });
        }
        unfit.push(last.help(match possible.is_empty() {
            true => {
                "no idea of the library fits this policy; `--change` tries a rule or a number of its own".to_owned()
            }
            false => format!("ideas that can be tried on it: {}", possible.join(", ")),
        }));
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
