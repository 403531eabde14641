//! A grid over the parameters and rules of a policy, and over those of the search around it.

mod effects;
mod outcome;

use std::str::FromStr;

use lmrlab_diagnostics::{nearest, number_text};
use lmrlab_engine::search_parameters::{DECLARATIONS, Declaration};
use lmrlab_policy::Policy;
use lmrlab_policy::reference::overridden;
use serde::{Deserialize, Serialize};

use crate::variant::Variant;

pub use self::outcome::SweepTables;

/// The most points of one axis.
const MAX_POINTS: usize = 10_000;

/// The axis that switches all reductions off and on.
pub const REDUCTIONS: &str = "reductions";

/// A parameter and the values that it goes through.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// The parameter's name; of switches, their names with `+` between those that go together.
    pub parameter: String,
    /// Its values, the least first; of switches 0 for off and 1 for on.
    pub values: Vec<f64>,
    /// Whether it goes off and on.
    pub is_switch: bool,
}

impl Axis {
    /// A value for people.
    pub fn value_text(&self, value: f64) -> String {
        value_text(self.is_switch, value)
    }
}

/// A value of a parameter, or of a switch, for people.
fn value_text(is_switch: bool, value: f64) -> String {
    match (is_switch, value > 0.0) {
        (true, true) => "on".to_owned(),
        (true, false) => "off".to_owned(),
        (false, _) => value.to_string(),
    }
}

/// Reads `NAME=MIN:MAX:STEP`, ends included, or `NAME=off,on`.
///
/// ```
/// use lmrlab_lab::sweep::Axis;
///
/// let axis: Axis = "divisor=1.8:2.4:0.2".parse()?;
/// assert_eq!(axis.values, [1.8, 2.0, 2.2, 2.4]);
/// # Ok::<(), String>(())
/// ```
impl FromStr for Axis {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let usage = || {
            format!(
                "`{text}` is not of the form NAME=MIN:MAX:STEP or NAME=off,on, as in `divisor=1.8:3.0:0.2` and `null_move=off,on`"
            )
        };
        let (parameter, range) = text.split_once('=').ok_or_else(usage)?;
        if range.trim() == "off,on" || range.trim() == "on,off" {
            return Ok(Self {
                parameter: parameter.trim().to_owned(),
                values: vec![0.0, 1.0],
                is_switch: true,
            });
        }
        let parts: Vec<&str> = range.split(':').map(str::trim).collect();
        let [min, max, step] = parts[..] else {
            return Err(usage());
        };
        let decimals = [min, max, step]
            .iter()
            .map(|part| part.split_once('.').map_or(0, |(_, behind)| behind.len()))
            .max()
            .unwrap_or(0);
        let number = |part: &str| {
            let number = part.parse::<f64>().ok();
            number.filter(|number| number.is_finite()).ok_or_else(usage)
        };
        let (min, max, step) = (number(min)?, number(max)?, number(step)?);
        if step <= 0.0 || max < min {
            return Err(format!(
                "`{text}` has no values: MIN must not be above MAX, and STEP must be above 0"
            ));
        }
        let steps = ((max - min) / step + 1e-9).floor();
        if steps >= MAX_POINTS as f64 {
            return Err(format!(
                "`{text}` has {} values, and at most {MAX_POINTS} are allowed; give a larger STEP or a smaller range",
                number_text(steps + 1.0)
            ));
        }
        // A sum of steps drifts from what a person would write, so values are rounded.
        let written = |step_number: u32| {
            let value = min + f64::from(step_number) * step;
            format!("{value:.decimals$}").parse().unwrap_or(value)
        };
        Ok(Self {
            parameter: parameter.trim().to_owned(),
            values: (0..=steps as u32).map(written).collect(),
            is_switch: false,
        })
    }
}

/// A point of the grid.
#[derive(Debug, Clone)]
pub struct GridPoint {
    /// The values of the axes' parameters, in the order of the axes.
    pub values: Vec<f64>,
    /// The search with these.
    pub variant: Variant,
    /// Its changes of the policy, as after an `@`. They have no effect when the policy reduces nothing.
    pub policy: Vec<String>,
    /// Its changes of the preset, as after an `@`.
    pub preset: Vec<String>,
}

/// Why a grid has no points: what is wrong, and what would be right.
pub type GridError = (String, String);

/// All combinations of the axes' values, the last axis changing fastest.
///
/// # Errors
/// When neither the policy nor the search has such a parameter, rule or switch, or a value is not within its bounds.
pub fn grid(base: &Variant, axes: &[Axis]) -> Result<Vec<GridPoint>, GridError> {
    let mut points = vec![GridPoint {
        values: Vec::new(),
        variant: base.clone(),
        policy: Vec::new(),
        preset: Vec::new(),
    }];
    for axis in axes {
        let mut next = Vec::with_capacity(points.len() * axis.values.len());
        for point in &points {
            for value in &axis.values {
                let mut point = point.clone();
                point.values.push(*value);
                for name in axis.parameter.split('+') {
                    point.change(name.trim(), axis.is_switch, *value)?;
                }
                next.push(point);
            }
        }
        points = next;
    }
    for point in &mut points {
        if point.reduces_nothing(axes) {
            let name = std::mem::take(&mut point.variant.name);
            point.variant = point.variant.unreduced();
            // Rules that are switched change nothing here, but each point has a name of its own.
            if !point.policy.is_empty() {
                point.variant.name = format!("none for {name}");
            }
        }
        if !point.preset.is_empty() {
            let changes = point.preset.iter();
            let preset = changes.fold(base.preset.name().to_owned(), |text, change| overridden(&text, change));
            point.variant.name = format!("{} in {preset}", point.variant.name);
        }
    }
    Ok(points)
}

