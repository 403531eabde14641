//! A hint for lists of numbers that are typed with spaces between them: `--sprt 0 5` in place of `--sprt 0,5`.

/// The options that take such a list.
const LISTS: [&str; 5] = ["--sprt", "--bounds", "--pentanomial", "--wdl", "--true-elo"];

/// How the first such list among the words of a command is written; `None` when there is none.
pub(crate) fn with_commas(words: &[String]) -> Option<String> {
    let number = |word: &str| {
        let bare = word.trim_matches(['[', ']', ',']);
        bare.split(',')
            .all(|part| part.trim().parse::<f64>().is_ok())
            .then(|| bare.to_owned())
    };
    words.iter().enumerate().find_map(|(index, word)| {
        let (option, joined) = match word.split_once('=') {
            Some((option, value)) => (option, Some(value)),
            None => (word.as_str(), None),
        };
        let following = words[index + 1..].iter().map(String::as_str);
        let numbers: Vec<String> = joined.into_iter().chain(following).map_while(number).collect();
        let is_spaced = LISTS.contains(&option) && numbers.len() > 1;
        is_spaced.then(|| format!("{option} {}", numbers.join(",")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_become_commas() {
        for (typed, expected) in [
            ("match a b --sprt 0 5 --tc 1+0.1", Some("--sprt 0,5")),
            ("match a b --sprt -1.75, 0.25", Some("--sprt -1.75,0.25")),
            ("sprt --bounds=0 2", Some("--bounds 0,2")),
            (
                "sprt --pentanomial [1, 2, 3, 4, 5] --bounds 0,5",
                Some("--pentanomial 1,2,3,4,5"),
            ),
            ("match a b --sprt 0,5 --pairs 5", None),
            ("match a b --pairs 5 6", None),
            ("sprt --bounds", None),
        ] {
            let words: Vec<String> = typed.split(' ').map(str::to_owned).collect();
            assert_eq!(with_commas(&words).as_deref(), expected, "{typed}");
        }
    }
}
