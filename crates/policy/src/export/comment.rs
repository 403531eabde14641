//! Comments of an exported file.

use super::Language;

/// The widest line of a comment.
const WIDTH: usize = 116;

/// Appends a text as line comments, wrapped and indented. Line breaks of the text remain.
pub(super) fn write(out: &mut String, indent: &str, text: &str) {
    write_after(out, &format!("{indent}//"), text);
}

/// As [`write`], for the comment before an item: documentation in Rust.
pub(super) fn document(out: &mut String, language: Language, indent: &str, text: &str) {
    let slashes = language.pick("//", "///");
    write_after(out, &format!("{indent}{slashes}"), text);
}

fn write_after(out: &mut String, start: &str, text: &str) {
    for line in text.lines() {
        let line = harmless(line);
        let inner = &line[..line.len() - line.trim_start().len()];
        let mut current = start.to_owned();
        let mut empty = true;
        for word in line.split_whitespace() {
            let length = current.chars().count() + 1 + word.chars().count();
            if !empty && length > WIDTH {
                finish(out, &mut current);
                start.clone_into(&mut current);
                // A continued line is indented a little further than the first one.
                current.push_str(inner);
                if !inner.is_empty() {
                    current.push_str("  ");
                }
            } else if empty {
                current.push_str(inner);
            }
            current.push(' ');
            current.push_str(word);
            empty = false;
        }
        finish(out, &mut current);
    }
}

/// Ends a line. A backslash or its trigraph at the end would join the next line to the comment, so a full stop follows
/// it.
fn finish(out: &mut String, line: &mut String) {
    if line.ends_with('\\') || line.ends_with("??/") {
        line.push('.');
    }
    out.push_str(line);
    out.push('\n');
}

/// Replaces control characters, and characters that change the direction of text: they could hide code.
fn harmless(line: &str) -> String {
    line.chars()
        .map(|c| match c {
            '\t' => ' ',
            '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '?',
            '\u{2028}' | '\u{2029}' => ' ',
            c if c.is_control() => '?',
            c => c,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_escapes_from_a_comment() {
        let mut text = String::new();
        write(&mut text, "  ", "ends with \\\nand ??/\n\u{202e}turned\u{7}");
        assert_eq!(text, "  // ends with \\.\n  // and ??/.\n  // ?turned?\n");
    }

    #[test]
    fn long_lines_are_wrapped_and_keep_their_indentation() {
        let mut text = String::new();
        write(&mut text, "", &format!("  {}", "word ".repeat(40)));
        assert!(text.lines().count() == 2 && text.lines().all(|line| line.chars().count() <= WIDTH));
        assert!(text.starts_with("//   word") && text.lines().nth(1).unwrap().starts_with("//     word"));
    }
}
