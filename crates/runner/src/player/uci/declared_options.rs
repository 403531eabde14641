//! The options that an engine declares after `uci`, and which values they take.

use super::uci_line::after;

/// An option as an engine declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredOption {
    /// Its name.
    pub name: String,
    /// Its type: `spin`, `check`, `combo`, `button` or `string`.
    pub kind: String,
    /// Default, minimum and maximum of a spin option.
    pub spin: Option<[i64; 3]>,
    /// The values of a combo option.
    pub values: Vec<String>,
}

impl DeclaredOption {
    /// Reads an `option` line: `option name Clear Hash type button`.
    pub(super) fn read(line: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(after(line, "option")?);
        let (name, rest) = text.strip_prefix("name ")?.split_once(" type ")?;
        let kind = rest.split_ascii_whitespace().next().unwrap_or_default();
        let value = |key: &str| {
            let mut words = rest.split_ascii_whitespace();
            words.find(|word| *word == key)?;
            words.next()?.parse().ok()
        };
        let spin = (kind == "spin")
            .then(|| Some([value("default")?, value("min")?, value("max")?]))
            .flatten();
        let values = rest.split(" var ").skip(1).filter(|_| kind == "combo");
        Some(Self {
            name: name.trim().to_owned(),
            kind: kind.to_owned(),
            spin,
            values: values.map(|value| value.trim().to_owned()).collect(),
        })
    }

    /// `None` when the option takes `value`. Otherwise the values that it takes, in words.
    pub(super) fn refuses(&self, value: &str) -> Option<String> {
        let is_one_of = |allowed: &[String]| allowed.iter().any(|one| one.eq_ignore_ascii_case(value.trim()));
        match (self.kind.as_str(), self.spin) {
            ("spin", Some([_, min, max])) => {
                let number = value.trim().parse::<i64>();
                let fits = number.is_ok_and(|number| (min..=max).contains(&number));
                (!fits).then(|| format!("whole numbers from {min} to {max}"))
            }
            ("check", _) => {
                let switch = ["true".to_owned(), "false".to_owned()];
                (!is_one_of(&switch)).then(|| "`true` or `false`".to_owned())
            }
            ("combo", _) if !self.values.is_empty() && !is_one_of(&self.values) => {
                let values: Vec<String> = self.values.iter().map(|value| format!("`{value}`")).collect();
                Some(format!("one of {}", values.join(", ")))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_names_types_and_bounds() {
        let option = |line: &str| {
            let option = DeclaredOption::read(line.as_bytes())?;
            Some((option.name, option.kind, option.spin))
        };
        let lmr = option("option name Lmr Base type spin default 77 min -5 max 200");
        assert_eq!(
            lmr,
            Some(("Lmr Base".to_owned(), "spin".to_owned(), Some([77, -5, 200])))
        );
        let clear = option("option name Clear Hash type button");
        assert_eq!(clear, Some(("Clear Hash".to_owned(), "button".to_owned(), None)));
        for other in ["id name something", "options name x type spin", "option type spin"] {
            assert_eq!(option(other), None);
        }
    }

    #[test]
    fn values_that_an_option_does_not_take() {
        let refuses = |line: &str, value: &str| {
            let option = DeclaredOption::read(line.as_bytes()).expect("an option");
            option.refuses(value)
        };
        let spin = "option name Hash type spin default 16 min 1 max 64";
        let numbers = Some("whole numbers from 1 to 64".to_owned());
        for value in ["0", "65", "1.5", "x", "", "99999999999999999999"] {
            assert_eq!(refuses(spin, value), numbers, "{value}");
        }
        let check = "option name Ponder type check default false";
        assert_eq!(refuses(check, "yes"), Some("`true` or `false`".to_owned()));
        let combo = "option name Style type combo default Normal var Solid var Very Risky";
        assert_eq!(refuses(combo, "Risky"), Some("one of `Solid`, `Very Risky`".to_owned()));
        for (line, value) in [
            (spin, "1"),
            (spin, "64"),
            (check, "True"),
            (combo, "very risky"),
            ("option name Book type string default <empty>", "anything"),
            ("option name Clear Hash type button", ""),
            // Without bounds nothing is known.
            ("option name Odd type spin", "5"),
        ] {
            assert_eq!(refuses(line, value), None, "{line}: {value}");
        }
    }
}
