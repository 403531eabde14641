//! `[param]`: numbers with names and bounds. A user can change them without editing the file.

use std::ops::Range;

use lmrlab_diagnostics::{Located, TomlTable};
use lmrlab_host::runtime::reader::{MAX_NAME, is_identifier};

use crate::complaint::Complain;
use crate::expression::function::{self, KEYWORDS};
use crate::expression::list::MAX_ELEMENTS;
use crate::facts::Fact;

/// The largest absolute value of a parameter or of its bounds.
const LIMIT: f64 = 1e9;

/// The least step, as a share of the range. A smaller step has no effect that a search or a tuner can observe.
const LEAST_STEP: f64 = 1e-9;

pub use lmrlab_host::runtime::Parameter;

/// A name of `[param]`.
#[derive(Debug, Clone)]
pub(crate) struct DeclaredParameter {
    pub(crate) name: String,
    /// The place of its number, or of its first element, among the policy's parameters.
    pub(crate) first: usize,
    /// The number of its elements, if it is a list.
    pub(crate) elements: Option<usize>,
}

impl DeclaredParameter {
    /// A name without a value: a mistake, which is reported.
    pub(crate) fn wrong(name: String) -> Self {
        Self {
            name,
            first: 0,
            elements: None,
        }
    }
}

/// The parameters, grouped by their key in `[param]`. A group is one parameter or all elements of a list.
///
/// ```
/// use lmrlab_diagnostics::Source;
/// use lmrlab_policy::{Policy, parameter};
///
/// let file = "name = \"a\"\nreduce = \"dot(w, [pv, x])\"\n[param]\nw = { value = [1, 2], min = 0, max = 9 }\n\
///             x = { value = 1, min = 0, max = 9 }\n";
/// let (policy, _) = Policy::compile(Source::new("a.toml", file))?;
/// let keys: Vec<_> = parameter::by_key(policy.parameters()).map(|all| (all[0].key(), all.len())).collect();
/// assert_eq!(keys, [("w", 2), ("x", 1)]);
/// # Ok::<(), lmrlab_diagnostics::Diagnostics>(())
/// ```
pub fn by_key(parameters: &[Parameter]) -> impl Iterator<Item = &[Parameter]> {
    parameters.chunk_by(|one, next| one.key() == next.key())
}

/// Reads `[param]`. Parameters that are wrong are left out, but their names still count as declared.
pub(crate) fn read(table: &TomlTable<'_>) -> (Vec<Parameter>, Vec<DeclaredParameter>) {
    let mut parameters = Vec::new();
    let mut declared = Vec::new();
    for key in table.keys() {
        let name = key.value;
        if !is_free(table, (&name, key.span), "a parameter", None) {
            continue;
        }
        let Some(inner) = table.table(&name) else {
            declared.push(DeclaredParameter::wrong(name));
            continue;
        };
        let is_list = inner.is_list("value");
        let values = values(&inner, is_list);
        declared.push(DeclaredParameter {
            name: name.clone(),
            first: parameters.len(),
            elements: is_list.then_some(values.len()),
        });
        let bounds = bounds(inner, &name, &values);
        parameters.extend(values.iter().enumerate().filter_map(|(index, value)| {
            let (min, max, step) = bounds?;
            Some(Parameter {
                name: match is_list {
                    true => format!("{name}[{index}]"),
                    false => name.clone(),
                },
                value: value.value,
                default: value.value,
                min,
                max,
                step,
            })
        }));
    }
    (parameters, declared)
}

/// Whether something such as `a parameter` can have this name: it is an identifier, and has no other meaning. `other` is a meaning that it
/// has in the file. Reports any other name.
pub(crate) fn is_free(
    table: &TomlTable<'_>,
    (name, span): (&str, Range<usize>),
    what: &str,
    other: Option<&str>,
) -> bool {
    let label = if !is_identifier(name) {
        "not a name"
    } else if Fact::named(name).is_some() {
        "already a fact"
    } else if function::named(name).is_some() {
        "already a function"
    } else if KEYWORDS.contains(&name) {
        "already a word of the language"
    } else if let Some(other) = other {
        other
    } else {
        return true;
    };
    let message = format!("{what} cannot be called `{name}`");
    let help = format!("choose another name of up to {MAX_NAME} letters, digits and `_`, with a letter first");
    table.wrong(message, span, label, &help);
    false
}

/// The value of a parameter, or those of a list, with their places.
fn values(table: &TomlTable<'_>, is_list: bool) -> Vec<Located<f64>> {
    let place = || table.place_of_value("value");
    if !is_list {
        let value = table.require("value", table.number("value", -LIMIT..=LIMIT));
        let located = value.map(|value| Located { value, span: place() });
        return Vec::from_iter(located);
    }
    let mut values = table.numbers("value");
    let wrong = match values.len() {
        0 => Some("a list has at least one element".to_owned()),
        length if length > MAX_ELEMENTS => Some(format!(
            "a list has at most {MAX_ELEMENTS} elements, and this one {length}"
        )),
        _ => None,
    };
    if let Some(wrong) = wrong {
        table.wrong(wrong, place(), "", "");
        // Expressions are checked, too, and the tree of a longer list is too high.
        values.truncate(MAX_ELEMENTS);
    }
    values
}

/// `min`, `max` and `step`; `None` when they do not fit together, or a value does not fit them.
fn bounds(table: TomlTable<'_>, name: &str, values: &[Located<f64>]) -> Option<(f64, f64, f64)> {
    let required = |key: &str| table.require(key, table.number(key, -LIMIT..=LIMIT));
    let (min, max) = (required("min"), required("max"));
    let step = table.number("step", f64::MIN_POSITIVE..=LIMIT);
    let bounds = min.zip(max).and_then(|(min, max)| {
        let outside = values.iter().find(|value| !(min..=max).contains(&value.value));
        let (key, label) = if min >= max {
            ("max", "not above `min`")
        } else if outside.is_some() {
            ("value", "not between `min` and `max`")
        } else if step.is_some_and(|step| step < (max - min) * LEAST_STEP) {
            ("step", "less than a billionth of the range from `min` to `max`")
        } else if step.is_some_and(|step| step > max - min) {
            ("step", "larger than the range from `min` to `max`")
        } else {
            return Some((min, max, step.unwrap_or((max - min) / 20.0)));
        };
        let place = match outside.filter(|_| key == "value") {
            Some(value) => value.span.clone(),
            None => table.place_of_value(key),
        };
        let message = format!("the values of parameter `{name}` do not fit together");
        table.wrong(message, place, label, "");
        None
    });
    table.close();
    bounds
}
