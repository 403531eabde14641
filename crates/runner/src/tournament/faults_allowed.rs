//! How many games in a row an engine may lose by its faults before a run stops.

use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

use lmrlab_diagnostics::{Diagnostic, Table};

/// A run stops when an engine has lost this many games in a row by crash, stall or illegal move. `None`: it never stops for
/// that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FaultsAllowed(Option<NonZeroU64>);

impl FaultsAllowed {
    /// The number in a row that stops a run; `None` when no number does.
    pub fn limit(self) -> Option<NonZeroU64> {
        self.0
    }

    /// The key `faults_allowed`, which has a default.
    pub fn read(table: &Table<'_>) -> Option<Self> {
        const KEY: &str = "faults_allowed";
        if !table.has(KEY) {
            return Some(Self::default());
        }
        let value = table.scalar(KEY)?;
        value
            .parse()
            .map_err(|help: NotAllowed| {
                table.report(
                    Diagnostic::error(format!("`{value}` is not a value of `{KEY}`"))
                        .at(table.place_of_value(KEY), "")
                        .help(help.to_string()),
                );
            })
            .ok()
    }

    /// The value of the key `faults_allowed`.
    pub fn to_toml(self) -> toml::Value {
        match self.0 {
            Some(limit) => i64::try_from(limit.get()).unwrap_or(i64::MAX).into(),
            None => self.to_string().into(),
        }
    }
}

impl Default for FaultsAllowed {
    /// Five in a row.
    fn default() -> Self {
        Self(NonZeroU64::new(5))
    }
}

impl fmt::Display for FaultsAllowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(limit) => limit.fmt(f),
            None => f.write_str("inf"),
        }
    }
}

/// A text that is no [`FaultsAllowed`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a whole number from 1 to {MAX} is needed, or `inf`")]
pub struct NotAllowed;

/// The greatest number that can be asked for.
const MAX: u64 = 1_000_000_000;

impl FromStr for FaultsAllowed {
    type Err = NotAllowed;

    fn from_str(text: &str) -> Result<Self, NotAllowed> {
        if text == "inf" {
            return Ok(Self(None));
        }
        let number = text.parse::<NonZeroU64>().ok();
        let number = number.filter(|number| number.get() <= MAX);
        number.map(|number| Self(Some(number))).ok_or(NotAllowed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lmrlab_diagnostics::{Document, Source};

    fn read(text: &str) -> Result<FaultsAllowed, String> {
        let document = Document::parse(Source::new("t.toml", text)).unwrap();
        let found = FaultsAllowed::read(&document.root());
        let found = document.finish(found);
        found.map(|(found, _)| found).map_err(|report| report.render(false))
    }

    #[test]
    fn what_is_written_is_read_again() {
        assert_eq!(read(""), Ok(FaultsAllowed::default()));
        assert_eq!(FaultsAllowed::default().to_string(), "5");
        for text in ["1", "5", "1000000000", "inf"] {
            let allowed: FaultsAllowed = text.parse().unwrap();
            assert_eq!(allowed.to_string(), text);
            let line = format!("faults_allowed = {}", allowed.to_toml());
            assert_eq!(read(&line), Ok(allowed), "{line}");
        }
    }

    #[test]
    fn what_is_neither_a_number_nor_inf() {
        for value in ["0", "-1", "1000000001", "2.5", "nan", "inf", "\"many\"", "\"\""] {
            let value_read = read(&format!("faults_allowed = {value}"));
            if value == "inf" {
                // TOML's own infinity.
                assert_eq!(value_read, Ok(FaultsAllowed(None)));
                continue;
            }
            let value_read = value_read.unwrap_err();
            assert!(
                value_read.contains("is not a value of `faults_allowed`"),
                "{value_read}"
            );
            assert!(
                value_read.contains("a whole number from 1 to 1000000000 is needed, or `inf`"),
                "{value_read}"
            );
        }
    }
}
