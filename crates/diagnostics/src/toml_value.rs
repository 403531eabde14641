//! TOML values with their places, independent of the parser's types.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use toml::de::{DeTable, DeValue};

/// A TOML value.
#[derive(Debug, Clone)]
pub enum Value {
    /// A string.
    Text(String),
    /// An integer.
    Integer(i64),
    /// A number with a fraction or an exponent.
    Float(f64),
    /// `true` or `false`.
    Boolean(bool),
    /// An array.
    List(Vec<Node>),
    /// A table: its entries, sorted by key.
    Table(BTreeMap<String, Entry>),
    /// Valid TOML that no file uses, named for messages: a date, or an integer beyond 64 bits.
    Other(&'static str),
}

impl Value {
    /// The number; `None` for other values.
    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Self::Integer(value) => Some(*value as f64),
            Self::Float(value) => Some(*value),
            _ => None,
        }
    }

    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "a string",
            Self::Integer(_) => "an integer",
            Self::Float(_) => "a number",
            Self::Boolean(_) => "a boolean",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
            Self::Other(kind) => kind,
        }
    }
}

impl From<&Value> for toml::Value {
    fn from(value: &Value) -> Self {
        match value {
            Value::Text(text) => Self::String(text.clone()),
            Value::Integer(integer) => Self::Integer(*integer),
            Value::Float(float) => Self::Float(*float),
            Value::Boolean(boolean) => Self::Boolean(*boolean),
            Value::List(nodes) => Self::Array(nodes.iter().map(|node| Self::from(&node.value)).collect()),
            Value::Table(entries) => {
                let pair = |(key, entry): (&String, &Entry)| (key.clone(), Self::from(&entry.node.value));
                Self::Table(entries.iter().map(pair).collect())
            }
            Value::Other(kind) => Self::String((*kind).to_owned()),
        }
    }
}

/// The value as TOML, a table on one line.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        toml::Value::from(self).fmt(f)
    }
}

/// A value with its place.
#[derive(Debug, Clone)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Where it stands, as bytes of the source.
    pub span: Range<usize>,
}

/// The value of a key, and where the key stands.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Where the key stands, as bytes of the source.
    pub key_span: Range<usize>,
    /// The value.
    pub node: Node,
}

pub(crate) fn moved(span: Range<usize>, by: usize) -> Range<usize> {
    span.start + by..span.end + by
}

pub(crate) fn convert_table(table: DeTable<'_>, base: usize) -> Value {
    Value::Table(
        table
            .into_iter()
            .map(|(key, value)| {
                let key_span = moved(key.span(), base);
                (
                    key.into_inner().into_owned(),
                    Entry {
                        key_span,
                        node: convert(value, base),
                    },
                )
            })
            .collect(),
    )
}

fn convert(value: toml::Spanned<DeValue<'_>>, base: usize) -> Node {
    let span = moved(value.span(), base);
    let value = match value.into_inner() {
        DeValue::String(text) => Value::Text(text.into_owned()),
        DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix())
            .map_or(Value::Other("an integer beyond 64 bits"), Value::Integer),
        DeValue::Float(float) => float
            .as_str()
            .parse()
            .map_or(Value::Other("an unreadable number"), Value::Float),
        DeValue::Boolean(boolean) => Value::Boolean(boolean),
        DeValue::Datetime(_) => Value::Other("a date"),
        DeValue::Array(array) => {
            let nodes = array.into_iter().map(|value| convert(value, base));
            Value::List(nodes.collect())
        }
        DeValue::Table(table) => convert_table(table, base),
    };
    Node { value, span }
}
