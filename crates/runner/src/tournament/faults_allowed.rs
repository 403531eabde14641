//! How many games in a row an engine may lose by its faults before a run stops.

use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

use lmrlab_results::game_end::FaultClass;

/// A run stops when an engine has lost this many games in a row by its faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FaultsAllowed {
    /// The number in a row that stops a run; `None` when no number does.
    pub limit: Option<NonZeroU64>,
    /// The faults that are counted.
    pub counted: CountedFaults,
}

/// The faults that are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountedFaults {
    /// Crashes, stalls and illegal moves.
    All,
    /// Crashes and stalls. An engine may lose any number of games by illegal moves.
    Crashes,
}

impl CountedFaults {
    /// Whether a fault of this class is counted.
    pub fn contain(self, class: FaultClass) -> bool {
        match class {
            FaultClass::TimeLoss => false,
            FaultClass::IllegalMove => self == Self::All,
            FaultClass::Crash | FaultClass::Stall => true,
        }
    }

    /// What ended this many games.
    pub fn that_ended(self, games: u64) -> &'static str {
        match (self, games) {
            (Self::All, 1) => "a crash, a stall or an illegal move",
            (Self::All, _) => "crashes, stalls or illegal moves",
            (Self::Crashes, 1) => "a crash or a stall",
            (Self::Crashes, _) => "crashes or stalls",
        }
    }
}

impl FaultsAllowed {
    /// Faults never stop a run.
    pub fn any_number() -> Self {
        Self {
            limit: None,
            ..Self::default()
        }
    }

    /// The value of the key `faults_allowed`.
    pub fn to_toml(self) -> toml::Value {
        match (self.limit, self.counted) {
            (Some(limit), CountedFaults::All) => i64::try_from(limit.get()).unwrap_or(i64::MAX).into(),
            _ => self.to_string().into(),
        }
    }
}

impl Default for FaultsAllowed {
    /// Five in a row.
    fn default() -> Self {
        Self {
            limit: NonZeroU64::new(5),
            counted: CountedFaults::All,
        }
    }
}

impl fmt::Display for FaultsAllowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.limit, self.counted) {
            (Some(limit), CountedFaults::All) => limit.fmt(f),
            (Some(limit), CountedFaults::Crashes) => write!(f, "{CRASHES}{limit}"),
            (None, _) => f.write_str("inf"),
        }
    }
}

/// Before a number of crashes and stalls.
const CRASHES: &str = "crashes:";

/// The greatest number that can be asked for.
const MAX: u64 = 1_000_000_000;

impl FromStr for FaultsAllowed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "inf" {
            return Ok(Self {
                limit: None,
                counted: CountedFaults::All,
            });
        }
        let (counted, number) = match text.strip_prefix(CRASHES) {
            Some(number) => (CountedFaults::Crashes, number),
            None => (CountedFaults::All, text),
        };
        let number = number.parse::<NonZeroU64>().ok();
        let limit = number.filter(|number| number.get() <= MAX);
        let wrong = || format!("a whole number from 1 to {MAX} is needed, as in `5`, or as in `{CRASHES}1`, or `inf`");
        Ok(Self {
            limit: Some(limit.ok_or_else(wrong)?),
            counted,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_as_they_are_written() {
        assert_eq!(FaultsAllowed::default().to_string(), "5");
        for text in ["1", "5", "1000000000", "inf", "crashes:1", "crashes:1000000000"] {
            assert_eq!(
                text.parse::<FaultsAllowed>().map(|allowed| allowed.to_string()),
                Ok(text.to_owned())
            );
        }
        for text in [
            "0",
            "-1",
            "1000000001",
            "2.5",
            "nan",
            "many",
            "",
            "crashes:0",
            "crashes:inf",
            "crashes:",
        ] {
            assert!(text.parse::<FaultsAllowed>().is_err(), "{text}");
        }
    }
}
