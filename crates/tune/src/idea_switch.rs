//! An idea of the library as a switch for another policy. The library has one policy with the idea and one without it.
//! The switch carries the differences between them over to the other policy.
//!
//! The other policy must be the same as one of the two in everything in which they differ. If it is like the policy
//! with the idea, the switch removes the idea. Otherwise the switch adds it.

use std::collections::{BTreeMap, BTreeSet};

use lmrlab_diagnostics::{Diagnostics, Files, Severity, Source};
use lmrlab_policy::Policy;
use lmrlab_policy::idea::{IDEA_FOLDER, Idea, IdeaComparison};
use std::path::Path;
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

/// Why an idea about the formula does not fit.
const OTHER_FORMULA: &str = "the policy has another formula";

/// The switch.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct IdeaSwitch {
    differences: Vec<Difference>,
    /// Parameters of the idea's policies that the other policy lacks. Expressions of the idea may mention them.
    parameters: Table,
    /// Whether the policy has the idea before any switch.
    is_there: bool,
}

/// A part of a policy that the idea changes.
#[derive(Debug, Clone, PartialEq)]
struct Difference {
    /// `when`, `reduce`, `rule NAME`, `param NAME`, or a key of a table as in `finish.floor`.
    part: String,
    /// The content with the idea, and without it. For `when` these are the conditions that only this side has.
    with: Option<Value>,
    without: Option<Value>,
}

/// Why an idea cannot be switched.
#[derive(Debug)]
pub(crate) enum NoSwitch {
    /// It does not fit the policy, for this reason.
    Unfit(String),
    /// A file of it is wrong.
    Wrong(Diagnostics),
}

impl IdeaSwitch {
    /// The switch for the idea with this name in a policy.
    pub(crate) fn of(name: &str, start: &Policy, files: &Files, root: &Path) -> Result<Self, NoSwitch> {
        let path = files.named(IDEA_FOLDER, root).remove(name);
        let path = path.ok_or_else(|| NoSwitch::Unfit("there is no such idea".to_owned()))?;
        let (idea, _) = Idea::read(files, &path, &path.display().to_string()).map_err(NoSwitch::Wrong)?;
        let folder = path.parent().unwrap_or(root);
        let mut sides = Vec::new();
        for IdeaComparison { on, with, without } in &idea.comparisons {
            let [with, without] = [with, without].map(|side| side.resolve(files, folder, root));
            let (with, without) = (with.map_err(NoSwitch::Wrong)?.0, without.map_err(NoSwitch::Wrong)?.0);
            if without.never_reduces() {
                let reason = "a side without it reduces nothing, so that other ideas have nothing to change; play a match against `none`";
                return Err(NoSwitch::Unfit(reason.to_owned()));
            }
            sides.push((on, table_of(&with), table_of(&without)));
        }
        let table = table_of(start);
        // When a comparison has the formula of this policy, only such comparisons are tried.
        let formula = |table: &Table| table.get("reduce").map(plain);
        let is_near = |(_, with, without): &(&String, Table, Table)| {
            formula(with) == formula(&table) || formula(without) == formula(&table)
        };
        if sides.iter().any(is_near) {
            sides.retain(is_near);
        }
        let mut reasons: Vec<(String, &String)> = Vec::new();
        for (on, with, without) in &sides {
            match Self::between(with, without, start, &table) {
                Ok(switch) => return Ok(switch),
                Err(reason) => reasons.push((reason, on)),
            }
        }
        let same = reasons.iter().all(|(reason, _)| *reason == reasons[0].0);
        reasons.truncate(if same { 1 } else { reasons.len() });
        let words = reasons.iter().map(|(reason, on)| match same {
            true => reason.clone(),
            false => format!("as on {on}, {reason}"),
        });
        Err(NoSwitch::Unfit(words.collect::<Vec<_>>().join("; ")))
    }

