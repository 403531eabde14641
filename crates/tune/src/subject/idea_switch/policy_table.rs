//! A policy as a table of TOML, taken apart into what can be exchanged.

use std::collections::BTreeMap;

use lmrlab_diagnostics::{Diagnostics, Severity, Source};
use lmrlab_policy::Policy;
use lmrlab_policy::parameter::{Parameter, by_key};
use toml::{Table, Value};

/// The values of keys that a policy leaves out.
const DEFAULTS: [(&str, &str); 9] = [
    ("finish.scale", "1.0"),
    ("finish.round", "\"trunc\""),
    ("finish.min", "0"),
    ("finish.floor", "0"),
    ("finish.pv_bonus", "0"),
    ("finish.negative", "false"),
    ("research.ladder", "\"null_then_full\""),
    ("research.trigger", "\"above_alpha\""),
    ("research.updates_history", "false"),
];

/// The keys of `[param]` with other values than in the file: each with its value now, and with that of the file. A list is one
/// value.
pub(crate) fn changed_numbers(policy: &Policy) -> impl Iterator<Item = (&str, Value, Value)> {
    let changed = by_key(policy.parameters()).filter(|key| key.iter().any(|p| p.value != p.default));
    changed.filter_map(|key| {
        let first = key.first()?;
        let value = |of: fn(&Parameter) -> f64| -> Value {
            match first.is_element() {
                true => key.iter().map(of).collect::<Vec<f64>>().into(),
                false => of(first).into(),
            }
        };
        Some((first.key(), value(|p| p.value), value(|p| p.default)))
    })
}

/// A policy as it is now, as a table.
pub(crate) fn table_of(policy: &Policy) -> Table {
    let mut table: Table = policy.text().parse().unwrap_or_default();
    for (key, now, _) in changed_numbers(policy) {
        if let Some(Value::Table(parameter)) = table.get_mut("param").and_then(|all| all.get_mut(key)) {
            parameter.insert("value".to_owned(), now);
        }
    }
    let changes = policy.overrides();
    let rules = table.get_mut("rule").and_then(Value::as_array_mut);
    for rule in rules.into_iter().flatten().filter_map(Value::as_table_mut) {
        let name = rule.get("name").and_then(Value::as_str).unwrap_or_default();
        let change = changes
            .iter()
            .find(|change| change.strip_prefix(['-', '+']) == Some(name));
        if let Some(change) = change {
            rule.insert("enabled".to_owned(), change.starts_with('+').into());
        }
    }
    table
}

/// The policy of a table, with the messages of its warnings.
pub(super) fn compiled(table: &Table) -> Result<(Policy, Vec<String>), String> {
    let text = toml::to_string(table).map_err(|error| error.to_string())?;
    let messages = |list: Diagnostics| list.list.into_iter().map(|of| (of.severity, of.message));
    // The table of an engine's own facts is only in policies that such an engine plays.
    let compile = if table.contains_key("host") {
        Policy::compile_for_host
    } else {
        Policy::compile
    };
    match compile(Source::new("the policy of an idea", text)) {
        Ok((policy, warnings)) => Ok((policy, messages(warnings).map(|(_, message)| message).collect())),
        Err(wrong) => {
            let error = messages(wrong).find(|(severity, _)| *severity == Severity::Error);
            Err(error.map_or_else(String::new, |(_, message)| message))
        }
    }
}

pub(super) fn parameters(policy: &Table) -> Table {
    policy
        .get("param")
        .and_then(Value::as_table)
        .cloned()
        .unwrap_or_default()
}

/// The parts of a policy that are in force and differ from the defaults: `reduce`, `when CONDITION`, `rule NAME`,
/// `param NAME`, and keys of tables as in `finish.floor`.
pub(super) fn parts(policy: &Table) -> BTreeMap<String, Value> {
    let conditions = conditions(policy.get("when")).into_iter();
    let mut parts: BTreeMap<String, Value> = conditions.map(|one| (format!("when {one}"), true.into())).collect();
    for (key, value) in policy {
        match (key.as_str(), value) {
            ("name" | "description" | "source" | "extends" | "when", _) => {}
            ("rule", Value::Array(rules)) => {
                for rule in rules.iter().filter_map(Value::as_table) {
                    let mut rule: Table = rule.iter().map(|(key, value)| (key.clone(), plain(value))).collect();
                    let is_off = rule.remove("enabled") == Some(false.into());
                    if let Some(Value::String(name)) = rule.remove("name").filter(|_| !is_off) {
                        parts.insert(format!("rule {name}"), rule.into());
                    }
                }
            }
            ("param", Value::Table(parameters)) => {
                for (name, parameter) in parameters {
                    if let Some(value) = parameter.get("value").and_then(number) {
                        parts.insert(format!("param {name}"), value.into());
                    }
                }
            }
            (_, Value::Table(keys)) => {
                for (inner, value) in keys {
                    let name = format!("{key}.{inner}");
                    if !DEFAULTS.contains(&(name.as_str(), &value.to_string())) {
                        parts.insert(name, plain(value));
                    }
                }
            }
            _ => _ = parts.insert(key.clone(), plain(value)),
        }
    }
    parts
}

/// A text in one line, with single spaces; any other value as it is.
pub(super) fn plain(value: &Value) -> Value {
    match value {
        Value::String(text) => text.split_whitespace().collect::<Vec<_>>().join(" ").into(),
        other => other.clone(),
    }
}

pub(super) fn number(value: &Value) -> Option<f64> {
    value
        .as_float()
        .or_else(|| value.as_integer().map(|whole| whole as f64))
}

pub(super) fn text_of(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), |text| format!("`{text}`"))
}

/// Whether an expression, or an expression of a rule, mentions a name.
pub(super) fn mentions(value: &Value, name: &str) -> bool {
    match value {
        Value::String(text) => text.split(|c: char| !is_of_word(c)).any(|word| word == name),
        Value::Table(rule) => rule.values().any(|value| mentions(value, name)),
        _ => false,
    }
}

fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The second condition of a quiet move.
pub(super) const NO_PROMOTION: &str = "not promotion";

/// The conditions of `when` that have to hold together. Those of a quiet move are two.
pub(super) fn conditions(when: Option<&Value>) -> Vec<String> {
    let text = when.map(plain);
    let text = text.as_ref().and_then(Value::as_str).unwrap_or("true");
    let (mut found, mut depth, mut start, mut place) = (Vec::new(), 0, 0, 0);
    while let Some(rest) = text.get(place..).filter(|rest| !rest.is_empty()) {
        let end = rest.find(|c: char| !is_of_word(c)).unwrap_or(rest.len());
        let word = &rest[..end];
        match word {
            "or" if depth == 0 => return vec![format!("({text})")],
            "and" if depth == 0 => {
                found.push(text[start..place].trim().to_owned());
                start = place + end;
            }
            _ => {}
        }
        let next = rest[end..].chars().next();
        depth += match next {
            Some('(') => 1,
            Some(')') => -1,
            _ => 0,
        };
        place += end + next.map_or(0, char::len_utf8);
    }
    found.push(text[start..].trim().to_owned());
    let meaning = |condition: String| match condition.as_str() {
        "true" => Vec::new(),
        "quiet" => ["not capture", NO_PROMOTION].map(str::to_owned).to_vec(),
        _ => vec![condition],
    };
    found.into_iter().flat_map(meaning).collect()
}

pub(super) fn joined(conditions: &[String]) -> String {
    let quiet = format!("not capture and {NO_PROMOTION}");
    conditions.join(" and ").replace(&quiet, "quiet")
}
