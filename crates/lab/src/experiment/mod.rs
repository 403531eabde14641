//! Experiments: a policy against itself with changes, measured side by side. `ablate` switches rules, `sweep` goes through the
//! values of parameters and switches.

mod ablation;
mod axis;
mod best;
mod criterion;
mod plan;
mod sweep;

use std::sync::Arc;

use lmrlab_diagnostics::failure::Failure;
use lmrlab_diagnostics::nearest;
use lmrlab_engine::search_parameters::{DECLARATIONS, Declaration};
use lmrlab_policy::reference::overridden;
use lmrlab_policy::rule::Rule;

pub use self::ablation::AblationTables;
pub use self::axis::Axis;
use self::axis::value_text;
pub use self::plan::Plan;
pub use self::sweep::SweepTables;
use crate::variant::Variant;

/// The most points of a grid.
const MOST_POINTS: usize = 100_000;
/// The axis that switches all reductions off and on.
const REDUCTIONS: &str = "reductions";

/// A policy with changes.
#[derive(Debug, Clone)]
pub struct Point {
    /// The search with these.
    pub variant: Variant,
    /// The changes in words: `divisor=2 null_move=off`.
    pub name: String,
    /// In a grid, the values of the axes, in their order.
    values: Vec<f64>,
    /// The changes of the policy, as after an `@`. They have no effect when the policy reduces nothing.
    policy: Vec<String>,
    /// The changes of the preset, as after an `@`.
    preset: Vec<String>,
    reduces_nothing: bool,
}

/// The policy with each of its rules switched alone, in the order of the rules. With `pairs`, every two rules follow. With
/// `additions`, rules that the policy has off are switched on.
///
/// # Errors
/// When there is no such rule.
pub fn ablated(whole: &Variant, pairs: bool, additions: bool) -> Result<Vec<Point>, Failure> {
    let rules = whole.policy.rules().iter();
    let rules: Vec<_> = rules.filter(|rule| rule.enabled || additions).collect();
    if rules.is_empty() {
        return Err(Failure::input(
            format!("`{}` has no rules to switch", whole.name),
            "rules are the [[rule]] tables of a policy; `lmrlab sweep` varies its parameters",
        ));
    }
    let mut sets: Vec<Vec<_>> = rules.iter().map(|rule| vec![*rule]).collect();
    for (index, first) in rules.iter().enumerate().filter(|_| pairs) {
        sets.extend(rules[index + 1..].iter().map(|second| vec![*first, *second]));
    }
    let point = |set: Vec<&Rule>| {
        let mut point = Point::of(whole);
        for rule in set {
            let value = if rule.enabled { 0.0 } else { 1.0 };
            point.change_policy(&rule.name, true, value)?;
            point.add_name(&rule.name, true, value);
        }
        Ok(point)
    };
    sets.into_iter().map(point).collect()
}

/// All combinations of the axes' values, the last axis changing fastest.
///
/// # Errors
/// When neither the policy nor the search has such a parameter, rule or switch, or a value is not within its bounds; and when
/// an axis is named twice, or there are too many points.
pub fn grid(base: &Variant, axes: &[Axis]) -> Result<Vec<Point>, Failure> {
    let sizes = axes.iter().map(|axis| axis.values.len());
    let size = sizes.fold(1, usize::saturating_mul);
    if size > MOST_POINTS {
        return Err(Failure::input(
            format!("the grid has {size} points, more than {MOST_POINTS}"),
            "use larger steps",
        ));
    }
    let names: Vec<&str> = axes.iter().flat_map(|axis| axis.parameter.split('+')).collect();
    if let Some(twice) = (1..names.len()).find(|index| names[..*index].contains(&names[*index])) {
        return Err(Failure::input(
            format!("`{}` is swept twice", names[twice]),
            "name each parameter once",
        ));
    }
    let mut points = vec![Point::of(base)];
    for axis in axes {
        let next = points
            .iter()
            .flat_map(|point| axis.values.iter().map(move |value| point.at(axis, *value)));
        points = next.collect::<Result<_, _>>()?;
    }
    points.iter_mut().for_each(|point| point.name_variant(base));
    Ok(points)
}

impl Point {
    fn of(whole: &Variant) -> Self {
        Self {
            variant: whole.clone(),
            name: String::new(),
            values: Vec::new(),
            policy: Vec::new(),
            preset: Vec::new(),
            reduces_nothing: false,
        }
    }

    /// The references of the policy and the preset with the changes.
    pub fn references(&self, policy: &str, preset: &str) -> [String; 2] {
        let policy = match self.reduces_nothing {
            true => "none".to_owned(),
            false => with_changes(policy, &self.policy),
        };
        [policy, with_changes(preset, &self.preset)]
    }

    /// The point at a value of one more axis.
    fn at(&self, axis: &Axis, value: f64) -> Result<Self, Failure> {
        let mut point = self.clone();
        for name in axis.parameter.split('+') {
            point.change(name.trim(), axis.is_switch, value)?;
        }
        point.values.push(value);
        point.add_name(&axis.parameter, axis.is_switch, value);
        Ok(point)
    }

