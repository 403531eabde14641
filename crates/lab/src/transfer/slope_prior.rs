//! What is known of the trend of an idea before any game.

use std::f64::consts::LN_2;
use std::fmt;
use std::str::FromStr;

use lmrlab_stats::meta::{Cell, MetaError, MetaRegression, Spread};

/// How much the trends of ideas differ in the public record (results/published/record), in Elo for each factor of e of the nodes, and
/// the effect from which on they differ more. The other numbers play no part. A test of `record` says when the published cells have
/// moved away from them.
pub(crate) const OF_RECORD: Spread = Spread {
    slope: 1.76,
    size: 5.0,
    ..Spread::PRIOR
};

/// What is known of the slope, the change of the effect for each factor of e of the nodes, before any game.
///
/// As a text it is `record`, `none`, or its standard deviation in Elo for each factor of four of the nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SlopePrior {
    /// It is normal around 0, as in the public record: the more an idea is worth, the larger its slope may be. When the games show
    /// a slope that is larger than that, it is normal with a standard deviation of which that slope is typical: then they decide,
    /// and what lies far beyond their budgets is as uncertain as it is.
    Record,
    /// It is normal around 0 with this standard deviation, which is positive.
    Deviation(f64),
    /// Nothing.
    Unknown,
}

impl SlopePrior {
    /// The standard deviation for these effects; `None` when nothing is known.
    ///
    /// # Errors
    /// When the effects do not suffice for a mean.
    pub(super) fn deviation(self, effects: &[Cell]) -> Result<Option<f64>, MetaError> {
        Ok(match self {
            Self::Record => {
                let free = MetaRegression::fit(effects)?;
                let usual = OF_RECORD.of_effect(free.mean_beyond_chance()).slope;
                Some(usual.max(free.slope_beyond_chance()))
            }
            Self::Deviation(deviation) => Some(deviation),
            Self::Unknown => None,
        })
    }
}

/// Factors of e in a factor of four.
const OF_FOUR: f64 = 2.0 * LN_2;

impl FromStr for SlopePrior {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "record" => Ok(Self::Record),
            "none" => Ok(Self::Unknown),
            number => number
                .parse()
                .ok()
                .filter(|elo: &f64| elo.is_finite() && *elo > 0.0)
                .map(|elo| Self::Deviation(elo / OF_FOUR))
                .ok_or_else(|| "name a number of Elo above 0, such as `1.4`, or `record`, or `none`".to_owned()),
        }
    }
}

impl fmt::Display for SlopePrior {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Record => formatter.write_str("record"),
            Self::Unknown => formatter.write_str("none"),
            // Six digits: the text that was read comes back, without the last bit of the division.
            Self::Deviation(deviation) => write!(formatter, "{}", (deviation * OF_FOUR * 1e6).round() / 1e6),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back() {
        for text in ["record", "none", "1.4", "0.7", "30"] {
            assert_eq!(text.parse::<SlopePrior>().unwrap().to_string(), text);
        }
        for wrong in ["", "-1", "0", "inf", "Record"] {
            assert!(wrong.parse::<SlopePrior>().is_err(), "{wrong}");
        }
    }
}
