//! A value in a cell: what a row holds, without the type of its field.

use std::fmt;

use crate::number_text::without_sign_of_zero;

/// A value. Its text is that of its cell in a CSV file.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Undefined: an empty cell.
    Missing,
    /// A whole number.
    Whole(i128),
    /// A number, and the count of its decimals in a file; without one, as many digits as it takes.
    Number(f64, Option<usize>),
    /// Words.
    Text(String),
}

impl Value {
    /// The value as a number.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Whole(value) => Some(*value as f64),
            Self::Number(value, _) => Some(*value),
            Self::Missing | Self::Text(_) => None,
        }
    }

    /// Whether it is undefined, or a text without letters.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Missing => true,
            Self::Text(text) => text.is_empty(),
            Self::Whole(_) | Self::Number(..) => false,
        }
    }

    /// The value in JSON.
    pub fn json(&self) -> serde_json::Value {
        match self {
            Self::Missing => serde_json::Value::Null,
            Self::Text(text) => text.as_str().into(),
            Self::Whole(_) | Self::Number(..) => serde_json::from_str(&self.to_string()).unwrap_or_default(),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => Ok(()),
            Self::Whole(value) => value.fmt(f),
            Self::Number(value, None) => value.fmt(f),
            Self::Number(value, Some(decimals)) => {
                f.write_str(&without_sign_of_zero(*value, |value| format!("{value:.decimals$}")))
            }
            Self::Text(text) => text.fmt(f),
        }
    }
}

/// The field of a row.
pub trait Field {
    /// Its value.
    fn value(&self) -> Value;
}

pub(crate) fn number(value: Option<f64>, decimals: Option<usize>) -> Value {
    value
        .filter(|value| value.is_finite())
        .map_or(Value::Missing, |value| Value::Number(value, decimals))
}

macro_rules! whole {
    ($($Type:ty)+) => {$(
        impl Field for $Type {
            fn value(&self) -> Value {
                Value::Whole(i128::try_from(*self).unwrap_or_default())
            }
        }
    )+};
}
whole! { u8 u32 u64 usize i32 i64 }

impl<T: Field> Field for Option<T> {
    fn value(&self) -> Value {
        self.as_ref().map_or(Value::Missing, Field::value)
    }
}

impl Field for f64 {
    fn value(&self) -> Value {
        number(Some(*self), None)
    }
}

impl Field for String {
    fn value(&self) -> Value {
        Value::Text(self.clone())
    }
}

/// Fields with names in a file, such as the result of a game.
macro_rules! named {
    ($($Type:ty: $name:ident)+) => {$(
        impl Field for $Type {
            fn value(&self) -> Value {
                Value::Text(self.$name().to_owned())
            }
        }
    )+};
}
named! { crate::game_end::GameResult: pgn crate::game_end::Termination: name crate::rows::parts::PartEnd: name }
