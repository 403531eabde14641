//! Whole numbers as people type them: `20000`, `20k`, `2e4`, `1.5M`.

use std::ops::RangeInclusive;

/// Reads a whole number. `k` is a thousand and `M` a million.
pub(crate) fn whole_number(text: &str) -> Result<u64, String> {
    exactly(text.trim()).ok_or_else(|| "a whole number is needed, as in 20000, 20k, 2e4 or 1.5M".to_owned())
}

fn exactly(text: &str) -> Option<u64> {
    let (number, zeros): (&str, u32) = match text.char_indices().next_back()? {
        (end, 'k' | 'K') => (&text[..end], 3),
        (end, 'm' | 'M') => (&text[..end], 6),
        _ => match text.split_once(['e', 'E']) {
            Some((number, exponent)) if is_digits(exponent) => (number, exponent.parse().ok()?),
            _ => (text, 0),
        },
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    if !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let fraction = fraction.trim_end_matches('0');
    let zeros = zeros.checked_sub(u32::try_from(fraction.len()).ok()?)?;
    let digits: u64 = format!("{whole}{fraction}").parse().ok()?;
    digits.checked_mul(10_u64.checked_pow(zeros)?)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A parser for an option with a whole number in this range.
pub(crate) fn count(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<u64, String> + Clone + Send + Sync {
    move |text| {
        let number = whole_number(text)?;
        if range.contains(&number) {
            return Ok(number);
        }
        let (least, most) = (range.start(), range.end());
        Err(match most {
            &u64::MAX => format!("{number} is less than {least}"),
            _ => format!("{number} is not in {least}..={most}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_exactly() {
        for (text, number) in [
            ("0", 0),
            ("20000", 20_000),
            ("3k", 3_000),
            ("3K", 3_000),
            ("1.5M", 1_500_000),
            ("1e4", 10_000),
            ("2.5e3", 2_500),
            ("1.0", 1),
            ("0.001k", 1),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(whole_number(text), Ok(number), "{text}");
        }
    }

    #[test]
    fn what_is_no_whole_number_is_refused() {
        for text in [
            "",
            "k",
            "-1",
            "+1",
            "1.5",
            "1.2345k",
            "1e-3",
            "1e",
            "e4",
            "1 000",
            "1,000",
            ".5k",
            "5.k",
            "1kk",
            "0x10",
            "inf",
            "18446744073709551616",
            "1e20",
            "1e4294967296",
            "\u{661}",
        ] {
            assert!(whole_number(text).is_err(), "{text}");
        }
        assert_eq!(count(1..=10)("11"), Err("11 is not in 1..=10".to_owned()));
        assert_eq!(count(1..=u64::MAX)("0"), Err("0 is less than 1".to_owned()));
    }
}
