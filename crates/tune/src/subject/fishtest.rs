//! Parameters as lines in the formats of fishtest and OpenBench.
//!
//! fishtest: `name, value, min, max, c_end, r_end`. OpenBench: `name, type, value, min, max, c_end, r_end`, where the type is
//! `int` or `float`. Both are read; parameters of fishtest are integers.

use lmrlab_diagnostics::nearest;

use crate::subject::parameter::{Parameter, Place};

/// The columns, as OpenBench has them.
pub(crate) const COLUMNS: &str = "name, type, value, min, max, c_end, r_end";

/// Reads one line.
///
/// # Errors
/// The first mistake.
pub(crate) fn parse(line: &str) -> Result<Parameter, String> {
    let fields: Vec<&str> = line.split(',').map(str::trim).collect();
    let (name, kind, numbers) = match fields[..] {
        [name, ref numbers @ ..] if numbers.len() == 5 => (name, "int", numbers),
        [name, kind, ref numbers @ ..] if numbers.len() == 5 => (name, kind, numbers),
        _ => {
            return Err(format!(
                "there are {} columns instead of `{COLUMNS}`; the type may be left out",
                fields.len()
            ));
        }
    };
    if name.is_empty() {
        return Err("the name is missing".to_owned());
    }
    let integer = match kind {
        "int" => true,
        "float" => false,
        _ => {
            let near = nearest(kind, ["int", "float"])
                .map(|near| format!("; did you mean `{near}`?"))
                .unwrap_or_default();
            return Err(format!("`{kind}` is not a type; the types are `int` and `float`{near}"));
        }
    };
    let mut values = [0.0; 5];
    for (place, text) in values.iter_mut().zip(numbers) {
        *place = text.parse().map_err(|_| format!("`{text}` is not a number"))?;
    }
    let [start, min, max, step, r_end] = values;
    let parameter = Parameter {
        name: name.to_owned(),
        // The engine says where it is.
        place: Place::Option,
        integer,
        start,
        min,
        max,
        step,
        r_end: Some(r_end),
    };
    match parameter.check() {
        Ok(()) => Ok(parameter),
        Err(wrong) if integer && wrong.contains("`float`") => Err(format!(
            "`{name}` {wrong}: write `{name}, float, {}`",
            numbers.join(", ")
        )),
        Err(wrong) => Err(format!("`{name}` {wrong}")),
    }
}

/// The line of a parameter with this value, as OpenBench reads it.
pub(crate) fn line(parameter: &Parameter, value: f64, r_end: f64) -> String {
    let kind = if parameter.integer { "int" } else { "float" };
    let Parameter {
        name, min, max, step, ..
    } = parameter;
    format!("{name}, {kind}, {value}, {min}, {max}, {step}, {r_end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_both_formats() {
        let fishtest = parse("LmrBase, 77, 0, 100, 8, 0.002").expect("valid");
        let open_bench = parse("LmrBase,int,77.0,0.0,100.0,8.0,0.002").expect("valid");
        assert_eq!(fishtest, open_bench);
        assert_eq!(fishtest.r_end, Some(0.002));
        assert!(!parse("Base, float, 0.5, 0, 1, 0.1, 0.002").expect("valid").integer);
    }

    #[test]
    fn says_what_is_wrong_with_a_line() {
        let wrong = |line| parse(line).unwrap_err();
        assert!(wrong("LmrBase, 77, 0, 100").contains("4 columns"));
        assert!(wrong("LmrBase, flot, 77, 0, 100, 8, 0.002").contains("did you mean `float`?"));
        assert!(wrong("Base, 0.5, 0, 1, 0.1, 0.002").ends_with("write `Base, float, 0.5, 0, 1, 0.1, 0.002`"));
        assert!(wrong("LmrBase, 77, 0, many, 8, 0.002").contains("`many` is not a number"));
        assert!(wrong("LmrBase, 77, 100, 0, 8, 0.002").contains("bounds 100 and 0"));
        assert!(wrong(", 77, 0, 100, 8, 0.002").contains("name is missing"));
    }
}
