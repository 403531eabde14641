//! Marks of a page: comments of Markdown that name the source of a table or a number.
//!
//! - `<!-- data: table WORDS -->`, lines, `<!-- end -->`: a table ([`super::table`]). `<!-- data: published -->` is the list of
//!   published runs.
//! - `<!-- = FORMAT WORDS -->+184 ± 29<!-- / -->`: a number in a sentence.

use super::Page;
use super::published::Published;
use super::table;

const DATA: &str = "<!-- data: ";
const END: &str = "<!-- end -->";
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
        } else {
            let mut parts = line.split(VALUE);
            let mut made = parts.next().unwrap_or_default().to_owned();
            for part in parts {
                let lacking = || at("a mark has no end".to_owned());
                let (words, rest) = part.split_once(CLOSE).ok_or_else(lacking)?;
                let (_, rest) = rest.split_once(VALUE_END).ok_or_else(lacking)?;
                let source = split(words).map_err(at)?;
                cite(&source);
                let new = table::value(&source, published).map_err(at)?;
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
