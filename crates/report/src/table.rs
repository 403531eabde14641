//! Tables of a page. A click on a heading sorts a table, if the browser runs scripts.

use maud::{Markup, html};

use crate::chart::svg::is_unprintable;

/// A column.
#[derive(Debug, Clone)]
pub struct Column {
    /// Its heading.
    pub heading: String,
    /// The meaning of the heading, shown when the mouse is over it; may be empty.
    pub meaning: String,
    /// Whether it holds numbers.
    pub numbers: bool,
}

impl Column {
    /// A column of words.
    pub fn words(heading: impl Into<String>) -> Self {
        Self {
            heading: heading.into(),
            meaning: String::new(),
            numbers: false,
        }
    }

    /// A column of numbers.
    pub fn numbers(heading: impl Into<String>) -> Self {
        Self {
            numbers: true,
            ..Self::words(heading)
        }
    }

    /// The column with this meaning.
    pub fn meaning(self, meaning: impl Into<String>) -> Self {
        Self {
            meaning: meaning.into(),
            ..self
        }
    }
}

/// A table of text cells.
#[derive(Debug, Clone)]
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<Markup>>,
}

/// Text with more characters than this is wrapped.
const LONG: usize = 48;
/// The same in a table with more than [`WIDE`] columns: its text is smaller.
const LONG_IN_WIDE: usize = 20;
/// A table with more columns has little room for each.
pub(crate) const WIDE: usize = 8;

impl Table {
    /// A table without rows.
    pub fn new(columns: impl IntoIterator<Item = Column>) -> Self {
        Self {
            columns: columns.into_iter().collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row of text.
    pub fn push<C: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = C>) {
        self.rows
            .push(cells.into_iter().map(|cell| with_code(cell.as_ref())).collect());
    }

    /// Adds a row of markup.
    pub fn push_markup(&mut self, cells: impl IntoIterator<Item = Markup>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table as markup.
    pub fn markup(&self) -> Markup {
        let is_wide = self.columns.len() > WIDE;
        let long = if is_wide { LONG_IN_WIDE } else { LONG };
        html! {
            div.scroll {
                table.wide[is_wide] {
                    thead {
                        tr {
                            @for column in &self.columns {
                                th.number[column.numbers] scope="col" title=[(!column.meaning.is_empty()).then(|| column.meaning.replace('`', ""))] {
                                    (printable(&column.heading))
                                }
                            }
                        }
                    }
                    tbody {
                        @for row in &self.rows {
                            tr {
                                @for (column, cell) in self.columns.iter().zip(row) {
                                    td.number[column.numbers].long[cell.0.chars().count() > long] { (cell) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A text in which the words between backticks are code.
pub fn with_code(text: &str) -> Markup {
    let text = printable(text);
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return html! { (text) };
    }
    html! {
        @for (index, part) in parts.iter().enumerate() {
            @if index % 2 == 0 { (part) } @else { code { (part) } }
        }
    }
}

/// A text from a file, safe for a page: control characters and marks of text direction become `�`.
pub fn printable(text: &str) -> String {
    text.chars()
        .map(|letter| {
            if is_unprintable(letter) && letter != '\n' {
                '\u{fffd}'
            } else {
                letter
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_between_backticks_are_code() {
        assert_eq!(
            with_code("`lmrlab show <x>` says why").0,
            "<code>lmrlab show &lt;x&gt;</code> says why"
        );
        assert_eq!(with_code("one ` is a letter").0, "one ` is a letter");
        let mut table = Table::new([Column::words("A").meaning("`reduction` is the policy")]);
        table.push(["`great`"]);
        let markup = table.markup().0;
        assert!(markup.contains("><code>great</code></td>"), "{markup}");
        assert!(markup.contains("title=\"reduction is the policy\""), "{markup}");
    }
}
