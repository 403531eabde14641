//! Marks of a page: comments of Markdown that name the source of a table or a number.
//!
//! - `<!-- data: table WORDS -->`, lines, `<!-- end -->`: a table ([`super::table`]). `<!-- data: published -->` is the list of
//!   published runs.
//! - `<!-- = FORMAT WORDS -->+184 ± 29<!-- / -->`: a number in a sentence.
//! - `<!-- reads FORMAT WORDS: +184 ± 29 -->` before a paragraph: the number that the paragraph interprets without
//!   showing it.
//!
//! A sentence must be reviewed when its number changes its sign, or leaves the interval that it had before. A sentence
//! about a number without an interval must be reviewed when the number changes.

use super::Page;
use super::published::Published;
use super::table;

const DATA: &str = "<!-- data: ";
const END: &str = "<!-- end -->";
const READS: &str = "<!-- reads ";
const VALUE: &str = "<!-- = ";
const VALUE_END: &str = "<!-- / -->";
const CLOSE: &str = " -->";

/// A page with its tables and numbers, filled in from the published results.
///
/// # Errors
/// When a mark cannot be read, or names something that does not exist. The message has the line.
pub fn filled_in(text: &str, published: &Published) -> Result<Page, String> {
    let mut page = Page {
        text: String::new(),
        reviews: Vec::new(),
    };
    let mut lines = text.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        let at = |error: String| format!("{}: {error}", index + 1);
        if let Some(words) = mark(line, DATA) {
            page.text += &format!("{line}\n");
            page.text += &block(words, published).map_err(at)?;
            if !lines.by_ref().any(|(_, line)| line == END) {
                return Err(at(format!("no `{END}` follows")));
            }
            page.text += &format!("{END}\n");
        } else if let Some(words) = mark(line, READS) {
            let (words, old) = words.rsplit_once(": ").ok_or_else(|| at("no `: NUMBER`".to_owned()))?;
            let new = value(words, published).map_err(at)?;
            if is_to_be_reviewed(old, &new) {
                page.reviews
                    .push(format!("{}: {old} is {new} now: the paragraph below", index + 1));
            }
            page.text += &format!("{READS}{words}: {new}{CLOSE}\n");
        } else {
            let (line, changes) = with_values(line, published).map_err(at)?;
            if !changes.is_empty() {
                page.reviews.push(format!(
                    "{}: {}: {}",
                    index + 1,
                    changes.join(", "),
                    without_marks(&line)
                ));
            }
            page.text += &format!("{line}\n");
        }
    }
    Ok(page)
}

/// The words of every mark of a page, with the number of its line from 1.
///
/// # Errors
/// When a mark is not closed. The message has the line.
pub fn words(text: &str) -> Result<Vec<(usize, Vec<String>)>, String> {
    let mut all = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let at = |error: String| format!("{}: {error}", index + 1);
        if let Some(words) = mark(line, DATA) {
            all.push((index + 1, split(words).map_err(at)?));
        } else if let Some(words) = mark(line, READS) {
            let words = words.rsplit_once(": ").map_or(words, |(words, _)| words);
            all.push((index + 1, split(words).map_err(at)?));
        }
        for part in line.split(VALUE).skip(1) {
            let (words, _) = part
                .split_once(CLOSE)
                .ok_or_else(|| at("a mark is not closed".to_owned()))?;
            all.push((index + 1, split(words).map_err(at)?));
        }
    }
    Ok(all)
}

fn mark<'l>(line: &'l str, start: &str) -> Option<&'l str> {
    line.strip_prefix(start)?.strip_suffix(CLOSE)
}

fn split(words: &str) -> Result<Vec<String>, String> {
    shlex::split(words).ok_or_else(|| format!("`{words}` has a quote without its end"))
}

fn block(words: &str, published: &Published) -> Result<String, String> {
    let words = split(words)?;
    match words.split_first() {
        Some((kind, words)) if kind == "table" => table::table(words, published),
        Some((kind, [])) if kind == "published" => published.list(),
        _ => Err("after `data:` comes `table WORDS` or `published`".to_owned()),
    }
}

fn value(words: &str, published: &Published) -> Result<String, String> {
    table::value(&split(words)?, published)
}

/// A line with its numbers filled in, and the changes that must be reviewed.
fn with_values(line: &str, published: &Published) -> Result<(String, Vec<String>), String> {
    let mut changes = Vec::new();
    let mut parts = line.split(VALUE);
    let mut made = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let lacking = || "a mark has no end".to_owned();
        let (words, rest) = part.split_once(CLOSE).ok_or_else(lacking)?;
        let (old, rest) = rest.split_once(VALUE_END).ok_or_else(lacking)?;
        let new = value(words, published)?;
        if is_to_be_reviewed(old, &new) {
            changes.push(format!("{old} is {new} now"));
        }
        made += &format!("{VALUE}{words}{CLOSE}{new}{VALUE_END}{rest}");
    }
    Ok((made, changes))
}

/// A line without its marks, as a reader sees it.
fn without_marks(line: &str) -> String {
    let mut parts = line.split("<!--");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |seen, part| {
        seen + part.split_once("-->").map_or("", |(_, after)| after)
    })
}

/// Whether this change of a number may make its sentence wrong.
fn is_to_be_reviewed(old: &str, new: &str) -> bool {
    let estimate = |text: &str| -> Option<(f64, f64)> {
        let (value, error) = text.split_once(" ± ")?;
        Some((value.parse().ok()?, error.parse().ok()?))
    };
    match (estimate(old), estimate(new)) {
        (Some((before, error)), Some((now, _))) => {
            before.is_sign_negative() != now.is_sign_negative() || (now - before).abs() > error
        }
        _ => old != new,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_reviewed_when_a_number_says_something_else() {
        for (old, new, expected) in [
            ("+18 ± 10", "+9 ± 10", false),
            ("+18 ± 10", "+7 ± 10", true),
            ("+3 ± 10", "-2 ± 10", true),
            ("12", "12", false),
            ("12", "13", true),
            ("?", "+18 ± 10", true),
        ] {
            assert_eq!(is_to_be_reviewed(old, new), expected, "{old} {new}");
        }
    }

    #[test]
    fn a_review_shows_a_line_without_marks() {
        assert_eq!(
            without_marks("at <!-- = elo a.csv -->+1 ± 2<!-- / --> Elo"),
            "at +1 ± 2 Elo"
        );
    }

    #[test]
    fn marks_are_found() {
        let text = "<!-- data: table a/b.csv 'won, drawn=w, d' -->\n<!-- end -->\nat <!-- = elo~e a.csv -->+1 ± 2<!-- / -->.\n\
                    <!-- reads elo~e c.csv: -1 ± 2 -->\n";
        let found = words(text).unwrap();
        let found: Vec<(usize, &str)> = found
            .iter()
            .map(|(line, words)| (*line, words[words.len() - 1].as_str()))
            .collect();
        assert_eq!(found, [(1, "won, drawn=w, d"), (3, "a.csv"), (4, "c.csv")]);
    }
}
