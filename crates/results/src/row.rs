//! Rows of CSV files. All about a column stands in one place: its name, its heading, its unit, its meaning, and how a
//! person sees its values.

use std::borrow::Cow;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::seen::Seen;
use crate::value::Value;

/// A column of a CSV file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its name in the first line of the file.
    pub name: Cow<'static, str>,
    /// Its heading in the text of a command and on a page.
    pub heading: Cow<'static, str>,
    /// The unit of its values; may be empty.
    pub unit: &'static str,
    /// What it means, in one sentence; may be empty.
    pub meaning: &'static str,
    /// How a person sees its values.
    pub seen: Seen,
}

impl Column {
    /// A column of numbers that is called by its name, such as a parameter of a policy.
    pub fn named(name: impl Into<String>) -> Self {
        let name = Cow::from(name.into());
        Self {
            heading: name.clone(),
            name,
            unit: "",
            meaning: "",
            seen: Seen::AsWritten,
        }
    }
}

/// A line of a CSV file.
pub trait Row: Serialize + DeserializeOwned {
    /// Its columns, in the order of the file. The first line has their names, even in a file without rows.
    fn columns() -> Vec<Column>;

    /// The values in the same order.
    fn values(&self) -> Vec<Value>;

    /// The names of the columns.
    fn names() -> Vec<String> {
        Self::columns()
            .into_iter()
            .map(|column| column.name.into_owned())
            .collect()
    }
}

/// Declares rows: the name and type of each column, then its heading, unit and meaning. After the meaning may stand how a
/// person sees it, where its unit does not say it. `..counts: Counts;` includes the columns of another row. More columns may
/// follow it. `= field: Type, "..";` is a field that is no column of every file.
macro_rules! rows {
    ($(
        $(#[$attribute:meta])*
        $Row:ident {
            $($name:ident: $Type:ty = $heading:literal, $unit:literal, $meaning:literal $(, $seen:expr)?;)*
            $(
                ..$group:ident: $Group:ty;
                $($name_after:ident: $TypeAfter:ty = $heading_after:literal, $unit_after:literal, $meaning_after:literal $(, $seen_after:expr)?;)*
            )?
            $(= $extra:ident: $Extra:ty, $about:literal;)?
        }
    )+) => {$(
        $(#[$attribute])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
        pub struct $Row {
            $(#[doc = concat!($heading, ". ", $meaning)] pub $name: $Type,)*
            $(
                /// Columns that several files have.
                pub $group: $Group,
                $(#[doc = concat!($heading_after, ". ", $meaning_after)] pub $name_after: $TypeAfter,)*
            )?
            $(#[doc = $about] #[serde(skip)] pub $extra: $Extra,)?
        }

        impl $crate::row::Row for $Row {
            fn columns() -> Vec<$crate::row::Column> {
                #[allow(unused_imports, reason = "most rows are seen as their units say")]
                use $crate::seen::Seen::*;
                let columns = [$($crate::row::column(stringify!($name), $heading, $unit, $meaning)$(.seen_as($seen))?),*].into_iter();
                $(
                    let columns = columns.chain(<$Group as $crate::row::Row>::columns());
                    let columns = columns.chain([
                        $($crate::row::column(stringify!($name_after), $heading_after, $unit_after, $meaning_after)$(.seen_as($seen_after))?),*
                    ]);
                )?
                columns.collect()
            }

            fn values(&self) -> Vec<$crate::value::Value> {
                let values = [$($crate::value::Field::value(&self.$name)),*].into_iter();
                $(
                    let values = values.chain(<$Group as $crate::row::Row>::values(&self.$group));
                    let values = values.chain([$($crate::value::Field::value(&self.$name_after)),*]);
                )?
                values.collect()
            }
        }
    )+};
}
pub(crate) use rows;

/// A column. The name of a field such as `r#move` loses its prefix.
pub(crate) fn column(field: &'static str, heading: &'static str, unit: &'static str, meaning: &'static str) -> Column {
    let name = field.strip_prefix("r#").unwrap_or(field);
    Column {
        name: name.into(),
        heading: heading.into(),
        unit,
        meaning,
        seen: Seen::of(name, unit),
    }
}

impl Column {
    pub(crate) fn seen_as(self, seen: Seen) -> Self {
        Self { seen, ..self }
    }
}