    fn add_name(&mut self, parameter: &str, is_switch: bool, value: f64) {
        let space = if self.name.is_empty() { "" } else { " " };
        self.name += &format!("{space}{parameter}={}", value_text(is_switch, value));
    }

    /// Gives a parameter, a rule or a switch its value.
    fn change(&mut self, name: &str, is_switch: bool, value: f64) -> Result<(), Failure> {
        if is_switch && name == REDUCTIONS {
            self.reduces_nothing |= value == 0.0;
            return Ok(());
        }
        let policy = &self.variant.policy;
        let known: Vec<&str> = match is_switch {
            true => policy.rules().iter().map(|rule| rule.name.as_str()).collect(),
            false => (policy.parameters().iter().map(|parameter| parameter.name.as_str())).collect(),
        };
        if known.contains(&name) {
            return self.change_policy(name, is_switch, value);
        }
        if Declaration::named(name).is_none() {
            let all = known
                .into_iter()
                .chain(DECLARATIONS.iter().map(|declaration| declaration.name));
            let kind = if is_switch { "switch" } else { "parameter" };
            return Err(Failure::input(
                format!("neither the policy nor the search has a {kind} `{name}`"),
                nearest(name, all).map_or_else(
                    || "`lmrlab policy show` and `lmrlab preset cat` list what can be changed".to_owned(),
                    |near| format!("did you mean `{near}`?"),
                ),
            ));
        }
        let change = override_text(name, is_switch, value);
        let preset = Arc::make_mut(&mut self.variant.preset);
        preset.parameters.change(&change).map_err(|error| {
            // Only a switch can be off and on.
            let message = match is_switch {
                true => format!("`{name}` is not a switch"),
                false => error.to_string(),
            };
            Failure::input(message, "`lmrlab preset cat` has its values")
        })?;
        self.preset.push(change);
        Ok(())
    }

    /// The same of a rule or a parameter of the policy.
    fn change_policy(&mut self, name: &str, is_switch: bool, value: f64) -> Result<(), Failure> {
        let policy = Arc::make_mut(&mut self.variant.policy);
        let changed = match is_switch {
            true => policy.enable_rule(name, value > 0.0),
            false => policy.set_parameter(name, value),
        };
        changed.map_err(|error| Failure::input(error.message(), error.advice()))?;
        let change = override_text(name, is_switch, value);
        self.variant.name = overridden(&self.variant.name, &change);
        self.policy.push(change);
        Ok(())
    }

    /// Gives the variant of a grid its name, and leaves out the reductions where they are off.
    fn name_variant(&mut self, base: &Variant) {
        if self.reduces_nothing {
            let name = std::mem::take(&mut self.variant.name);
            self.variant = self.variant.unreduced();
            // Rules that are switched change nothing here, but each point has a name of its own.
            if !self.policy.is_empty() {
                self.variant.name = format!("none for {name}");
            }
        }
        if !self.preset.is_empty() {
            let preset = with_changes(base.preset.name(), &self.preset);
            self.variant.name = format!("{} in {preset}", self.variant.name);
        }
    }
}

/// A change, as after an `@`.
fn override_text(name: &str, is_switch: bool, value: f64) -> String {
    match (is_switch, value > 0.0) {
        (true, true) => format!("+{name}"),
        (true, false) => format!("-{name}"),
        (false, _) => format!("{name}={value}"),
    }
}

/// A reference with these further changes.
fn with_changes(reference: &str, changes: &[String]) -> String {
    (changes.iter()).fold(reference.to_owned(), |text, change| overridden(&text, change))
}

#[cfg(test)]
mod tests {
    use lmrlab_diagnostics::Source;
    use lmrlab_policy::Policy;

    use super::*;

    #[test]
    fn rules_that_are_off_are_switched_on_alone_and_with_others() {
        let text = "name = \"p\"\nwhen = \"quiet\"\nreduce = \"1\"\n\
            [[rule]]\nname = \"a\"\nwhen = \"pv\"\nadd = \"1\"\n\
            [[rule]]\nname = \"b\"\nwhen = \"cut\"\nadd = \"1\"\nenabled = false\n";
        let (policy, _) = Policy::compile(Source::new("p.toml", text)).unwrap();
        let whole = Variant::new("p", policy);
        let names = |additions| {
            let points = ablated(&whole, true, additions).unwrap();
            points
                .into_iter()
                .map(|point| (point.variant.name, point.name))
                .collect::<Vec<_>>()
        };
        let named = |variant: &str, name: &str| (variant.to_owned(), name.to_owned());
        let (a, b) = (named("p@-a", "a=off"), named("p@+b", "b=on"));
        let all = [a, b, named("p@-a,+b", "a=off b=on")];
        assert_eq!(names(false), all[..1]);
        assert_eq!(names(true), all);
    }

    #[test]
    fn a_point_without_reductions_has_the_name_of_none() {
        let base = Variant::new("some", Policy::none());
        let axes = ["killers+history=off,on", "reductions=off,on"].map(|text| text.parse().unwrap());
        let points = grid(&base, &axes).unwrap();
        assert_eq!(points[0].variant.name, "none in default@-killers,-history");
    }
}
