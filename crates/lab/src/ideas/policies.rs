//! The policies with an idea and without it, and what a baseline stands for.

use std::path::Path;

use lmrlab_diagnostics::Files;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_policy::idea::{IdeaComparison, IdeaPolicy};
use lmrlab_policy::reference::{IDEA_MARK, POLICY_FOLDER, WITHOUT};
use lmrlab_results::rows::ideas::IdeaPolicyRow;
use lmrlab_results::visible::visible;

use super::library::{KnownIdea, known_ideas, named};

/// The policies of an idea of the project with this root.
pub(super) fn policies(known: &KnownIdea, root: &Path) -> Result<Vec<IdeaPolicyRow>, Failure> {
    let folder = known.path.parent().unwrap_or(root);
    let mut rows = Vec::new();
    for comparison in &known.idea.comparisons {
        let (name, on) = (&known.name, &comparison.on);
        for (side, end, of_side) in [
            ("with", String::new(), &comparison.with),
            ("without", format!(":{WITHOUT}"), &comparison.without),
        ] {
            // A side that cannot be played is an error.
            of_side.resolve(&Files::on_disk(), folder, root)?;
            let (policy, text) = match of_side {
                IdeaPolicy::Reference(reference) => (reference.to_string(), String::new()),
                IdeaPolicy::Text(_) => (String::new(), of_side.text()),
            };
            rows.push(IdeaPolicyRow {
                on: on.clone(),
                side: side.to_owned(),
                name: format!("{IDEA_MARK}{name}:{on}{end}"),
                policy,
                text,
                note: note(comparison, root).filter(|_| side == "without").unwrap_or_default(),
            });
        }
    }
    Ok(rows)
}

/// What a baseline stands for, when it has the name of a policy and is another one.
fn note(comparison: &IdeaComparison, root: &Path) -> Option<String> {
    let (on, base) = (&comparison.on, comparison.base()?);
    let is_policy = Files::on_disk().named(POLICY_FOLDER, root).contains_key(on);
    (is_policy && on != base).then(|| format!("baseline `{on}` is the policy {}, not `{on}`", visible(base)))
}

/// What the baseline of an engine stands for, when the words that describe the engine name an idea, and the baseline has
/// the name of another policy.
///
/// # Errors
/// When there is no such idea, or a file of the library is wrong.
pub fn baseline_note(words: &str, root: &Path) -> Result<Option<String>, Failure> {
    let Some(rest) = words.strip_prefix(IDEA_MARK) else {
        return Ok(None);
    };
    let mut parts = rest.split('@').next().unwrap_or_default().split(':');
    let (name, on) = (parts.next().unwrap_or_default(), parts.next());
    let (ideas, _) = known_ideas(&Files::on_disk(), root).map_err(Failure::Input)?;
    let comparison = named(&ideas, name)?.idea.on(on);
    Ok(comparison.and_then(|comparison| note(comparison, root)))
}
