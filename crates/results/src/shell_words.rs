//! A command line as text.

/// The words as they would be typed in a shell.
pub fn shell_words(words: &[String]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+,:@%".contains(c);
    words
        .iter()
        .map(|word| {
            if !word.is_empty() && word.chars().all(plain) {
                word.clone()
            } else {
                format!("'{}'", word.replace('\'', r"'\''"))
            }
        })
        .collect::<Vec<_>>()
        .join(" ")
}

/// The words of a command line that this program recorded.
pub fn words_of(text: &str) -> Vec<String> {
    shlex::split(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_a_shell_would_split_are_quoted() {
        let words = ["lmrlab", "match", "a b", "it's", "", "x@y=2.0"].map(str::to_owned);
        assert_eq!(words_of(&shell_words(&words)), words);
        assert_eq!(shell_words(&words), r"lmrlab match 'a b' 'it'\''s' '' x@y=2.0");
    }
}
