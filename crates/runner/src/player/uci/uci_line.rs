//! Lines of UCI text: parsing them, and quoting them in messages.

/// What follows `word` in a line that begins with it; `None` for other lines.
pub(super) fn after<'l>(line: &'l [u8], word: &str) -> Option<&'l [u8]> {
    let rest = line.strip_prefix(word.as_bytes())?;
    match rest.first() {
        None => Some(rest),
        Some(b' ' | b'\t') => Some(rest.trim_ascii_start()),
        Some(_) => None,
    }
}

/// A word as a number; `None` for anything else.
pub(super) fn number<N: std::str::FromStr>(word: Option<&[u8]>) -> Option<N> {
    std::str::from_utf8(word?).ok()?.parse().ok()
}

/// An engine's text for a message: one line, at most 100 characters.
pub(super) fn printable(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(400)]);
    text.trim()
        .chars()
        .take(100)
        .map(|c| if c.is_control() { '?' } else { c })
        .collect()
}

/// [`printable`] in backquotes.
pub(super) fn quoted(bytes: &[u8]) -> String {
    format!("`{}`", printable(bytes))
}
