//! Tables of a page. A click on a heading sorts a table, if the browser runs scripts.

use maud::{Markup, html};

use crate::visible::is_unprintable;

/// The heading of a column.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Heading<'h> {
    /// Its text.
    pub(crate) text: &'h str,
    /// Its meaning, shown when the mouse is over it; may be empty.
    pub(crate) meaning: &'h str,
    /// Whether the column holds numbers.
    pub(crate) is_of_numbers: bool,
}

/// Text with more characters than this is wrapped.
const LONG: usize = 48;

/// The same in a table with more than [`WIDE`] columns: its text is smaller.
const LONG_IN_WIDE: usize = 20;

/// A table with more columns has little room for each.
pub(crate) const WIDE: usize = 8;

/// A table with these cells.
pub(crate) fn table(headings: &[Heading<'_>], rows: &[Vec<Markup>]) -> Markup {
    let is_wide = headings.len() > WIDE;
    let long = if is_wide { LONG_IN_WIDE } else { LONG };
    html! {
        div.scroll {
            table.wide[is_wide] {
                thead {
                    tr {
                        @for heading in headings {
                            th.number[heading.is_of_numbers] scope="col" title=[(!heading.meaning.is_empty()).then(|| heading.meaning.replace('`', ""))] {
                                (printable(heading.text))
                            }
                        }
                    }
                }
                tbody {
                    @for row in rows {
                        tr {
                            @for (heading, cell) in headings.iter().zip(row) {
                                td.number[heading.is_of_numbers].long[cell.0.chars().count() > long] { (cell) }
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
        let heading = Heading {
            text: "A",
            meaning: "`reduction` is the policy",
            is_of_numbers: false,
        };
        let markup = table(&[heading], &[vec![with_code("`great`")]]).0;
        assert!(markup.contains("><code>great</code></td>"), "{markup}");
        assert!(markup.contains("title=\"reduction is the policy\""), "{markup}");
    }
}