    /// The names of the ideas that can be switched in a policy.
    pub(crate) fn possible(start: &Policy, files: &Files, root: &Path) -> Vec<String> {
        let names = files.named(IDEA_FOLDER, root).into_keys();
        names
            .filter(|name| Self::of(name, start, files, root).is_ok())
            .collect()
    }

    fn between(with: &Table, without: &Table, start: &Policy, table: &Table) -> Result<Self, String> {
        let mut both = parameters(without);
        both.extend(parameters(with));
        let mut switch = Self {
            differences: differences(with, without)?,
            parameters: both,
            is_there: false,
        };
        let is_of_formula = |difference: &Difference| difference.part.starts_with("param ");
        let formula = |of: &Table| of.get("reduce").map(plain);
        if switch.differences.iter().any(is_of_formula) && formula(with) != formula(table) {
            return Err(OTHER_FORMULA.to_owned());
        }
        switch.is_there = switch.is_in(table)?;
        let own = parameters(table);
        switch.parameters.retain(|name, _| !own.contains_key(name));
        let [on, off] = [true, false].map(|on| Self::all(start, [(&switch, on)].into_iter()));
        let ((on, now), (off, before)) = (on?, off?);
        let is_new = |warning: &String| warning.starts_with("rule ") && !before.contains(warning);
        if let Some(warning) = now.into_iter().find(is_new).filter(|_| !switch.is_there) {
            return Err(format!("{warning} there"));
        }
        match on.reduces_like(&off) && on.searches_again_like(&off) {
            true => Err("it changes nothing".to_owned()),
            false => Ok(switch),
        }
    }

    /// Whether a policy has the idea. The error says why the idea can be neither added nor removed.
    fn is_in(&self, policy: &Table) -> Result<bool, String> {
        let (parts, conditions) = (parts(policy), conditions(policy.get("when")));
        let mut found = None;
        for difference in &self.differences {
            let Difference { part, with, without } = difference;
            let is_there = match part.as_str() {
                "when" => difference.is_in_conditions(&conditions)?,
                _ => {
                    let own = parts.get(part);
                    let is_there = own == with.as_ref();
                    if !is_there && own != without.as_ref() {
                        return Err(match (part.split_once(' '), own) {
                            (Some(("rule", name)), None) => format!("the policy has no rule `{name}`"),
                            (Some(("rule", name)), _) => format!("the policy's own rule `{name}` says something else"),
                            (None, _) if part == "reduce" => OTHER_FORMULA.to_owned(),
                            (named, _) => {
                                let name = named.map_or(part.as_str(), |(_, name)| name);
                                let [own, with, without] = [own, with.as_ref(), without.as_ref()]
                                    .map(|value| value.map_or_else(|| "absent".to_owned(), text_of));
                                format!("`{name}` of the policy is {own}, neither {with} nor {without}")
                            }
                        });
                    }
                    let new = if is_there { without } else { with };
                    if let Some(new) = new {
                        self.check_parameters(policy, own, new)?;
                    }
                    if let (None, Some(Value::Table(rule))) = (own, new) {
                        check_new_rule(rule, part, &parts, &conditions)?;
                    }
                    is_there
                }
            };
            match found {
                Some(other) if other != is_there => return Err("the policy has a part of the idea".to_owned()),
                _ => found = Some(is_there),
            }
        }
        found.ok_or_else(|| "the policies with and without it are the same".to_owned())
    }

    /// Refuses an expression that mentions a parameter with another value in the policy.
    fn check_parameters(&self, policy: &Table, own: Option<&Value>, new: &Value) -> Result<(), String> {
        let (ours, theirs) = (parameters(policy), &self.parameters);
        let is_other = |name: &&String| {
            let value = |of: &Table| of.get(*name).and_then(|parameter| number(parameter.get("value")?));
            let used = own.is_some_and(|own| mentions(own, name));
            mentions(new, name) && !used && value(&ours).is_some_and(|value_here| Some(value_here) != value(theirs))
        };
        match theirs.keys().find(is_other) {
            Some(name) => Err(format!("the policy's parameter `{name}` has another value")),
            None => Ok(()),
        }
    }

