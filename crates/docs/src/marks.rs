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
        cited: Vec::new(),
    };
    let mut lines = text.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        let at = |error: String| format!("{}: {error}", index + 1);
        let mut cite = |words: &[String]| {
            let files = table::files(words).map(|file| (index + 1, file.to_owned()));
            page.cited.extend(files);
        };
        if let Some(words) = mark(line, DATA) {
            let words = split(words).map_err(at)?;
            cite(&words);
            page.text += &format!("{line}\n");
            page.text += &block(&words, published).map_err(at)?;
            if !lines.by_ref().any(|(_, line)| line == END) {
                return Err(at(format!("no `{END}` follows")));
            }
            page.text += &format!("{END}\n");
        } else if let Some(words) = mark(line, READS) {
            let (words, old) = words.rsplit_once(": ").ok_or_else(|| at("no `: NUMBER`".to_owned()))?;
            let source = split(words).map_err(at)?;
            cite(&source);
            let new = table::value(&source, published).map_err(at)?;
            if is_to_be_reviewed(old, &new) {
                page.reviews
                    .push(format!("{}: {old} is {new} now: the paragraph below", index + 1));
            }
            page.text += &format!("{READS}{words}: {new}{CLOSE}\n");
        } else {
            let mut parts = line.split(VALUE);
            let mut made = parts.next().unwrap_or_default().to_owned();
            for part in parts {
                let lacking = || at("a mark has no end".to_owned());
                let (words, rest) = part.split_once(CLOSE).ok_or_else(lacking)?;
                let (old, rest) = rest.split_once(VALUE_END).ok_or_else(lacking)?;
                let source = split(words).map_err(at)?;
                cite(&source);
                let new = table::value(&source, published).map_err(at)?;
                if is_to_be_reviewed(old, &new) {
                    let sentence = format!("{}: {old} is {new} now: {line}", index + 1);
                    page.reviews.push(sentence);
                }
                made += &format!("{VALUE}{words}{CLOSE}{new}{VALUE_END}{rest}");
            }
            page.text += &format!("{made}\n");
        }
    }
    Ok(page)
}

fn mark<'l>(line: &'l str, start: &str) -> Option<&'l str> {
    line.strip_prefix(start)?.strip_suffix(CLOSE)
}

fn split(words: &str) -> Result<Vec<String>, String> {
    shlex::split(words).ok_or_else(|| format!("`{words}` has a quote without its end"))
}

fn block(words: &[String], published: &Published) -> Result<String, String> {
    match words.split_first() {
        Some((kind, words)) if kind == "table" => table::table(words, published),
        Some((kind, [])) if kind == "published" => published.list(),
        _ => Err("after `data:` comes `table WORDS` or `published`".to_owned()),
    }
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
}
