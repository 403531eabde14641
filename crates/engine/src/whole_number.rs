//! Whole numbers in texts of other programs.

/// Reads a whole number of any length, with or without a sign. A number outside the range of `i64` becomes the nearest
/// end of that range. `None` for any other text.
pub fn whole_number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let end = if text.starts_with('-') { i64::MIN } else { i64::MAX };
    Some(text.parse().unwrap_or(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_length() {
        for (text, number) in [
            ("0", Some(0)),
            ("007", Some(7)),
            ("-5", Some(-5)),
            ("+5", Some(5)),
            ("99999999999999999999999", Some(i64::MAX)),
            ("-99999999999999999999999", Some(i64::MIN)),
            ("", None),
            ("-", None),
            ("+-1", None),
            ("1.5", None),
            ("1e3", None),
            ("x", None),
            ("٣", None),
        ] {
            assert_eq!(whole_number(text), number, "{text}");
        }
    }
}
