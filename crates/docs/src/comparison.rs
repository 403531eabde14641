//! Compares shown output with real output.

/// The line of a document that stands for any lines.
pub const ANY_LINES: &str = "...";

/// Whether the real lines are the shown ones. A shown line `...` stands for any lines.
pub fn is_as_shown(shown: &[&str], real: &[&str]) -> bool {
    match shown.split_first() {
        None => real.is_empty(),
        Some((&ANY_LINES, rest)) => {
            (0..=real.len()).any(|from| real.get(from..).is_some_and(|real| is_as_shown(rest, real)))
        }
        Some((line, rest)) => {
            (real.split_first()).is_some_and(|(first, real)| first == line && is_as_shown(rest, real))
        }
    }
}

/// The words of a line that are not numbers.
pub fn shape(line: &str) -> String {
    let is_number = |word: &&str| {
        let digits = word.trim_matches(|c: char| "+-±<>%()[],:;∞#~x.".contains(c));
        digits.is_empty() || digits.parse::<f64>().is_ok()
    };
    let words: Vec<&str> = line.split_whitespace().filter(|word| !is_number(word)).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_stand_for_any_lines() {
        let real = ["one", "two", "three", "four"];
        for shown in [
            &real[..],
            &["one", "...", "four"],
            &["...", "three", "..."],
            &["one", "..."],
            &["...", "four"],
        ] {
            assert!(is_as_shown(shown, &real), "{shown:?}");
        }
        for shown in [
            &["one"][..],
            &["two", "..."],
            &["one", "...", "three"],
            &["one", "...", "five"],
        ] {
            assert!(!is_as_shown(shown, &real), "{shown:?}");
        }
        assert_eq!(shape("   1  a-2  +3.5 ± 2.0"), shape(" 2 a-2 -9 ± -"));
        assert_ne!(shape("1 a-2 0"), shape("1 a-3 0"));
    }
}
