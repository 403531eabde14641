//! The parts in which the two policies of an idea differ, and how each is put into another policy.

use std::collections::BTreeSet;

use toml::{Table, Value};

use super::policy_table::{conditions, joined, mentions, parts, text_of};

/// A part of a policy that the idea changes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Difference {
    /// `when`, `reduce`, `rule NAME`, `param NAME`, or a key of a table as in `finish.floor`.
    pub(super) part: String,
    /// The content with the idea, and without it. For `when` these are the conditions that only this side has.
    pub(super) with: Option<Value>,
    pub(super) without: Option<Value>,
}

impl Difference {
    /// The conditions of `when` with the idea and without it.
    pub(super) fn conditions(&self) -> [Vec<String>; 2] {
        [&self.with, &self.without].map(|side| {
            let all = side.as_ref().and_then(Value::as_array).into_iter().flatten();
            all.filter_map(Value::as_str).map(str::to_owned).collect()
        })
    }

    pub(super) fn is_in_conditions(&self, own: &[String]) -> Result<bool, String> {
        let [with, without] = self.conditions();
        let is_like = |has: &[String], has_not: &[String]| {
            has.iter().all(|condition| own.contains(condition))
                && !has_not.iter().any(|condition| own.contains(condition))
        };
        match (is_like(&with, &without), is_like(&without, &with)) {
            (true, false) => Ok(true),
            (false, true) => Ok(false),
            _ => {
                let [with, without] = [with, without].map(|side| joined(&side));
                Err(match (with.is_empty(), without.is_empty()) {
                    (false, false) => format!("`when` of the policy has neither `{with}` nor `{without}`"),
                    _ => format!("`when` of the policy has only a part of `{with}{without}`"),
                })
            }
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
            (None, _) if self.part == "when" => {
                let [with, without] = self.conditions();
                let (new, old) = if on { (with, without) } else { (without, with) };
                let mut all = conditions(policy.get("when"));
                let place = all
                    .iter()
                    .position(|condition| old.contains(condition))
                    .unwrap_or(all.len());
                all.splice(place..place, new);
                all.retain(|condition| !old.contains(condition));
                match all.is_empty() {
                    true => policy.remove("when"),
                    false => policy.insert("when".to_owned(), joined(&all).into()),
                };
            }
            (None, Some(value)) => _ = policy.insert(self.part.clone(), value.clone()),
            (None, None) => _ = policy.remove(&self.part),
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
        }
    }

    /// What the difference is; `parameters` are those of the idea.
    pub(super) fn words(&self, parameters: &Table) -> String {
        if self.part == "when" {
            let [with, without] = self.conditions().map(|side| joined(&side));
            return match (with.is_empty(), without.is_empty()) {
                (true, _) => format!("when is without `{without}`"),
                (_, true) => format!("when has `{with}`"),
                _ => format!("when has `{with}` in place of `{without}`"),
            };
        }
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
        let is_other = match part.starts_with("param ") {
            true => with.is_some() && without.is_some() && with != without,
            false => with != without,
        };
        if is_other {
            found.push(Difference {
                part: part.clone(),
                with,
                without,
            });
        }
    }
    let [ours, theirs] = [with, without].map(|policy| conditions(policy.get("when")));
    let only = |one: &[String], other: &[String]| -> Option<Value> {
        let only: Vec<Value> = one
            .iter()
            .filter(|own| !other.contains(own))
            .map(|own| own.as_str().into())
            .collect();
        (!only.is_empty()).then_some(Value::Array(only))
    };
    let (with, without) = (only(&ours, &theirs), only(&theirs, &ours));
    if with.is_some() || without.is_some() {
        found.insert(
            0,
            Difference {
                part: "when".to_owned(),
                with,
                without,
            },
        );
    }
    Ok(found)
}
