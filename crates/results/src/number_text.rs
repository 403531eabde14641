//! Numbers as text for a person. What is undefined or infinite is a dash.

use lmrlab_stats::CONFIDENCE;

/// A number with its sign, or a dash when it is undefined or infinite.
pub fn signed(value: Option<f64>, decimals: usize) -> String {
    number(value, |value| format!("{value:+.decimals$}"))
}

/// The end of an interval: a number with its sign, `+∞` and `-∞` included.
pub fn interval_end(value: f64, decimals: usize) -> String {
    match value {
        f64::INFINITY => "+∞".to_owned(),
        f64::NEG_INFINITY => "-∞".to_owned(),
        value => signed(Some(value), decimals),
    }
}

/// A number, or a dash when it is undefined or infinite.
pub fn unsigned(value: Option<f64>, decimals: usize) -> String {
    number(value, |value| format!("{value:.decimals$}"))
}

/// A share from 0 to 1 as percent, or a dash when it is undefined.
pub fn percent(value: Option<f64>) -> String {
    percent_with(value, 1)
}

/// The same with this number of decimals.
pub fn percent_with(value: Option<f64>, decimals: usize) -> String {
    number(value, |value| format!("{:.decimals$}%", value * 100.0))
}

/// A probability of superiority, from 0 to 1, as percent, or a dash when it is undefined. Games never make it certain, so it is
/// not shown as 0% or 100%.
pub fn chance(value: Option<f64>) -> String {
    match value {
        Some(value) if value >= 0.9995 => ">99.9%".to_owned(),
        Some(value) if value < 0.0005 => "<0.1%".to_owned(),
        value => percent(value),
    }
}

/// Elo and half the width of its interval, as in sentences: one decimal.
pub fn elo_plus_minus(elo: Option<f64>, error: Option<f64>) -> String {
    format!("{} ± {}", signed(elo, 1), unsigned(error, 1))
}

/// The same, as in the lines of a test: two decimals, as fishtest and fastchess print them.
pub fn exact_plus_minus(elo: Option<f64>, error: Option<f64>) -> String {
    format!("{} ± {}", signed(elo, 2), unsigned(error, 2))
}

/// Elo with half the width of its interval, and the level of the interval.
pub fn elo_with_error(elo: f64, error: Option<f64>) -> String {
    match error {
        _ if !elo.is_finite() => "no finite Elo".to_owned(),
        Some(_) => format!("{} Elo ({CONFIDENCE})", elo_plus_minus(Some(elo), error)),
        None => format!("{} Elo, of unknown error", signed(Some(elo), 1)),
    }
}

/// A count with its noun: `1 pair`, `2 pairs`.
pub fn counted(count: u64, name: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {name}{plural}")
}

fn number(value: Option<f64>, format: impl Fn(f64) -> String) -> String {
    let finite = value.filter(|value| value.is_finite());
    finite.map_or_else(|| "-".to_owned(), |value| without_sign_of_zero(value, format))
}

/// A number as text. What rounds to zero loses its sign.
pub(crate) fn without_sign_of_zero(value: f64, format: impl Fn(f64) -> String) -> String {
    let text = format(value);
    match text.contains(|c: char| matches!(c, '1'..='9')) {
        true => text,
        false => format(0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn superiority_is_never_certain() {
        let chances = [0.0, 0.0004, 0.0006, 0.5, 0.9994, 0.9996, 1.0].map(|value| chance(Some(value)));
        assert_eq!(
            chances,
            ["<0.1%", "<0.1%", "0.1%", "50.0%", "99.9%", ">99.9%", ">99.9%"]
        );
    }

    #[test]
    fn what_is_undefined_is_a_dash() {
        assert_eq!(signed(Some(12.345), 1), "+12.3");
        assert_eq!(signed(Some(-0.0), 1), "+0.0");
        assert_eq!(signed(Some(-0.04), 1), "+0.0");
        assert_eq!(signed(Some(f64::INFINITY), 1), "-");
        assert_eq!(unsigned(Some(f64::INFINITY), 1), "-");
        assert_eq!(
            [f64::NEG_INFINITY, -2.0].map(|end| interval_end(end, 1)),
            ["-∞", "-2.0"]
        );
        assert_eq!(signed(Some(f64::NAN), 1), "-");
        assert_eq!(unsigned(None, 2), "-");
        assert_eq!(elo_with_error(3.0, None), "+3.0 Elo, of unknown error");
        assert_eq!(elo_with_error(f64::INFINITY, None), "no finite Elo");
        assert_eq!(percent(Some(0.125)), "12.5%");
    }
}
