//! A number as text for a person.

/// The shortest text that is read back as the same number. It has no long row of zeros: numbers of 1e15 and more, and those
/// below 1e-6, are in scientific notation.
///
/// ```
/// use lmrlab_diagnostics::number_text;
///
/// assert_eq!(number_text(0.25), "0.25");
/// assert_eq!(number_text(-1e308), "-1e308");
/// assert_eq!(number_text(1e-200), "1e-200");
/// ```
pub fn number_text(value: f64) -> String {
    let size = value.abs();
    if size.is_finite() && size != 0.0 && !(1e-6..1e15).contains(&size) {
        format!("{value:e}")
    } else {
        value.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_long_numbers_are_in_scientific_notation() {
        for (value, text) in [
            (0.0, "0"),
            (-2.5, "-2.5"),
            (1e-6, "0.000001"),
            (9.5e-7, "9.5e-7"),
            (999_999_999_999_999.0, "999999999999999"),
            (1e15, "1e15"),
            (f64::MAX, "1.7976931348623157e308"),
            (f64::INFINITY, "inf"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(number_text(value), text);
        }
    }

    proptest! {
        #[test]
        fn texts_are_short_and_exact(value in proptest::num::f64::ANY) {
            let text = number_text(value);
            // The longest is such as `-0.0000010004228123832961`.
            prop_assert!(text.len() <= 25, "{text}");
            prop_assert!(value.is_nan() || text.parse() == Ok(value));
        }
    }
}
