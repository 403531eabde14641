//! The name that a misspelt one was probably meant to be. A simpler rule than that of lmrlab-diagnostics: engines compile this crate without others.

/// The most similar of the names; `None` when none is similar.
pub fn nearest<'n>(wrong: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    if wrong.len() > 64 {
        return None;
    }
    let most = 1 + wrong.len() / 3;
    let near = names.map(|name| (distance(wrong, name), name));
    let (distance, name) = near.min_by_key(|(distance, _)| *distance)?;
    (distance <= most).then_some(name)
}

/// A clause that names the most similar name, or all of them.
pub fn advice<'n>(wrong: &str, names: impl Iterator<Item = &'n str> + Clone, kind: &str) -> String {
    match nearest(wrong, names.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => match names.collect::<Vec<_>>().join(", ") {
            none if none.is_empty() => format!("there are no {kind}"),
            all => format!("the {kind} are: {all}"),
        },
    }
}

/// The least number of bytes to insert, remove or replace.
fn distance(one: &str, two: &str) -> usize {
    let mut row: Vec<usize> = (0..=two.len()).collect();
    for (i, a) in one.bytes().enumerate() {
        let mut above_left = i;
        let mut left = i + 1;
        for (cell, b) in row.iter_mut().skip(1).zip(two.bytes()) {
            let above = *cell;
            left = (above_left + usize::from(a != b)).min(above + 1).min(left + 1);
            above_left = above;
            *cell = left;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_counts_changes() {
        for (one, two, expected) in [
            ("", "abc", 3),
            ("depth", "depht", 2),
            ("see", "see", 0),
            ("pv", "tt_pv", 3),
        ] {
            assert_eq!(distance(one, two), expected);
            assert_eq!(distance(two, one), expected);
        }
        assert_eq!(nearest("dept", ["ply", "depth"].into_iter()), Some("depth"));
        assert_eq!(nearest("zugzwang", ["ply", "depth"].into_iter()), None);
    }
}
