//! Templates of texts, with conditions and values.

/// A template with its values. A line that begins with words and `?` is written when one of these words holds. `{key}` stands
/// for a value.
pub(super) fn filled(template: &str, holds: &[&str], values: &[(&str, String)]) -> String {
    let mut text = String::new();
    for line in template.lines() {
        let line = match line.split_once('?') {
            Some((words, line)) if words.split(' ').any(|word| holds.contains(&word)) => line,
            Some(_) => continue,
            None => line,
        };
        let fill = |line: String, (key, value): &(&str, String)| line.replace(&format!("{{{key}}}"), value);
        text += &values.iter().fold(line.to_owned(), fill);
        text.push('\n');
    }
    text
}
