//! Numbers as files and options write them: every reader turns them into the same bits without a library.

/// The greatest integer below which a float holds every integer.
const MOST_EXACT: u64 = 1 << 53;
/// The greatest power of ten that a float holds exactly.
const MOST_TENS: usize = 22;
/// Plain numbers have at most as many zeros at their end.
const MOST_ZEROS: usize = 6;

/// Reads a finite number: a decimal, also with an exponent, or `0x` and the 16 hexadecimal digits of its bits.
pub fn number(word: &str) -> Option<f64> {
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

/// Writes a finite number. A decimal when its digits and its power of ten are both exact as floats, because one multiplication or
/// division then gives the nearest float. Otherwise its bits.
pub fn number_text(value: f64) -> String {
    // There is one zero: no operation distinguishes the two.
    let value = if value == 0.0 { 0.0 } else { value };
    exact(value).unwrap_or_else(|| format!("0x{:016x}", value.to_bits()))
}

fn exact(value: f64) -> Option<String> {
    let plain = value.to_string();
    let digits = plain.trim_start_matches('-');
    match digits.split_once('.') {
        Some((whole, fraction)) => {
            let mantissa: u64 = format!("{whole}{fraction}").parse().ok()?;
            (mantissa <= MOST_EXACT && fraction.len() <= MOST_TENS).then_some(plain)
        }
        None => {
            let short = digits.trim_end_matches('0');
            let zeros = digits.len() - short.len();
            if zeros <= MOST_ZEROS || short.is_empty() {
                return (digits.parse::<u64>().ok()? <= MOST_EXACT).then_some(plain);
            }
            let mantissa: u64 = short.parse().ok()?;
            let sign = if value < 0.0 { "-" } else { "" };
            (mantissa <= MOST_EXACT && zeros <= MOST_TENS).then(|| format!("{sign}{short}e{zeros}"))
        }
    }
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

    #[test]
    fn a_number_is_a_decimal_or_its_bits() {
        for (value, expected) in [
            (0.0, "0"),
            (-0.0, "0"),
            (3.0, "3"),
            (-12.5, "-12.5"),
            (0.1, "0.1"),
            (1e6, "1000000"),
            (1e9, "1e9"),
            (-25e20, "-25e20"),
            (1e22, "1e22"),
            (1e23, "0x44b52d02c7e14af6"),
            (1e-22, "0.0000000000000000000001"),
            (1e-23, "0x3b282db34012b251"),
            (9_007_199_254_740_992.0, "9007199254740992"),
            (std::f64::consts::LN_2, "0.6931471805599453"),
            (std::f64::consts::PI, "3.141592653589793"),
            (0.1 + 0.2, "0x3fd3333333333334"),
            (f64::MAX, "0x7fefffffffffffff"),
            (f64::from_bits(1), "0x0000000000000001"),
        ] {
            assert_eq!(number_text(value), expected, "{value:e}");
        }
    }
}
