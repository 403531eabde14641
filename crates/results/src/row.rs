//! Rows of CSV files. The name of each column, its heading on a page, its unit and its meaning stand in one place.

use serde::Serialize;

/// A column of a CSV file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Its name in the first line of the file.
    pub name: &'static str,
    /// Its heading on a page.
    pub heading: &'static str,
    /// The unit of its values; may be empty.
    pub unit: &'static str,
    /// What it means, in one sentence; may be empty.
    pub meaning: &'static str,
}

/// A line of a CSV file.
pub trait Row: Serialize {
    /// Its columns, in the order of the file. The first line has their names, even in a file without rows.
    fn columns() -> Vec<Column>;

    /// The names of the columns.
    fn names() -> Vec<&'static str> {
        Self::columns().iter().map(|column| column.name).collect()
    }
}

/// Declares rows: the name and type of each column, then its heading, unit and meaning. `..counts: Counts;` includes
/// the columns of another row. More columns may follow it.
macro_rules! rows {
    ($(
        $(#[$attribute:meta])*
        $Row:ident {
            $($name:ident: $Type:ty = $heading:literal, $unit:literal, $meaning:literal;)*
            $(
                ..$group:ident: $Group:ty;
                $($name_after:ident: $TypeAfter:ty = $heading_after:literal, $unit_after:literal, $meaning_after:literal;)*
            )?
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
        }

        impl $crate::row::Row for $Row {
            fn columns() -> Vec<$crate::row::Column> {
                let columns = [$($crate::row::column(stringify!($name), $heading, $unit, $meaning)),*].into_iter();
                $(
                    let columns = columns.chain(<$Group as $crate::row::Row>::columns());
                    let columns = columns.chain([
                        $($crate::row::column(stringify!($name_after), $heading_after, $unit_after, $meaning_after)),*
                    ]);
                )?
                columns.collect()
            }
        }
    )+};
}
pub(crate) use rows;

/// A column. The name of a field such as `r#move` loses its prefix.
pub(crate) fn column(field: &'static str, heading: &'static str, unit: &'static str, meaning: &'static str) -> Column {
    let name = field.strip_prefix("r#").unwrap_or(field);
    Column {
        name,
        heading,
        unit,
        meaning,
    }
}
