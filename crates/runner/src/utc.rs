//! Points in time as UTC date and time, for manifests and PGN.

use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

/// A second of universal time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Utc {
    seconds: u64,
}

impl Utc {
    /// Now, to the second. A clock before 1970 counts as 1970.
    pub fn now() -> Self {
        Self::from_unix(
            SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |since| since.as_secs()),
        )
    }

    /// So many seconds after 1970-01-01T00:00:00Z.
    pub fn from_unix(seconds: u64) -> Self {
        Self { seconds }
    }

    /// Year, month and day.
    ///
    /// Counting years from March puts the leap day last, so that the month follows from the day by one division; 153
    /// days are any five months from March on.
    pub fn date(self) -> (u64, u64, u64) {
        let days = self.seconds / 86_400 + 719_468; // since 0000-03-01
        let era = days / 146_097; // of 400 years
        let day_of_era = days % 146_097;
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 {
            month_from_march + 3
        } else {
            month_from_march - 9
        };
        (era * 400 + year_of_era + u64::from(month <= 2), month, day)
    }

    /// The date as PGN writes it: `2026.11.21`.
    pub fn pgn_date(self) -> String {
        let (year, month, day) = self.date();
        format!("{year:04}.{month:02}.{day:02}")
    }
}

/// Why a text is no point in time as this program writes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoTime;

impl fmt::Display for NoTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a time such as 2026-11-21T08:12:30Z")
    }
}

impl std::error::Error for NoTime {}

/// Reads what [`Utc`]'s `Display` writes.
impl FromStr for Utc {
    type Err = NoTime;

    fn from_str(text: &str) -> Result<Self, NoTime> {
        let numbers: Vec<u64> = text
            .strip_suffix('Z')
            .ok_or(NoTime)?
            .split(['-', 'T', ':'])
            .map(|number| number.parse().map_err(|_| NoTime))
            .collect::<Result<_, _>>()?;
        let &[year, month, day, hour, minute, second] = &numbers[..] else {
            return Err(NoTime);
        };
        if !(1970..10_000).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day)
        {
            return Err(NoTime);
        }
        // The inverse of what `date` does, from the same beginning of the year.
        let years = year - u64::from(month <= 2);
        let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
        let days = 365 * years + years / 4 - years / 100 + years / 400 + day_of_year;
        let days = days.checked_sub(719_468).ok_or(NoTime)?;
        Ok(Self::from_unix(
            86_400 * days + 3_600 * hour + 60 * minute + second,
        ))
    }
}

/// As RFC 3339 writes it: `2026-11-21T08:12:30Z`.
impl fmt::Display for Utc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.date();
        let second = self.seconds % 86_400;
        write!(
            f,
            "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z",
            second / 3_600,
            second / 60 % 60,
            second % 60
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_read() {
        for seconds in [0, 951_782_400, 951_868_799, 1_795_248_750, 4_107_542_400] {
            let moment = Utc::from_unix(seconds);
            assert_eq!(moment.to_string().parse(), Ok(moment));
        }
        for text in [
            "",
            "Z",
            "2026-11-21",
            "2026-13-01T00:00:00Z",
            "1960-01-01T00:00:00Z",
        ] {
            assert_eq!(text.parse::<Utc>(), Err(NoTime));
        }
    }

    #[test]
    fn known_moments() {
        assert_eq!(Utc::from_unix(0).to_string(), "1970-01-01T00:00:00Z");
        assert_eq!(
            Utc::from_unix(951_782_400).to_string(),
            "2000-02-29T00:00:00Z"
        );
        assert_eq!(
            Utc::from_unix(1_795_248_750).to_string(),
            "2026-11-21T08:12:30Z"
        );
        assert_eq!(Utc::from_unix(4_107_542_399).pgn_date(), "2100.02.28");
        assert_eq!(Utc::from_unix(4_107_542_400).pgn_date(), "2100.03.01");
    }
}
