//! Suggestions for misspelt names.

/// The candidate nearest to a misspelt `word`; `None` when no candidate is near.
///
/// A candidate is near in three cases: at most a third of the letters of the longer word differ; one word contains the
/// other; or both begin with the same letters, at least half of them. Case does not count, and `-` equals `_`.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = word.to_lowercase().replace('-', "_");
    candidates
        .into_iter()
        .filter_map(|candidate| {
            let other = candidate.to_lowercase().replace('-', "_");
            let length = folded.chars().count().max(other.chars().count());
            let limit = length / 3;
            let same = folded.chars().zip(other.chars()).take_while(|(x, y)| x == y);
            let begins_alike = 2 * same.count() >= length;
            let contains = other.contains(&folded) || folded.contains(&other);
            let long = other.len() > 3 && folded.len() > 3;
            let letters = strsim::damerau_levenshtein(&folded, &other);
            let distance = match long && (contains || begins_alike) {
                true => letters.min(1),
                false => letters,
            };
            let rank = (distance, !(long && contains), letters);
            (distance <= limit).then_some((rank, candidate))
        })
        .min_by_key(|(rank, _)| *rank)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    const NAMES: [&str; 9] = [
        "phase",
        "see",
        "pv",
        "ln",
        "depth",
        "history",
        "capture_history",
        "moves_searched",
        "rebel-advanced",
    ];

    #[test]
    fn names_at_most_a_third_of_whose_letters_differ() {
        for (word, meant) in [
            ("base", None),
            ("x", None),
            ("pc", None),
            ("log", None),
            ("eval", None),
            ("historical", Some("history")),
            ("sea", Some("see")),
            ("dpeth", Some("depth")),
            ("Depth", Some("depth")),
            ("dept", Some("depth")),
            ("PV", Some("pv")),
            ("histroy", Some("history")),
            ("move_searchd", Some("moves_searched")),
            ("searched", Some("moves_searched")),
            ("rebel_advanced", Some("rebel-advanced")),
            ("rebel-advnaced", Some("rebel-advanced")),
        ] {
            assert_eq!(nearest(word, NAMES), meant, "{word}");
        }
    }
}
