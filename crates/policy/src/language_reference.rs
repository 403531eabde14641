//! Writes the reference of the policy language, from the catalogues that the compiler reads.

use crate::expression::function::functions;
use crate::facts::{CATALOGUE, Kind, Moment};
use crate::finish;
use crate::history::{MODELS, ModelInfo};
use crate::research::{LADDERS, Trigger};

/// The reference as Markdown: `docs/policy-language.md`.
pub fn markdown() -> String {
    let code = |name: &str| format!("`{name}`");
    let of_functions = functions().map(|info| [code(info.usage), info.meaning.to_owned()]);
    let of_finish = finish::KEYS.iter();
    let of_finish =
        of_finish.map(|(key, default, meaning)| [code(key), String::from(*default), String::from(*meaning)]);
    let of_history = MODELS.iter().map(|model| {
        let keys = keys(model).map(|(key, value)| format!("`{key}` = {value}"));
        let keys = keys.collect::<Vec<_>>().join(", ");
        [
            code(model.name),
            keys,
            model.meaning.to_owned(),
            model.source.to_owned(),
        ]
    });
    let triggers = Trigger::NAMES.iter().map(|(name, trigger)| (*name, trigger.meaning()));
    let parts = [
        (
            "{booleans}",
            facts("Booleans", Kind::Boolean, &["fact", "true when", "cost", "source"]),
        ),
        (
            "{numbers}",
            facts("Numbers", Kind::Number, &["fact", "unit", "meaning", "cost", "source"]),
        ),
        ("{moments}", moments()),
        ("{functions}", table(&["function", "value"], of_functions)),
        ("{finish}", table(&["key", "default", "meaning"], of_finish)),
        (
            "{history}",
            table(&["model", "keys and defaults", "what happens", "source"], of_history),
        ),
        (
            "{ladders}",
            choices("ladder", LADDERS.map(|(name, _, meaning)| (name, meaning))),
        ),
        ("{triggers}", choices("trigger", triggers)),
    ];
    let template = include_str!("language_reference.md").to_owned();
    parts
        .iter()
        .fold(template, |text, (place, part)| text.replace(place, part))
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
fn choices(key: &str, rows: impl IntoIterator<Item = (&'static str, &'static str)>) -> String {
    let defaults = std::iter::once(" (default)").chain(std::iter::repeat(""));
    let rows = rows.into_iter().zip(defaults);
    let row = |((name, meaning), default)| [format!("`{name}`{default}"), String::from(meaning)];
    table(&[key, "meaning"], rows.map(row))
}

fn facts(title: &str, kind: Kind, headings: &[&str]) -> String {
    let rows = CATALOGUE.iter().filter(|info| info.kind == kind).map(|info| {
        let unit = (kind == Kind::Number).then_some(info.unit).into_iter();
        let cells = unit
            .chain([info.meaning, info.cost.name(), info.source])
            .map(str::to_owned);
        std::iter::once(format!("`{}`", info.name)).chain(cells)
    });
    format!("\n### {title}\n\n{}", table(headings, rows))
}

/// Which facts describe which position.
fn moments() -> String {
    let of = |moment: Moment| {
        let facts = CATALOGUE.iter().filter(|info| info.moment == moment);
        let names: Vec<String> = facts.map(|info| format!("`{}`", info.name)).collect();
        names.join(", ")
    };
    format!(
        "Of the position after the move: {}.\nOf the positions before and after it: {}.\nKnown when the reduced search has \
         returned: {}.\nAll other facts are of the position before the move.\n",
        of(Moment::After),
        of(Moment::Both),
        of(Moment::Searched)
    )
}

fn table<R: IntoIterator<Item = String>>(headings: &[&str], rows: impl Iterator<Item = R>) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let rows = rows.map(|row| line(row.into_iter().map(|cell| cell.replace('|', "\\|")).collect()));
    let heading = headings.iter().copied().map(str::to_owned).collect();
    let rule = vec!["---".to_owned(); headings.len()];
    line(heading) + &line(rule) + &rows.collect::<String>()
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
