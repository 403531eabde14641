//! Tags of a PGN, such as `[White "Kasparov, G"]`, and their values.

use std::ops::Range;

use memchr::{memchr, memchr_iter};

use crate::text_file::decoded;

/// A tag, with positions relative to its bracket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bracket {
    pub(super) name: Range<usize>,
    /// `None` without a value in quotes. Then the rest of the line belongs to the tag.
    pub(super) value: Option<Range<usize>>,
    pub(super) length: usize,
}

/// Reads the tag at the beginning of a text; `None` when the bracket has no name behind it.
pub(super) fn bracket(text: &[u8]) -> Option<Bracket> {
    let blanks = |from: usize| {
        let blanks = text[from..].iter().take_while(|byte| byte.is_ascii_whitespace());
        from + blanks.count()
    };
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_');
    let start = blanks(1);
    let name = start..start + text[start..].iter().take_while(is_name).count();
    if name.is_empty() {
        return None;
    }
    let end_of_line = |from: usize| memchr(b'\n', &text[from..]).map_or(text.len(), |end| from + end);
    let open = blanks(name.end);
    if text.get(open) == Some(&b'"') {
        let line = open + 1..end_of_line(open);
        if let Some((value, behind)) = value(&text[line.clone()]) {
            return Some(Bracket {
                name,
                value: Some(line.start..line.start + value),
                length: line.start + behind,
            });
        }
    }
    Some(Bracket {
        length: end_of_line(name.start),
        name,
        value: None,
    })
}

/// The length of the value at the beginning of the rest of a line, and the length up to the end of its bracket.
/// Quotes inside a value should be escaped, but many programs do not escape them. So a value ends at the last quote
/// before a bracket, as in python-chess. A backslash at the end of such a value escapes no quote.
fn value(line: &[u8]) -> Option<(usize, usize)> {
    let bracket_behind = |quote: usize| {
        let rest = &line[quote + 1..];
        let blanks = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        (rest.get(blanks) == Some(&b']')).then_some(quote + blanks + 2)
    };
    let is_escaped = |quote: usize| line[..quote].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1;
    let first = memchr_iter(b'"', line).find(|&quote| !is_escaped(quote));
    let well_formed = first.filter(|&quote| bracket_behind(quote).is_some());
    let mut found: Option<(usize, usize)> = None;
    for quote in memchr_iter(b'"', line).filter(|&quote| well_formed.is_none_or(|first| quote >= first)) {
        let Some(behind) = bracket_behind(quote) else {
            continue;
        };
        // The next tag of the line begins before this quote.
        if found.is_some_and(|(_, end)| memchr(b'[', &line[end..quote]).is_some()) {
            break;
        }
        found = Some((quote, behind));
    }
    // The bracket may be missing, or stand in the next line.
    found.or_else(|| {
        let quote = line.trim_ascii_end().len().checked_sub(1)?;
        (first == Some(quote)).then_some((quote, quote + 1))
    })
}

/// A value with its escapes resolved, as text. Only quotes and backslashes can be escaped.
pub fn unescaped(value: &[u8]) -> String {
    let text = decoded(value);
    if memchr(b'\\', value).is_none() {
        return text;
    }
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let escaped = characters.next_if(|&next| character == '\\' && matches!(next, '"' | '\\'));
        plain.push(escaped.unwrap_or(character));
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> String {
        match bracket(line.as_bytes()) {
            Some(Bracket {
                name,
                value: Some(value),
                length,
            }) => {
                let value = unescaped(line[value].as_bytes());
                format!("{}={value}|{}", &line[name], &line[length..])
            }
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn values_end_at_the_last_quote_before_the_bracket() {
        for (line, expected) in [
            (r#"[White "A \"B\" \\ C"] rest"#, r#"White=A "B" \ C| rest"#),
            (r#"[White "Kurt "The Engine" A"]"#, r#"White=Kurt "The Engine" A|"#),
            (r#"[White "A "x"] B"]"#, r#"White=A "x"] B|"#),
            (
                r#"[White "A"][Black "B"] [Round "1"]"#,
                r#"White=A|[Black "B"] [Round "1"]"#,
            ),
            (r#"[White "A "x" y"] [Black "B"]"#, r#"White=A "x" y| [Black "B"]"#),
            (r#"[Site "x \"] [y"]"#, r#"Site=x "] [y|"#),
            (r#"[Site "C:\chess\"]"#, r"Site=C:\chess\|"),
            (r#"[Site "Level 6\"] [White "A"]"#, r#"Site=Level 6\| [White "A"]"#),
            (r#"[ Site	"" ] "#, r"Site=| "),
            (r#"[Site""]"#, r"Site=|"),
            (r#"[White "A" "#, r"White=A| "),
        ] {
            assert_eq!(read(line), expected, "{line}");
        }
    }

    #[test]
    fn what_is_no_tag() {
        for line in [
            r#"[White "open"#,
            r#"[White "open\""#,
            r#"[White open"]"#,
            r#"[White "A" x"#,
        ] {
            let broken = Bracket {
                name: 1..6,
                value: None,
                length: line.len(),
            };
            assert_eq!(bracket(line.as_bytes()), Some(broken), "{line}");
        }
        assert_eq!(bracket(b"[%clk 1]"), None);
        assert_eq!(bracket(b"["), None);
    }
}
