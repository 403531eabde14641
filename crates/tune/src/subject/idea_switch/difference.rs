//! The parts in which the two policies of an idea differ, and how each is put into another policy.

use std::collections::BTreeSet;

use toml::{Table, Value};

use super::policy_table::{conditions, joined, mentions, parts, text_of};

/// A part of a policy that the idea changes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Difference {
    /// A key of [`parts`], such as `rule NAME` or `finish.floor`.
    pub(super) part: String,
    /// The content with the idea, and without it.
    pub(super) with: Option<Value>,
    pub(super) without: Option<Value>,
}

impl Difference {
    /// Whether a policy with this part has the idea; `None` when it is like neither side.
    pub(super) fn is_in(&self, own: Option<&Value>) -> Option<bool> {
        match own {
            own if own == self.with.as_ref() => Some(true),
            own if own == self.without.as_ref() => Some(false),
            _ => None,
        }
    }

    /// Gives a policy the content with the idea, or without it.
    pub(super) fn put(&self, policy: &mut Table, on: bool, parameters: &Table) {
        let value = if on { &self.with } else { &self.without };
        if let Some(value) = value {
            let own = policy.entry("param").or_insert_with(|| Table::new().into());
            for (name, parameter) in parameters.iter().filter(|(name, _)| mentions(value, name)) {
                if let Value::Table(own) = own
                    && !own.contains_key(name)
                {
                    own.insert(name.clone(), parameter.clone());
                }
            }
        }
        match (self.part.split_once([' ', '.']), value) {
            (Some(("when", condition)), value) => {
                let mut all = conditions(policy.get("when"));
                all.retain(|other| other != condition);
                all.extend(value.is_some().then(|| condition.to_owned()));
                match all.is_empty() {
                    true => policy.remove("when"),
                    false => policy.insert("when".to_owned(), joined(&all).into()),
                };
            }
            (Some(("rule", name)), value) => put_rule(policy, name, value.as_ref().and_then(Value::as_table)),
            (Some(("param", name)), Some(value)) => {
                if let Some(Value::Table(parameter)) = policy.get_mut("param").and_then(|all| all.get_mut(name)) {
                    parameter.insert("value".to_owned(), value.clone());
                }
            }
            (Some((table, key)), value) => {
                let keys = policy.entry(table).or_insert_with(|| Table::new().into());
                if let Value::Table(keys) = keys {
                    match value {
                        Some(value) => keys.insert(key.to_owned(), value.clone()),
                        None => keys.remove(key),
                    };
                }
            }
            (None, Some(value)) => _ = policy.insert(self.part.clone(), value.clone()),
            (None, None) => _ = policy.remove(&self.part),
        }
    }

    /// What the difference is; `parameters` are those of the idea.
    fn words(&self, parameters: &Table) -> String {
        let shown = |value: &Value| {
            let used = parameters.iter().filter(|(name, _)| mentions(value, name));
            let used = used.filter_map(|(name, parameter)| Some(format!("{name} {}", parameter.get("value")?)));
            let used: Vec<String> = used.collect();
            match value {
                Value::Table(rule) => {
                    let (when, others): (Vec<_>, Vec<_>) = rule.iter().partition(|(key, _)| *key == "when");
                    let keys = when.into_iter().chain(others);
                    let keys = keys.map(|(key, value)| format!("{key} {}", text_of(value)));
                    format!("({})", keys.chain(used).collect::<Vec<_>>().join(", "))
                }
                other if used.is_empty() => text_of(other),
                other => format!("{} ({})", text_of(other), used.join(", ")),
            }
        };
        let part = self.part.strip_prefix("param ").unwrap_or(&self.part);
        match (&self.with, &self.without) {
            (Some(with), Some(without)) => format!("{part} {} in place of {}", shown(with), shown(without)),
            (Some(with), None) => format!("{part} {}", shown(with)),
            (None, Some(without)) => format!("without {part} {}", shown(without)),
            (None, None) => part.to_owned(),
        }
    }
}

/// What the differences are; `parameters` are those of the idea.
pub(super) fn words(differences: &[Difference], parameters: &Table) -> String {
    // The conditions with the idea, and those without it.
    let of = |is_with: bool| {
        let conditions = differences
            .iter()
            .filter(|difference| difference.with.is_some() == is_with);
        let conditions = conditions.filter_map(|difference| difference.part.strip_prefix("when "));
        joined(&conditions.map(str::to_owned).collect::<Vec<_>>())
    };
    let (with, without) = (of(true), of(false));
    let when = match (with.is_empty(), without.is_empty()) {
        (true, true) => None,
        (true, false) => Some(format!("when is without `{without}`")),
        (false, true) => Some(format!("when has `{with}`")),
        (false, false) => Some(format!("when has `{with}` in place of `{without}`")),
    };
    let others = differences
        .iter()
        .filter(|difference| !difference.part.starts_with("when "));
    let others = others.map(|difference| difference.words(parameters));
    when.into_iter().chain(others).collect::<Vec<_>>().join(", ")
}

fn put_rule(policy: &mut Table, name: &str, content: Option<&Table>) {
    let Value::Array(rules) = policy.entry("rule").or_insert_with(|| Value::Array(Vec::new())) else {
        return;
    };
    let is_named = |rule: &&mut Value| rule.get("name").and_then(Value::as_str) == Some(name);
    let own = rules.iter_mut().find(is_named);
    match (own, content) {
        (Some(Value::Table(own)), None) => _ = own.insert("enabled".to_owned(), false.into()),
        (own, Some(content)) => {
            let mut rule = Table::from_iter([("name".to_owned(), Value::from(name))]);
            rule.extend(content.clone());
            match own {
                // The rule keeps its place in the list.
                Some(own) => *own = rule.into(),
                None => rules.push(rule.into()),
            }
        }
        _ => {}
    }
}

/// The differences between two policies.
pub(super) fn differences(with: &Table, without: &Table) -> Result<Vec<Difference>, String> {
    let (one, other) = (parts(with), parts(without));
    let mut found = Vec::new();
    for part in one.keys().chain(other.keys()).collect::<BTreeSet<_>>() {
        let (with, without) = (one.get(part).cloned(), other.get(part).cloned());
        if part.starts_with("history.") {
            return Err("the policies with and without it have different histories".to_owned());
        }
        // A parameter that only one policy has is not a difference: it comes with the expressions that mention it.
        let is_of_both = with.is_some() && without.is_some();
        if with != without && (is_of_both || !part.starts_with("param ")) {
            let part = part.clone();
            found.push(Difference { part, with, without });
        }
    }
    Ok(found)
}
