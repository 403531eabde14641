//! The values that a parameter or a switch goes through.

use std::str::FromStr;

use lmrlab_diagnostics::number_text;
use serde::{Deserialize, Serialize};

/// The most points of one axis.
const MAX_POINTS: usize = 10_000;

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

/// A value of a parameter, or of a switch, for people.
pub(super) fn value_text(is_switch: bool, value: f64) -> String {
    match (is_switch, value > 0.0) {
        (true, true) => "on".to_owned(),
        (true, false) => "off".to_owned(),
        (false, _) => value.to_string(),
    }
}

/// Reads `NAME=MIN:MAX:STEP`, ends included, or `NAME=off,on`.
///
/// ```
/// use lmrlab_lab::experiment::Axis;
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

#[cfg(test)]
mod tests {
    use super::*;

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
    fn wrong_ranges_are_refused() {
        for (wrong, said) in [
            ("x", "NAME=MIN:MAX:STEP"),
            ("x=1", "NAME=MIN:MAX:STEP"),
            ("x=1:2", "NAME=MIN:MAX:STEP"),
            ("x=1:2:3:4", "NAME=MIN:MAX:STEP"),
            ("x=1:2:nan", "NAME=MIN:MAX:STEP"),
            ("x=0:1e9:1", "has 1000000001 values, and at most 10000 are allowed"),
            ("x=0:1:1e-300", "values, and at most"),
            ("x=2:1:1", "has no values"),
            ("x=1:2:0", "has no values"),
            ("x=1:2:-1", "has no values"),
        ] {
            let error = wrong.parse::<Axis>().unwrap_err();
            assert!(error.contains(said), "{error}");
        }
    }
}
