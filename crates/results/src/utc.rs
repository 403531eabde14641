//! Points in time as UTC date and time, for manifests and PGN.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use time::UtcDateTime;
use time::format_description::well_known::Rfc3339;

/// A second of universal time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Utc(UtcDateTime);

impl Utc {
    /// Now, to the second.
    pub fn now() -> Self {
        Self(UtcDateTime::now().truncate_to_second())
    }

    /// The date as PGN writes it: `2026.11.21`.
    pub fn pgn_date(self) -> String {
        let (year, month, day) = self.0.to_calendar_date();
        format!("{year:04}.{:02}.{day:02}", u8::from(month))
    }
}

/// Why a text is not a point in time as this program writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a time such as 2026-11-21T08:12:30Z")]
pub struct NoTime;

/// Reads what [`Utc`]'s `Display` writes.
impl FromStr for Utc {
    type Err = NoTime;

    fn from_str(text: &str) -> Result<Self, NoTime> {
        UtcDateTime::parse(text, &Rfc3339).map(Self).map_err(|_| NoTime)
    }
}

/// As RFC 3339 writes it: `2026-11-21T08:12:30Z`.
impl fmt::Display for Utc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.format(&Rfc3339).map_err(|_| fmt::Error)?)
    }
}

impl Serialize for Utc {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Utc {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(unix: i64) -> Utc {
        Utc(UtcDateTime::from_unix_timestamp(unix).unwrap())
    }

    #[test]
    fn what_is_written_can_be_read() {
        for unix in [0, 951_782_400, 951_868_799, 1_795_248_750, 4_107_542_400] {
            assert_eq!(moment(unix).to_string().parse(), Ok(moment(unix)));
        }
        let now = Utc::now();
        assert_eq!(now.to_string().parse(), Ok(now));
        for text in [
            "",
            "Z",
            "2026-11-21",
            "2026-13-01T00:00:00Z",
            "2026-02-31T00:00:00Z",
            "2026-02-29T00:00:00Z",
            "2026-11-21T24:00:00Z",
            "2026-11-21T08:60:00Z",
            "2026-11-21T08:12:30:00Z",
        ] {
            assert_eq!(text.parse::<Utc>(), Err(NoTime), "{text}");
        }
    }

    #[test]
    fn known_moments() {
        assert_eq!(moment(0).to_string(), "1970-01-01T00:00:00Z");
        assert_eq!(moment(951_782_400).to_string(), "2000-02-29T00:00:00Z");
        assert_eq!(moment(1_795_248_750).to_string(), "2026-11-21T08:12:30Z");
        assert_eq!(moment(4_107_542_399).pgn_date(), "2100.02.28");
        assert_eq!(moment(4_107_542_400).pgn_date(), "2100.03.01");
    }
}
