//! Numbers with a fixed count of decimals, and lists, as cells of a CSV.

use std::fmt;
use std::str::FromStr;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::value::{Field, Value, number};

/// A number with `DECIMALS` decimals. What is undefined or not finite is an empty cell: never `NaN`, never `inf`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Fixed<const DECIMALS: usize>(pub Option<f64>);

impl<const DECIMALS: usize> Fixed<DECIMALS> {
    /// The mean of `count` values with this sum; undefined when there are none.
    pub fn mean(sum: u64, count: u64) -> Self {
        Self((count > 0).then(|| sum as f64 / count as f64))
    }
}

impl<const DECIMALS: usize> From<f64> for Fixed<DECIMALS> {
    fn from(value: f64) -> Self {
        Self::from(Some(value))
    }
}

/// Rounded as in a file. So the rows of a file that is read again are the same.
impl<const DECIMALS: usize> From<Option<f64>> for Fixed<DECIMALS> {
    fn from(value: Option<f64>) -> Self {
        Self(value).to_string().parse().unwrap_or(Self(value))
    }
}

impl<const DECIMALS: usize> fmt::Display for Fixed<DECIMALS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value().fmt(f)
    }
}

impl<const DECIMALS: usize> Field for Fixed<DECIMALS> {
    fn value(&self) -> Value {
        number(self.0, Some(DECIMALS))
    }
}

impl<const DECIMALS: usize> FromStr for Fixed<DECIMALS> {
    type Err = std::num::ParseFloatError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.is_empty() {
            Ok(Self(None))
        } else {
            text.parse().map(|value| Self(Some(value)))
        }
    }
}

impl<const DECIMALS: usize> Serialize for Fixed<DECIMALS> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de, const DECIMALS: usize> Deserialize<'de> for Fixed<DECIMALS> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::deserialize(deserializer).map(Self)
    }
}

/// Values in one cell, with spaces between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spaced<T>(pub Vec<T>);

impl<T: fmt::Display> fmt::Display for Spaced<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, value) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            value.fmt(f)?;
        }
        Ok(())
    }
}

impl<T: fmt::Display> Field for Spaced<T> {
    fn value(&self) -> Value {
        Value::Text(self.to_string())
    }
}

impl<T: fmt::Display> Serialize for Spaced<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de, T: FromStr<Err: fmt::Display>> Deserialize<'de> for Spaced<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let values = text.split_ascii_whitespace().map(str::parse);
        values.collect::<Result<_, _>>().map(Self).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells() {
        assert_eq!(Fixed::<2>(Some(1.005)).to_string(), "1.00");
        assert_eq!(Fixed::<2>(Some(-0.001)).to_string(), "0.00");
        assert_eq!(Fixed::<1>(Some(-12.34)).to_string(), "-12.3");
        assert_eq!(Fixed::<2>(Some(f64::INFINITY)).to_string(), "");
        assert_eq!(Fixed::<2>(Some(f64::NAN)).to_string(), "");
        assert_eq!(Fixed::<2>(None).to_string(), "");
        assert_eq!(Fixed::<2>::mean(3, 0), Fixed(None));
        assert_eq!(Spaced(vec![1, -2, 3]).to_string(), "1 -2 3");
    }
}
