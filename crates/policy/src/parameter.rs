//! `[param]`: numbers with names and bounds, which can be changed without editing the file.

use lmrlab_diagnostics::{Diagnostic, Table};

use crate::expression::function::{self, KEYWORDS};
use crate::facts::Fact;

/// The largest absolute value of a parameter or of its bounds.
const LIMIT: f64 = 1e9;

/// The least step, as a share of the range. A smaller one changes nothing that a search or a tuner could see.
const LEAST_STEP: f64 = 1e-9;

/// A number with a name and bounds: what a sweep, a tuner and a UCI option read.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Its name in expressions.
    pub name: String,
    /// Its value now, from `min` to `max`.
    pub value: f64,
    /// Its value in the file.
    pub default: f64,
    /// Least value.
    pub min: f64,
    /// Greatest value.
    pub max: f64,
    /// A change that is worth trying; above 0. A twentieth of the range when the file names none.
    pub step: f64,
}

/// Reads `[param]`. Parameters that are wrong are left out, but their names still count as declared.
pub(crate) fn read(table: &Table<'_>) -> (Vec<Parameter>, Vec<String>) {
    let mut parameters = Vec::new();
    let mut declared = Vec::new();
    for key in table.keys() {
        let name = key.value;
        if !is_identifier(&name) {
            table.report(
                Diagnostic::error(format!("`{name}` cannot be the name of a parameter"))
                    .at(key.span, "not a name")
                    .help("use letters, digits and `_`, with a letter first, as in `base_2`"),
            );
            continue;
        }
        let taken = if Fact::named(&name).is_some() {
            Some("a fact")
        } else if function::named(&name).is_some() {
            Some("a function")
        } else if KEYWORDS.contains(&name.as_str()) {
            Some("a word of the language")
        } else {
            None
        };
        if let Some(taken) = taken {
            table.report(
                Diagnostic::error(format!("a parameter cannot be called `{name}`"))
                    .at(key.span, format!("already {taken}"))
                    .help("choose another name"),
            );
            continue;
        }
        declared.push(name.clone());
        if let Some(inner) = table.table(&name)
            && let Some(parameter) = read_one(inner, name)
        {
            parameters.push(parameter);
        }
    }
    (parameters, declared)
}

fn read_one(table: Table<'_>, name: String) -> Option<Parameter> {
    let range = -LIMIT..=LIMIT;
    let required = |key: &str| table.require(key, table.number(key, range.clone()));
    let (value, min, max) = (required("value"), required("min"), required("max"));
    let step = table.number("step", f64::MIN_POSITIVE..=LIMIT);
    let parameter = match (value, min, max) {
        (Some(value), Some(min), Some(max)) => {
            let wrong = if min >= max {
                Some(("max", "not above `min`"))
            } else if !(min..=max).contains(&value) {
                Some(("value", "not between `min` and `max`"))
            } else if step.is_some_and(|step| step < (max - min) * LEAST_STEP) {
                Some(("step", "less than a billionth of the range from `min` to `max`"))
            } else if step.is_some_and(|step| step > max - min) {
                Some(("step", "larger than the range from `min` to `max`"))
            } else {
                None
            };
            if let Some((key, label)) = wrong {
                table.report(
                    Diagnostic::error(format!("the values of parameter `{name}` do not fit together"))
                        .at(table.place_of_value(key), label),
                );
                None
            } else {
                Some(Parameter {
                    name,
                    value,
                    default: value,
                    min,
                    max,
                    step: step.unwrap_or((max - min) / 20.0),
                })
            }
        }
        _ => None,
    };
    table.close();
    parameter
}

/// Whether a word is a letter or `_`, then letters, digits and `_`.
pub(crate) fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
