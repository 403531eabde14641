//! Numbers as files and options write them.

/// A finite number: a decimal, also with an exponent, or `0x` and the 16 hexadecimal digits of its bits.
pub(crate) fn number(word: &str) -> Option<f64> {
    let value = match word.strip_prefix("0x") {
        Some(bits) => {
            let digits = bits.len() == 16 && bits.bytes().all(|byte| byte.is_ascii_hexdigit());
            f64::from_bits(u64::from_str_radix(bits, 16).ok().filter(|_| digits)?)
        }
        None => {
            is_decimal(word).then_some(())?;
            word.parse().ok()?
        }
    };
    value.is_finite().then_some(value)
}

/// Whether a word is written as a decimal. The standard library also reads words such as `inf`.
fn is_decimal(word: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let word = word.strip_prefix('-').unwrap_or(word);
    let (mantissa, exponent) = match word.split_once('e') {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (word, None),
    };
    let exponent_is_right = exponent.is_none_or(|text| digits(text.strip_prefix('-').unwrap_or(text)));
    let mantissa_is_right = match mantissa.split_once('.') {
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => digits(mantissa),
    };
    mantissa_is_right && exponent_is_right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_and_bits_are_numbers() {
        for (word, value) in [
            ("0", 0.0),
            ("-12.5", -12.5),
            ("1e9", 1e9),
            ("25e-3", 0.025),
            ("0x3fd3333333333334", 0.1 + 0.2),
        ] {
            assert_eq!(number(word), Some(value), "{word}");
        }
        for word in [
            "",
            "-",
            "inf",
            "nan",
            "1.",
            ".5",
            "+1",
            "1e",
            "1e+2",
            "1E2",
            "--1",
            "1e999",
            "0x3fd",
            "0x7ff0000000000000",
            "0x+fd3333333333334",
            "1_0",
        ] {
            assert_eq!(number(word), None, "{word}");
        }
    }
}
