//! Numbers that every reader turns into the same bits without a library.

/// The greatest integer below which a float holds every integer.
const MOST_EXACT: u64 = 1 << 53;
/// The greatest power of ten that a float holds exactly.
const MOST_TENS: usize = 22;
/// Plain numbers have at most as many zeros at their end.
const MOST_ZEROS: usize = 6;

/// A finite number. A decimal when its digits and its power of ten are both exact as floats, because one multiplication or
/// division then gives the nearest float. Otherwise its bits.
pub(super) fn text(value: f64) -> String {
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
            assert_eq!(text(value), expected, "{value:e}");
        }
    }
}
