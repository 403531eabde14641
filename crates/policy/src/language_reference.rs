//! Writes the reference of the policy language, from the catalogues that the compiler reads.

use std::fmt::Write as _;

use crate::expression::function::functions;
use crate::facts::{CATALOGUE, FactInfo, Kind, Moment};
use crate::finish;
use crate::history::{MODELS, ModelInfo};
use crate::research::{LADDERS, Trigger};

/// The reference as Markdown: `docs/policy-language.md`.
pub fn markdown() -> String {
    let mut text = String::from(include_str!("language_reference/opening.md"));
    text.push_str("\n## Facts\n\n");
    text.push_str(include_str!("language_reference/facts.md"));
    facts(&mut text, "Booleans", |info| info.kind == Kind::Boolean);
    facts(&mut text, "Numbers", |info| info.kind == Kind::Number);
    text.push('\n');
    moments(&mut text);
    text.push_str("\n## Functions\n\n");
    table(
        &mut text,
        &["function", "value"],
        functions().map(|info| vec![format!("`{}`", info.usage), info.meaning.to_owned()]),
    );
    text.push('\n');
    text.push_str(include_str!("language_reference/edges.md"));
    text.push_str("\n## `[finish]`\n\nTurns the result of the rules into whole plies. The keys act in this order.\n\n");
    table(
        &mut text,
        &["key", "default", "meaning"],
        finish::KEYS
            .iter()
            .map(|(key, default, meaning)| vec![format!("`{key}`"), (*default).to_owned(), (*meaning).to_owned()]),
    );
    text.push_str("\n## `[history]`\n\n");
    text.push_str(include_str!("language_reference/history.md"));
    text.push('\n');
    table(
        &mut text,
        &["model", "keys and defaults", "what happens", "source"],
        MODELS.iter().map(|model| {
            let keys = keys(model).map(|(key, value)| format!("`{key}` = {value}"));
            let [meaning, source] = [model.meaning, model.source].map(str::to_owned);
            vec![
                format!("`{}`", model.name),
                keys.collect::<Vec<_>>().join(", "),
                meaning,
                source,
            ]
        }),
    );
    text.push_str("\n## `[research]`\n\n");
    text.push_str(include_str!("language_reference/research.md"));
    choices(&mut text, "ladder", LADDERS.map(|(name, _, meaning)| (name, meaning)));
    let triggers = Trigger::NAMES.iter().map(|(name, trigger)| (*name, trigger.meaning()));
    choices(&mut text, "trigger", triggers);
    text.push_str("\n## `[host]`\n\n");
    text.push_str(include_str!("language_reference/host.md"));
    text.push('\n');
    text.push_str(include_str!("language_reference/differences.md"));
    text
}

/// The keys of a history model with their defaults, as TOML.
fn keys(model: &ModelInfo) -> impl Iterator<Item = (&'static str, String)> {
    let keys = model.model.keys().into_iter();
    keys.map(|(key, value)| match value.parse::<i64>() {
        Ok(_) => (key, value),
        Err(_) => (key, format!("\"{value}\"")),
    })
}

/// The values of a key; the first is the default.
fn choices(text: &mut String, key: &str, rows: impl IntoIterator<Item = (&'static str, &'static str)>) {
    text.push('\n');
    let defaults = std::iter::once(" (default)").chain(std::iter::repeat(""));
    let rows = rows.into_iter().zip(defaults);
    let row = |((name, meaning), default)| vec![format!("`{name}`{default}"), String::from(meaning)];
    table(text, &[key, "meaning"], rows.map(row));
}

fn facts(text: &mut String, title: &str, wanted: impl Fn(&FactInfo) -> bool) {
    // Writing to a string cannot fail.
    let _ = write!(text, "\n### {title}\n\n");
    let rows = CATALOGUE.iter().filter(|info| wanted(info)).map(|info| {
        let mut row = vec![format!("`{}`", info.name)];
        if info.kind == Kind::Number {
            row.push(info.unit.to_owned());
        }
        row.extend([info.meaning, info.cost.name(), info.source].map(str::to_owned));
        row
    });
    let headings: &[&str] = match title {
        "Numbers" => &["fact", "unit", "meaning", "cost", "source"],
        _ => &["fact", "true when", "cost", "source"],
    };
    table(text, headings, rows);
}

/// Writes which facts describe which position.
fn moments(text: &mut String) {
    let of = |moment: Moment| {
        let facts = CATALOGUE.iter().filter(|info| info.moment == moment);
        let names: Vec<String> = facts.map(|info| format!("`{}`", info.name)).collect();
        names.join(", ")
    };
    let _ = writeln!(
        text,
        "Of the position after the move: {}.\nOf the positions before and after it: {}.\nKnown when the reduced search has \
         returned: {}.\nAll other facts are of the position before the move.",
        of(Moment::After),
        of(Moment::Both),
        of(Moment::Searched)
    );
}

fn table(text: &mut String, headings: &[&str], rows: impl Iterator<Item = Vec<String>>) {
    let mut line = |cells: &[String]| {
        let cells: Vec<_> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    };
    line(&headings.iter().map(|heading| (*heading).to_owned()).collect::<Vec<_>>());
    line(&vec!["---".to_owned(); headings.len()]);
    for row in rows {
        line(&row);
    }
}

#[cfg(test)]
mod tests {
    use lmrlab_diagnostics::Source;

    use super::*;
    use crate::policy::Policy;

    #[test]
    fn every_documented_default_is_the_default() {
        for (key, default, _) in finish::KEYS {
            if *default == "none" {
                continue;
            }
            let file = format!("name = \"a\"\nreduce = \"1\"\n[finish]\n{key} = {default}\n");
            let (_, warnings) = Policy::compile(Source::new("policy.toml", file)).unwrap();
            assert_eq!(warnings.to_string(), "", "{key}");
        }
        for model in MODELS {
            let bare = format!(
                "name = \"a\"\nreduce = \"history\"\n[history]\nmodel = \"{}\"\n",
                model.name
            );
            let keys = keys(&model).map(|(key, value)| format!("{key} = {value}\n"));
            let full = format!("{bare}{}", keys.collect::<String>());
            let history = |text: String| {
                let (policy, _) = Policy::compile(Source::new("policy.toml", text)).unwrap();
                policy.history().copied()
            };
            assert_eq!(history(bare), history(full), "{}", model.name);
        }
    }
}