    /// Whether switching the idea on or off changes the policy.
    pub(crate) fn acts(&self, on: bool) -> bool {
        on != self.is_there
    }

    /// A policy with some ideas switched on and others off, and the warnings about it.
    pub(crate) fn all<'s>(
        policy: &Policy,
        ideas: impl Iterator<Item = (&'s Self, bool)>,
    ) -> Result<(Policy, Vec<String>), String> {
        let mut table = table_of(policy);
        for (idea, on) in ideas.filter(|(idea, on)| idea.acts(*on)) {
            for difference in &idea.differences {
                difference.put(&mut table, on, &idea.parameters);
            }
        }
        compiled(&table)
    }

    /// The names of the things that it changes, as other changes of policies name them.
    pub(crate) fn targets(&self) -> Vec<String> {
        let target = |difference: &Difference| match difference.part.as_str() {
            "when" => difference.conditions().into_iter().flatten().collect(),
            part => vec![part.strip_prefix("param ").unwrap_or(part).to_owned()],
        };
        self.differences.iter().flat_map(target).collect()
    }

    /// The idea in words, for a policy with this name.
    pub(crate) fn words(&self, policy: &str) -> String {
        let parts: Vec<String> = self
            .differences
            .iter()
            .map(|difference| difference.words(self))
            .collect();
        let has = if self.is_there { "has it" } else { "is without it" };
        format!("{}; {policy} {has}", parts.join(", "))
    }
}

impl Difference {
    /// The conditions of `when` with the idea and without it.
    fn conditions(&self) -> [Vec<String>; 2] {
        [&self.with, &self.without].map(|side| {
            let all = side.as_ref().and_then(Value::as_array).into_iter().flatten();
            all.filter_map(Value::as_str).map(str::to_owned).collect()
        })
    }

