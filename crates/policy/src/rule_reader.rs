//! `[[rule]]`: reads the named changes of the reduction.

use std::ops::Range;

use lmrlab_diagnostics::{Text, TomlTable};
use lmrlab_host::runtime::{Effect, Expression, Rule};

use crate::complaint::Complain;
use crate::expression_reader::Reader;

/// The places of a rule.
pub(crate) struct RulePlaces {
    pub(crate) name: Range<usize>,
    pub(crate) when: Range<usize>,
}

/// Checks a name: names appear in file names, in overrides and in tables of results.
pub(crate) fn check_name(table: &TomlTable<'_>, name: &Text, of: &str) {
    let dot = of == "policy";
    let good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_') || (dot && c == '.');
    let first = name.value.starts_with(|c: char| c.is_ascii_alphanumeric());
    if first && name.value.len() <= 64 && name.value.chars().all(good) {
        return;
    }
    let help = match dot {
        true => "use up to 64 letters, digits, `-`, `_` and `.`, as in `mediocre-2007`",
        false => "use up to 64 letters, digits, `-` and `_`, as in `history-bad`",
    };
    let message = format!("`{}` cannot be the name of a {of}", name.value);
    table.wrong(message, name.span.clone(), "not a name", help);
}

/// Reads all rules, with their places.
pub(crate) fn rules(root: &TomlTable<'_>, reader: &Reader<'_>, inherits: bool) -> (Vec<Rule>, Vec<RulePlaces>) {
    let mut rules: Vec<Rule> = Vec::new();
    let mut all_places = Vec::new();
    for table in root.tables("rule") {
        let Some((rule, places)) = rule(table, reader, inherits) else {
            continue;
        };
        if rules.iter().any(|other| other.name == rule.name) {
            let message = format!("two rules are called `{}`", rule.name);
            let help = "choose another name: rules are switched on and off by name";
            root.wrong(message, places.name.clone(), "this name is taken", help);
        }
        rules.push(rule);
        all_places.push(places);
    }
    (rules, all_places)
}

fn rule(table: TomlTable<'_>, reader: &Reader<'_>, inherits: bool) -> Option<(Rule, RulePlaces)> {
    let name = table.require("name", table.text("name"));
    if let Some(name) = &name {
        check_name(&table, name, "rule");
    }
    let when_span = table.place_of_value("when");
    let when = match table.has("when") {
        true => reader.boolean(&table, "when"),
        false => Some(Expression::TRUE),
    };
    let effect = effect(&table, reader, ["add", "mul", "set"]);
    let otherwise = self::effect(&table, reader, ["else_add", "else_mul", "else_set"]);
    let cap = reader.number(&table, "cap");
    let stop = table.boolean("stop").unwrap_or(false);
    let enabled = table.boolean("enabled").unwrap_or(true);
    let acts = ["add", "mul", "set", "else_add", "else_mul", "else_set", "cap"];
    // An unknown key may be a misspelt one of these; its own message is enough.
    let acts_at_all = stop || acts.iter().any(|key| table.has(key));
    if !acts_at_all && !table.has_unread_keys() {
        let place = match table.has("name") {
            true => table.place_of_value("name"),
            false => table.span(),
        };
        let help = match inherits {
            true => {
                "add an effect, such as `add = \"1\"`; a rule inherits its effect only from a rule of the same name"
            }
            false => "add an effect, such as `add = \"1\"`",
        };
        let label = "no `add`, `mul`, `set`, `cap` or `stop`";
        table.wrong("this rule does nothing", place, label, help);
    }
    if let Some(key) = acts.iter().find(|key| key.starts_with("else") && table.has(key))
        && !table.has("when")
    {
        let message = format!("`{key}` needs a `when`");
        let help = "a rule without `when` applies to every move";
        table.wrong(message, table.place_of(key), "this never happens", help);
    }
    table.close();
    let name = name?;
    let places = RulePlaces {
        name: name.span,
        when: when_span,
    };
    let rule = Rule {
        name: name.value,
        when: when?,
        effect,
        otherwise,
        cap,
        stop,
        enabled,
        default: enabled,
    };
    Some((rule, places))
}

/// The effect of a rule, under one of three keys: add, multiply, set.
fn effect(table: &TomlTable<'_>, reader: &Reader<'_>, keys: [&str; 3]) -> Option<(Effect, Expression)> {
    let effects = [Effect::Add, Effect::Multiply, Effect::Set];
    let read = keys.map(|key| reader.number(table, key));
    let given: Vec<_> = keys.iter().filter(|key| table.has(key)).collect();
    if let [first, second, ..] = given.as_slice() {
        let message = "a rule either adds, multiplies or sets";
        let help = "split it into two rules";
        let label = &format!("`{first}` is there too");
        table.wrong(message, table.place_of(second), label, help);
    }
    let mut effects = effects.into_iter().zip(read);
    effects.find_map(|(effect, number)| Some((effect, number?)))
}
