//! The table of an outcome on a page.

use std::collections::BTreeMap;

use crate::outcome::table::{SeenColumn, Table};
use crate::seen::Seen;
use crate::value::Value;
use maud::{Markup, html};

use crate::report::chart::axis::grouped;
use crate::report::table::{Heading, WIDE, printable, table, with_code};

/// Most cells of one table on a page.
const MOST_CELLS: usize = 9_000;

/// A table that the text of a command cuts has this number of times its rows folded.
const FOLDED: usize = 5;

/// The rows as a table, of a long one the first rows. A wide table leaves out columns that are empty, and those with 0 or the
/// same word in every row: a line below the table names these.
pub(super) fn markup(rows: &Table) -> Markup {
    let seen = rows.seen();
    let is_wide = seen.len() > WIDE && !rows.rows.is_empty();
    let (alike, seen): (Vec<_>, Vec<_>) = seen.into_iter().partition(|column| is_wide && is_alike(rows, column));
    let headings: Vec<Heading<'_>> = (seen.iter())
        .map(|column| Heading {
            text: column.heading(),
            meaning: column.column.meaning,
            is_of_numbers: rows.is_of_numbers(column.index),
        })
        .collect();
    let most = (MOST_CELLS / rows.columns.len().max(1)).max(1);
    let cells = |row: &Vec<Value>| seen.iter().map(|column| cell(rows, column, row)).collect();
    let begun: Vec<Vec<Markup>> = rows.rows.iter().take(most).map(cells).collect();
    let mut same: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for column in &alike {
        let value = rows.rows.first().map_or_else(String::new, |row| rows.cell(column, row));
        same.entry(value).or_default().push(column.heading());
    }
    same.remove("");
    same.remove("-");
    let same =
        (same.iter()).map(|(value, headings)| printable(&format!("{value} in every row: {}.", headings.join("; "))));
    html! {
        (table(&headings, &begun))
        @for sentence in same { p.note { (sentence) } }
        @if rows.rows.len() > most {
            p.note {
                "The first " (grouped(most as f64, 0)) " of " (grouped(rows.rows.len() as f64, 0)) " lines; " (rows.name) ".csv has all."
            }
        }
    }
}

/// The rows that the text of a command has as a table; the others are folded.
pub(super) fn begun(rows: &Table) -> Markup {
    let most = rows.most.unwrap_or(usize::MAX);
    let Some(left @ 1..) = rows.rows.len().checked_sub(most) else {
        return markup(rows);
    };
    let part = |part: &[Vec<Value>]| Table {
        rows: part.to_vec(),
        ..rows.clone()
    };
    let folded = left.min(FOLDED * most);
    let summary = match folded == left {
        true => format!("{left} more"),
        false => format!("{folded} more; {}.csv has all", rows.name),
    };
    html! {
        (markup(&part(&rows.rows[..most])))
        details { summary { (summary) } (markup(&part(&rows.rows[most..most + folded]))) }
    }
}

fn cell(rows: &Table, column: &SeenColumn<'_>, row: &[Value]) -> Markup {
    let text = rows.cell(column, row);
    match column.column.seen {
        Seen::Game => {
            let plies = rows.text(row, "plies");
            html! { a href={ "#game=" (text) "&ply=" (plies) } { (text) } }
        }
        // A number that is undefined is sorted after all others.
        _ if text == "-" && rows.is_of_numbers(column.index) => html! {},
        _ => with_code(&text),
    }
}

/// Whether all cells of a column are empty, the count 0, or the same word. With a single row, a word is always shown.
fn is_alike(rows: &Table, column: &SeenColumn<'_>) -> bool {
    let mut values = rows.rows.iter().filter_map(|row| row.get(column.index));
    let Some(first) = values.next() else {
        return false;
    };
    let says_little = match first {
        Value::Missing | Value::Whole(0) => return rows.is_of_nothing(column.index),
        Value::Text(text) => text.is_empty() || rows.rows.len() > 1,
        Value::Whole(_) | Value::Number(..) => false,
    };
    says_little && values.all(|value| value == first)
}