impl GridPoint {
    /// Whether the reductions are switched off here.
    pub fn reduces_nothing(&self, axes: &[Axis]) -> bool {
        axes.iter()
            .zip(&self.values)
            .any(|(axis, value)| axis.parameter == REDUCTIONS && *value == 0.0)
    }

    /// Gives a parameter, a rule or a switch its value.
    fn change(&mut self, name: &str, is_switch: bool, value: f64) -> Result<(), GridError> {
        if is_switch && name == REDUCTIONS {
            return Ok(());
        }
        let policy = &self.variant.policy;
        let (on, known) = (value > 0.0, known(policy, is_switch));
        let is_of_policy = known.contains(&name);
        let change = match (is_switch, on) {
            (true, true) => format!("+{name}"),
            (true, false) => format!("-{name}"),
            (false, _) => format!("{name}={value}"),
        };
        if !is_of_policy && Declaration::named(name).is_none() {
            let all = known
                .into_iter()
                .chain(DECLARATIONS.iter().map(|declaration| declaration.name));
            let kind = if is_switch { "switch" } else { "parameter" };
            let advice = nearest(name, all).map_or_else(
                || "`lmrlab policy show` and `lmrlab preset cat` list what can be changed".to_owned(),
                |near| format!("did you mean `{near}`?"),
            );
            return Err((
                format!("neither the policy nor the search has a {kind} `{name}`"),
                advice,
            ));
        }
        if is_of_policy {
            let changed = match is_switch {
                true => self.variant.with_rule(name, on),
                false => self.variant.with_parameter(name, value),
            };
            self.variant = changed.map_err(|error| (error.message(), error.advice()))?;
            self.policy.push(change);
        } else {
            let changed = self.variant.with_search(&change);
            self.variant = changed.map_err(|error| {
                // Only a switch can be off and on.
                let message = match is_switch {
                    true => format!("`{name}` is not a switch"),
                    false => error.to_string(),
                };
                (message, "`lmrlab preset cat` has its values".to_owned())
            })?;
            self.preset.push(change);
        }
        Ok(())
    }
}

/// The rules of a policy, or its parameters.
fn known(policy: &Policy, rules: bool) -> Vec<&str> {
    match rules {
        true => policy.rules().iter().map(|rule| rule.name.as_str()).collect(),
        false => policy
            .parameters()
            .iter()
            .map(|parameter| parameter.name.as_str())
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn values_are_those_that_a_person_would_write() {
        let axis: Axis = "x=0:0.3:0.1".parse().unwrap();
        assert_eq!(axis.values, [0.0, 0.1, 0.2, 0.3]);
        let axis: Axis = " y = -4 : 3 : 5 ".parse().unwrap();
        assert_eq!((axis.parameter.as_str(), &axis.values[..]), ("y", &[-4.0, 1.0][..]));
        let axis: Axis = "z=2:2:1".parse().unwrap();
        assert_eq!(axis.values, [2.0]);
    }

    #[test]
    fn a_point_without_reductions_has_the_name_of_none() {
        let base = Variant::new("some", Policy::none());
        let axes = ["killers+history=off,on", "reductions=off,on"].map(|text| text.parse().unwrap());
        let points = grid(&base, &axes).unwrap();
        assert_eq!(points[0].variant.name, "none in default@-killers,-history");
    }

    #[test]
    fn wrong_ranges_are_refused() {
        for wrong in ["x", "x=1", "x=1:2", "x=1:2:3:4", "x=a:2:1", "x=1:2:nan"] {
            assert!(wrong.parse::<Axis>().unwrap_err().contains("NAME=MIN:MAX:STEP"));
        }
        let many = "x=0:1e9:1".parse::<Axis>().unwrap_err();
        assert!(
            many.contains("has 1000000001 values, and at most 10000 are allowed"),
            "{many}"
        );
        let tiny = "x=0:1:1e-300".parse::<Axis>().unwrap_err();
        assert!(tiny.contains("values, and at most"), "{tiny}");
        for wrong in ["x=2:1:1", "x=1:2:0", "x=1:2:-1", "x=0:1e9:1"] {
            assert!(wrong.parse::<Axis>().is_err());
        }
    }

    proptest! {
        #[test]
        fn values_lie_within_the_ends(min in -100_i32..100, length in 0_i32..50, step in 1_i32..20) {
            let (min, step) = (f64::from(min) / 10.0, f64::from(step) / 10.0);
            let max = min + f64::from(length) / 10.0;
            let axis: Axis = format!("x={min}:{max:.1}:{step}").parse().unwrap();
            prop_assert!(axis.values[0] == min);
            prop_assert!(axis.values.iter().all(|value| *value <= max + 1e-9));
            prop_assert!(axis.values.last().unwrap() + step > max - 1e-9);
        }
    }
}
