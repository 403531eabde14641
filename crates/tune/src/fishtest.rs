//! Parameters as lines in the formats of fishtest and OpenBench.
//!
//! fishtest: `name, value, min, max, c_end, r_end`. OpenBench: `name, type, value, min, max, c_end, r_end`, where the type is
//! `int` or `float`. Both are read; parameters of fishtest are integers.
//!
//! The outcome of a tune is read in three formats: lines `name, value`, the table `Name,Curr,Start,..` of OpenBench,
//! and lines of parameters.

use lmrlab_diagnostics::nearest;

use super::parameter::Parameter;

/// The columns, as OpenBench has them.
pub const COLUMNS: &str = "name, type, value, min, max, c_end, r_end";

/// Reads one line.
///
/// # Errors
/// The first mistake.
pub fn parse(line: &str) -> Result<Parameter, String> {
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
pub fn line(parameter: &Parameter, value: f64, r_end: f64) -> String {
    let kind = if parameter.integer { "int" } else { "float" };
    let Parameter {
        name, min, max, step, ..
    } = parameter;
    format!("{name}, {kind}, {value}, {min}, {max}, {step}, {r_end}")
}

/// The first words of the table of a tune, which OpenBench calls its digest.
const DIGEST: [&str; 3] = ["Name", "Curr", "Start"];
/// Its columns.
const DIGEST_COLUMNS: usize = 9;

/// The value of a parameter in a tune.
#[derive(Debug, Clone, PartialEq)]
pub struct TunedValue {
    /// The number of its line, from 1.
    pub line: usize,
    /// The parameter.
    pub name: String,
    /// The value.
    pub value: f64,
}

/// Reads the values that a tune has reached. Empty lines and lines that begin with `#` are skipped.
///
/// # Errors
/// The first mistake, with the number of its line.
pub fn values(text: &str) -> Result<Vec<TunedValue>, (usize, String)> {
    let mut values: Vec<TunedValue> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        if line.trim().is_empty() || line.starts_with('#') || fields.starts_with(&DIGEST) {
            continue;
        }
        let (name, value) = match fields[..] {
            [name, value] => (name.to_owned(), number_of(value)),
            [name, value, ..] if fields.len() == DIGEST_COLUMNS => (name.to_owned(), number_of(value)),
            _ => match parse(line) {
                Ok(parameter) => (parameter.name, Ok(parameter.start)),
                Err(wrong) => return Err((number, wrong)),
            },
        };
        let value = value.map_err(|wrong| (number, wrong))?;
        if let Some(earlier) = values.iter().find(|earlier| earlier.name == name) {
            return Err((number, format!("`{name}` is there already, in line {}", earlier.line)));
        }
        values.push(TunedValue {
            line: number,
            name,
            value,
        });
    }
    Ok(values)
}

fn number_of(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| format!("`{text}` is not a number"))
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

    #[test]
    fn reads_the_values_of_a_tune() {
        let read = |text| {
            let values = values(text).expect("valid").into_iter();
            values.map(|tuned| (tuned.name, tuned.value)).collect::<Vec<_>>()
        };
        let wanted = vec![("Policy.base".to_owned(), 0.9), ("Search.margin".to_owned(), 77.0)];
        let outputs = "Policy.base, 0.9\n\nSearch.margin, 77\n";
        let digest = "Name,Curr,Start,Min,Max,C,C_end,R,R_end\n\
            Policy.base,0.9000,0.8000,-0.5000,2.0000,0.2,0.1,0.01,0.002\n\
            Search.margin,77.0000,70,0,100,9.0,8.0,0.01,0.002";
        let lines =
            "# name, type, ..\nPolicy.base, float, 0.9, -0.5, 2, 0.1, 0.002\nSearch.margin, 77, 0, 100, 8, 0.002\n";
        for text in [outputs, digest, lines] {
            assert_eq!(read(text), wanted);
        }
        assert!(read("# nothing\n").is_empty());
    }

    #[test]
    fn says_which_value_is_wrong() {
        for (text, line, word) in [
            ("a, 1\nb, x", 2, "`x` is not a number"),
            ("a, 1\n\na, 2", 3, "`a` is there already, in line 1"),
            ("a, inf", 1, "`inf` is not a number"),
            ("a", 1, "1 columns"),
            ("a, 1, 2", 1, "3 columns"),
        ] {
            let (place, wrong) = values(text).unwrap_err();
            assert_eq!(place, line, "{text}");
            assert!(wrong.contains(word), "{wrong}");
        }
    }
}
