//! Compares shown output with real output.

/// The line of a document that stands for any lines.
pub const ANY_LINES: &str = "...";

/// The difference between the real output and the shown one. `None` when they are the same, or when no output is shown.
pub fn differs_to_the_letter(shown: &str, real: &str) -> Option<String> {
    differs(shown, real, |shown, real| {
        let [shown, real]: [Vec<&str>; 2] = [shown, real].map(|text| text.lines().map(str::trim_end).collect());
        if is_as_shown(&shown, &real) {
            return None;
        }
        let strange = shown.iter().find(|line| **line != ANY_LINES && !real.contains(line));
        Some(strange.map_or_else(
            || "some lines are missing, or in another order".to_owned(),
            |line| format!("shown, and not printed: `{line}`"),
        ))
    })
}

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

/// The difference between the shapes of the lines; `None` when they are the same.
pub fn differs_in_shape(shown: &str, real: &str) -> Option<String> {
    differs(shown, real, |shown, real| {
        let mut left: Vec<String> = real.lines().map(shape).collect();
        for line in shown.lines().filter(|line| *line != ANY_LINES) {
            let Some(place) = left.iter().position(|left| *left == shape(line)) else {
                return Some(format!("no line like `{line}`"));
            };
            left.swap_remove(place);
        }
        let more = !shown.lines().any(|line| line == ANY_LINES) && !left.is_empty();
        more.then(|| format!("not shown: {left:?}"))
    })
}

/// Compares, unless no output is shown.
fn differs(shown: &str, real: &str, difference: impl Fn(&str, &str) -> Option<String>) -> Option<String> {
    if shown.is_empty() {
        return None;
    }
    difference(shown, real).map(|difference| format!("{difference}\nthe real output:\n{real}"))
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
    fn to_the_letter() {
        let real = "one\ntwo\nthree\nfour\n";
        for shown in [
            "",
            real,
            "one\n...\nfour\n",
            "...\nthree\n...\n",
            "one\n...\n",
            "...\nfour\n",
        ] {
            assert_eq!(differs_to_the_letter(shown, real), None, "{shown}");
        }
        for shown in [
            "one\n",
            "two\n...\n",
            "one\n...\nthree\n",
            "...\nthree\n",
            "one\n...\nfive\n",
            "one\ntwo\nthree\nfour\nfive\n",
        ] {
            assert!(differs_to_the_letter(shown, real).is_some(), "{shown}");
        }
    }

    #[test]
    fn shapes() {
        let real = "Rank  Engine  Elo\n   1  a-2  +3.5 ± 2.0\n   2  b  -3.5 ± 2.0\n";
        assert_eq!(
            differs_in_shape("Rank  Engine  Elo\n 1  b  +9 ± -\n 2  a-2  -9 ± -\n", real),
            None
        );
        assert_eq!(differs_in_shape("Rank Engine Elo\n...\n", real), None);
        for shown in [
            "Rank Engine\n...\n",
            "Rank Engine Elo\n 1 a-2 0\n",
            "1 a-3 0\n...\n",
            "1 b 0\n1 b 0\n...\n",
        ] {
            assert!(differs_in_shape(shown, real).is_some(), "{shown}");
        }
    }
}
