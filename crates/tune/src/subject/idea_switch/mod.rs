//! An idea of the library as a switch for another policy. The library has one policy with the idea and one without it.
//! The switch carries the differences between them over to the other policy.
//!
//! The other policy must be the same as one of the two in everything in which they differ. If it is like the policy
//! with the idea, the switch removes the idea. Otherwise the switch adds it.

mod difference;
pub(crate) mod policy_table;

use std::collections::BTreeMap;
use std::path::Path;

use lmrlab_diagnostics::{Diagnostics, Files};
use lmrlab_policy::Policy;
use lmrlab_policy::idea::{IDEA_FOLDER, Idea, IdeaComparison};
use toml::{Table, Value};

use difference::{Difference, differences, words};
use policy_table::{NO_PROMOTION, compiled, conditions, mentions, number, parameters, parts, plain, table_of, text_of};

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
        for IdeaComparison { with, without, .. } in &idea.comparisons {
            let [with, without] = [with, without].map(|side| side.resolve(files, folder, root));
            let (with, without) = (with.map_err(NoSwitch::Wrong)?.0, without.map_err(NoSwitch::Wrong)?.0);
            if without.never_reduces() {
                let reason = "a side without it reduces nothing, so that other ideas have nothing to change; play a match against `none`";
                return Err(NoSwitch::Unfit(reason.to_owned()));
            }
            sides.push((table_of(&with), table_of(&without)));
        }
        let table = table_of(start);
        // When a comparison has the formula of this policy, only such comparisons are tried.
        let formula = |table: &Table| table.get("reduce").map(plain);
        let is_near =
            |(with, without): &(Table, Table)| formula(with) == formula(&table) || formula(without) == formula(&table);
        if sides.iter().any(is_near) {
            sides.retain(is_near);
        }
        let mut reasons: Vec<String> = Vec::new();
        for (with, without) in &sides {
            match Self::between(with, without, start, &table) {
                Ok(switch) => return Ok(switch),
                Err(reason) if reasons.contains(&reason) => {}
                Err(reason) => reasons.push(reason),
            }
        }
        let mut why = reasons.join("; ");
        // Such a baseline has the name of a policy, and is made of another one.
        let other = idea.comparisons.iter().find_map(|comparison| {
            let base = comparison.base().filter(|base| *base != comparison.on)?;
            (comparison.on == start.name()).then_some(base)
        });
        if let Some(base) = other {
            let name = start.name();
            why.push_str(&format!(
                "; the idea is made for `{base}`, which it calls the baseline `{name}`"
            ));
        }
        Err(NoSwitch::Unfit(why))
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
        let parts = parts(policy);
        let mut found = None;
        for difference in &self.differences {
            let Difference { part, with, without } = difference;
            let own = parts.get(part);
            let Some(is_there) = difference.is_in(own) else {
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
            };
            let new = if is_there { without } else { with };
            if let Some(new) = new {
                self.check_parameters(policy, own, new)?;
            }
            if let (None, Some(Value::Table(rule))) = (own, new) {
                check_new_rule(rule, part, &parts)?;
            }
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
        let target = |difference: &Difference| {
            let part = &difference.part;
            let name = part.strip_prefix("param ").or(part.strip_prefix("when "));
            name.unwrap_or(part).to_owned()
        };
        self.differences.iter().map(target).collect()
    }

    /// The idea in words, for a policy with this name.
    pub(crate) fn words(&self, policy: &str) -> String {
        let has = if self.is_there { "has it" } else { "is without it" };
        format!("{}; {policy} {has}", words(&self.differences, &self.parameters))
    }
}

/// Refuses a rule with the condition of an existing rule, and a rule that would apply to all moves.
fn check_new_rule(rule: &Table, part: &str, parts: &BTreeMap<String, Value>) -> Result<(), String> {
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
        .all(|condition| parts.contains_key(&format!("when {condition}")))
    {
        return Err(format!("{part} would apply to every move that the policy reduces"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use lmrlab_diagnostics::Source;

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

    #[test]
    fn an_idea_is_switched_in_a_policy_with_other_numbers_and_rules() {
        let formula = "when = \"depth >= 3\"\nreduce = \"dot(w, [pv, 1]) + x\"\n[param]\nw = { value = [1, 2], min = 0, max = 9 }\n\
                       x = { value = 1, min = 0, max = 9 }\n";
        let rule = |name: &str| format!("[[rule]]\nname = \"{name}\"\nwhen = \"{name}\"\nadd = \"1\"\n");
        let mut start = policy(&format!("{formula}{}", rule("capture")));
        for (name, value) in [("w[1]", 4.0), ("x", 2.0)] {
            start.set_parameter(name, value).unwrap();
        }
        start.enable_rule("capture", false).unwrap();
        let switch = switch(&format!("{formula}{}", rule("cut")), formula, &start).unwrap();
        let (switched, _) = IdeaSwitch::all(&start, [(&switch, true)].into_iter()).unwrap();
        let values: Vec<f64> = switched.parameters().iter().map(|parameter| parameter.value).collect();
        assert_eq!(values, [1.0, 4.0, 2.0]);
        let rules: Vec<(&str, bool)> = switched
            .rules()
            .iter()
            .map(|rule| (rule.name.as_str(), rule.enabled))
            .collect();
        assert_eq!(rules, [("capture", false), ("cut", true)]);
    }

    #[test]
    fn an_idea_is_switched_in_a_policy_with_facts_of_an_engines_own() {
        let text = "name = \"own\"\nwhen = \"picked >= 3\"\nreduce = \"1\"\n[host]\nnumbers = [\"picked\"]\n";
        let start = Policy::compile_for_host(Source::new("own", text)).unwrap().0;
        let rule = "[[rule]]\nname = \"cut\"\nwhen = \"cut\"\nadd = \"1\"\n";
        let formula = "when = \"depth >= 3\"\nreduce = \"1\"\n";
        let switch = switch(&format!("{formula}{rule}"), formula, &start).unwrap();
        let (policy, _) = IdeaSwitch::all(&start, [(&switch, true)].into_iter()).unwrap();
        assert_eq!(policy.rules().len(), 1);
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
                "a part of the idea",
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
