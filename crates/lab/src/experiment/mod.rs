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
use lmrlab_policy::Policy;
use lmrlab_policy::reference::{PolicyReference, overridden};
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

/// A parameter, or switches with `+` between them; whether it is switches; and its value.
type Change<'c> = (&'c str, bool, f64);

/// The policy with each of its rules switched alone, in the order of the rules. With `pairs`, every two rules follow. With
/// `additions`, rules that the policy has off are switched on.
///
/// # Errors
/// When there is no such rule.
pub fn ablated(whole: &Variant, pairs: bool, additions: bool) -> Result<Vec<Point>, Failure> {
    let rules = whole.policy.rules().iter();
    let rules = rules.filter(|rule| rule.enabled || additions);
    let switched = |rule: &'_ Rule| if rule.enabled { 0.0 } else { 1.0 };
    let changes: Vec<Change<'_>> = rules.map(|rule| (rule.name.as_str(), true, switched(rule))).collect();
    if changes.is_empty() {
        return Err(Failure::input(
            format!("`{}` has no rules to switch", whole.name),
            "rules are the [[rule]] tables of a policy; `lmrlab sweep` varies its parameters",
        ));
    }
    let mut sets: Vec<Vec<Change<'_>>> = changes.iter().map(|change| vec![*change]).collect();
    for (index, first) in changes.iter().enumerate().filter(|_| pairs) {
        sets.extend(changes[index + 1..].iter().map(|second| vec![*first, *second]));
    }
    sets.iter().map(|set| Point::of(whole, set)).collect()
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
    let mut sets: Vec<Vec<Change<'_>>> = vec![Vec::new()];
    for axis in axes {
        let longer = sets.iter().flat_map(|set| {
            let changes = axis
                .values
                .iter()
                .map(|value| (&*axis.parameter, axis.is_switch, *value));
            changes.map(move |change| [&set[..], &[change]].concat())
        });
        sets = longer.collect();
    }
    sets.iter().map(|set| Point::of(base, set)).collect()
}

impl Point {
    fn of(base: &Variant, changes: &[Change<'_>]) -> Result<Self, Failure> {
        let words = changes
            .iter()
            .map(|(name, is_switch, value)| format!("{name}={}", value_text(*is_switch, *value)));
        let mut point = Self {
            variant: base.clone(),
            name: words.collect::<Vec<_>>().join(" "),
            values: changes.iter().map(|(.., value)| *value).collect(),
            policy: Vec::new(),
            preset: Vec::new(),
            reduces_nothing: false,
        };
        for (names, is_switch, value) in changes {
            for name in names.split('+').map(str::trim) {
                match name {
                    REDUCTIONS if *is_switch => point.reduces_nothing |= *value == 0.0,
                    _ => point.change(name, *is_switch, *value)?,
                }
            }
        }
        let variant = &mut point.variant;
        let reference: PolicyReference = with_changes("policy", &point.policy).parse()?;
        variant.policy = Arc::new(reference.applied_to(Policy::clone(&base.policy))?);
        variant.name = with_changes(&base.name, &point.policy);
        if point.reduces_nothing {
            let name = std::mem::take(&mut variant.name);
            *variant = variant.unreduced();
            // Rules that are switched change nothing here, but each point has a name of its own.
            if !point.policy.is_empty() {
                variant.name = format!("none for {name}");
            }
        }
        if !point.preset.is_empty() {
            let preset = with_changes(base.preset.name(), &point.preset);
            variant.name = format!("{} in {preset}", variant.name);
        }
        Ok(point)
    }

    /// The references of the policy and the preset with the changes.
    pub fn references(&self, policy: &str, preset: &str) -> [String; 2] {
        let policy = match self.reduces_nothing {
            true => "none".to_owned(),
            false => with_changes(policy, &self.policy),
        };
        [policy, with_changes(preset, &self.preset)]
    }

    /// Adds the change of a parameter, a rule or a switch.
    fn change(&mut self, name: &str, is_switch: bool, value: f64) -> Result<(), Failure> {
        let change = match (is_switch, value > 0.0) {
            (true, true) => format!("+{name}"),
            (true, false) => format!("-{name}"),
            (false, _) => format!("{name}={value}"),
        };
        let policy = &self.variant.policy;
        let known: Vec<&str> = match is_switch {
            true => policy.rules().iter().map(|rule| rule.name.as_str()).collect(),
            false => (policy.parameters().iter().map(|parameter| parameter.name.as_str())).collect(),
        };
        if known.contains(&name) {
            self.policy.push(change);
            return Ok(());
        }
        if Declaration::named(name).is_none() {
            let of_search = DECLARATIONS.iter().map(|declaration| declaration.name);
            let kind = if is_switch { "switch" } else { "parameter" };
            return Err(Failure::input(
                format!("neither the policy nor the search has a {kind} `{name}`"),
                nearest(name, known.into_iter().chain(of_search)).map_or_else(
                    || "`lmrlab policy show` and `lmrlab preset cat` list what can be changed".to_owned(),
                    |near| format!("did you mean `{near}`?"),
                ),
            ));
        }
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
}

/// A reference with these further changes.
fn with_changes(reference: &str, changes: &[String]) -> String {
    (changes.iter()).fold(reference.to_owned(), |text, change| overridden(&text, change))
}

#[cfg(test)]
mod tests {
    use lmrlab_diagnostics::Source;

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