    fn is_in_conditions(&self, own: &[String]) -> Result<bool, String> {
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
    fn put(&self, policy: &mut Table, on: bool, parameters: &Table) {
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

    fn words(&self, of: &IdeaSwitch) -> String {
        if self.part == "when" {
            let [with, without] = self.conditions().map(|side| joined(&side));
            return match (with.is_empty(), without.is_empty()) {
                (true, _) => format!("when is without `{without}`"),
                (_, true) => format!("when has `{with}`"),
                _ => format!("when has `{with}` in place of `{without}`"),
            };
        }
        let shown = |value: &Value| {
            let used = of.parameters.iter().filter(|(name, _)| mentions(value, name));
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

/// Refuses a rule with the condition of an existing rule, and a rule that would apply to all moves.
fn check_new_rule(
    rule: &Table,
    part: &str,
    parts: &BTreeMap<String, Value>,
    conditions_of_policy: &[String],
) -> Result<(), String> {
    let Some(when) = rule.get("when") else {
        return Ok(());
    };
    let has_it = |(_, other): &(&String, &Value)| other.get("when") == Some(when);
    if let Some((other, _)) = parts.iter().find(has_it) {
        let other = other.trim_start_matches("rule ");
        return Err(format!(
            "the policy's rule `{other}` has the same condition, {}",
            text_of(when)
        ));
    }
    // The condition `not promotion` alone does not restrict a rule enough.
    if conditions(Some(when))
        .iter()
        .filter(|condition| *condition != NO_PROMOTION)
        .all(|condition| conditions_of_policy.contains(condition))
    {
        return Err(format!("{part} would apply to every move that the policy reduces"));
    }
    Ok(())
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

/// A policy as it is now, as a table.
fn table_of(policy: &Policy) -> Table {
    let mut table: Table = policy.text().parse().unwrap_or_default();
    for change in policy.overrides() {
        match change.split_once('=') {
            Some((name, value)) => {
                let parameter = table.get_mut("param").and_then(|all| all.get_mut(name));
                if let (Some(Value::Table(parameter)), Ok(value)) = (parameter, value.parse::<f64>()) {
                    parameter.insert("value".to_owned(), value.into());
                }
            }
            None => {
                let rules = table
                    .get_mut("rule")
                    .and_then(Value::as_array_mut)
                    .into_iter()
                    .flatten();
                for rule in rules.filter_map(Value::as_table_mut) {
                    if rule.get("name").and_then(Value::as_str) == change.get(1..) {
                        rule.insert("enabled".to_owned(), change.starts_with('+').into());
                    }
                }
            }
        }
    }
    table
}

/// The policy of a table, with the messages of its warnings.
fn compiled(table: &Table) -> Result<(Policy, Vec<String>), String> {
    let text = toml::to_string(table).map_err(|error| error.to_string())?;
    let messages = |list: Diagnostics| list.list.into_iter().map(|of| (of.severity, of.message));
    match Policy::compile(Source::new("the policy of an idea", text)) {
        Ok((policy, warnings)) => Ok((policy, messages(warnings).map(|(_, message)| message).collect())),
        Err(wrong) => {
            let error = messages(wrong).find(|(severity, _)| *severity == Severity::Error);
            Err(error.map_or_else(String::new, |(_, message)| message))
        }
    }
}

fn parameters(policy: &Table) -> Table {
    policy
        .get("param")
        .and_then(Value::as_table)
        .cloned()
        .unwrap_or_default()
}

/// The differences between two policies.
fn differences(with: &Table, without: &Table) -> Result<Vec<Difference>, String> {
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

/// The parts of a policy without `when`: those that are in force and differ from the defaults.
fn parts(policy: &Table) -> BTreeMap<String, Value> {
    let mut parts = BTreeMap::new();
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
fn plain(value: &Value) -> Value {
    match value {
        Value::String(text) => text.split_whitespace().collect::<Vec<_>>().join(" ").into(),
        other => other.clone(),
    }
}

fn number(value: &Value) -> Option<f64> {
    value
        .as_float()
        .or_else(|| value.as_integer().map(|whole| whole as f64))
}

fn text_of(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), |text| format!("`{text}`"))
}

/// Whether an expression, or an expression of a rule, mentions a name.
fn mentions(value: &Value, name: &str) -> bool {
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
const NO_PROMOTION: &str = "not promotion";

/// The conditions of `when` that have to hold together. Those of a quiet move are two.
fn conditions(when: Option<&Value>) -> Vec<String> {
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

fn joined(conditions: &[String]) -> String {
    let quiet = format!("not capture and {NO_PROMOTION}");
    conditions.join(" and ").replace(&quiet, "quiet")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(text: &str) -> Policy {
        Policy::compile(Source::new("test", format!("name = \"a\"\n{text}")))
            .unwrap()
            .0
    }

    fn switch(with: &str, without: &str, start: &Policy) -> Result<IdeaSwitch, String> {
        let [with, without] = [with, without].map(|text| table_of(&policy(text)));
        IdeaSwitch::between(&with, &without, start, &table_of(start))
    }

    #[test]
    fn conditions_are_what_and_joins() {
        let of = |text: &str| conditions(Some(&text.into()));
        assert_eq!(
            of("depth >= 3 and\n not (quiet and pv) and see < 0"),
            ["depth >= 3", "not (quiet and pv)", "see < 0"]
        );
        assert_eq!(of("quiet and (pv)or(cut)"), ["(quiet and (pv)or(cut))"]);
        assert_eq!(of("true"), [""; 0]);
        assert_eq!(of("floor(depth) >= 3"), ["floor(depth) >= 3"]);
    }

    /// The switch removes what a policy has, and adds what it lacks. Either way the two states are the same policies.
    #[test]
    fn a_switch_adds_what_is_not_there_and_takes_what_is() {
        let rule = "[[rule]]\nname = \"cut\"\nwhen = \"cut\"\nadd = \"more\"\n[param]\nmore = { value = 1, min = 0, max = 2 }\n";
        let formula = |when: &str, rest: &str| format!("when = \"{when}\"\nreduce = \"1\"\n{rest}");
        let (with, without) = (
            formula("depth >= 2 and quiet", rule),
            formula("depth >= 3 and quiet", "[finish]\nfloor = 1\n"),
        );
        let lacks = policy("when = \"not pv and depth >= 3\"\nreduce = \"ln(depth)\"\nfinish.floor = 1");
        let has = policy(&format!(
            "when = \"not pv and depth >= 2\"\nreduce = \"ln(depth)\"\nfinish.floor = 0\n{rule}"
        ));
        for (start, is_there) in [(&lacks, false), (&has, true)] {
            let switch = switch(&with, &without, start).unwrap();
            assert_eq!(switch.is_there, is_there);
            for (on, wanted) in [(true, &has), (false, &lacks)] {
                let (policy, _) = IdeaSwitch::all(start, [(&switch, on)].into_iter()).unwrap();
                assert_eq!(
                    conditions(table_of(&policy).get("when")),
                    conditions(table_of(wanted).get("when"))
                );
                assert_eq!(
                    parts(&table_of(&policy)).get("rule cut"),
                    parts(&table_of(wanted)).get("rule cut")
                );
                assert_eq!(
                    parts(&table_of(&policy)).get("finish.floor"),
                    parts(&table_of(wanted)).get("finish.floor")
                );
            }
        }
    }

    /// A new idea in the library can change these numbers.
    #[test]
    fn most_ideas_of_the_library_fit_a_policy() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        for (file, count) in [
            ("configs/policies/house.toml", 36),
            ("configs/policies/mediocre-2007.toml", 32),
        ] {
            let start = Policy::load(&root.join(file)).unwrap().0;
            let possible = IdeaSwitch::possible(&start, &Files::on_disk(), root);
            assert_eq!(possible.len(), count, "{file}: {possible:?}");
        }
    }

    #[test]
    fn what_does_not_fit_says_why() {
        let plain = "when = \"depth >= 3 and quiet\"\nreduce = \"1\"\n";
        let with = |rest: &str| format!("{plain}{rest}");
        let rule = |name: &str, when: &str| {
            with(&format!(
                "[[rule]]\nname = \"{name}\"\nwhen = \"{when}\"\nadd = \"1\"\n"
            ))
        };
        for (on, off, start, expected) in [
            (
                rule("a", "pv"),
                plain.into(),
                rule("a", "cut"),
                "rule `a` says something else",
            ),
            (
                rule("a", "pv"),
                plain.into(),
                rule("b", "pv"),
                "rule `b` has the same condition",
            ),
            (
                rule("a", "quiet"),
                plain.into(),
                plain.into(),
                "every move that the policy reduces",
            ),
            (
                rule("a", "capture"),
                plain.into(),
                plain.into(),
                "rule `a` never applies there",
            ),
            (rule("a", "pv"), rule("a", "cut"), plain.into(), "has no rule `a`"),
            (
                plain.replace("quiet", "pv"),
                plain.into(),
                plain.replace("quiet", "cut"),
                "has neither `pv` nor `quiet`",
            ),
            (
                plain.replace("\"1", "\"2"),
                plain.into(),
                plain.replace("\"1", "\"3"),
                "has another formula",
            ),
            (
                plain.replace("\"1", "\"2").replace('3', "2"),
                plain.into(),
                plain.replace('3', "2"),
                "a part of the idea",
            ),
        ] {
            let said = switch(&on, &off, &policy(&start)).unwrap_err();
            assert!(said.contains(expected), "{said}, not {expected}");
        }
    }
}
