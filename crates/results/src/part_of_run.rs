//! The tables of a manifest for a folder that has only a part of a run, and for a run that was merged from parts.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// The part of a run in a folder of its own. It can be played on any machine and merged with the other parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartOfRun {
    /// Its number, from 1.
    pub number: u64,
    /// How many parts there are; `None` when that is decided during the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<u64>,
    /// The bench fingerprint of the search that is to play it: the nodes of `lmrlab-engine bench`.
    pub bench: u64,
    /// The SHA-256 of the file with its tasks.
    pub tasks_sha256: String,
}

impl PartOfRun {
    /// The places of its pairs in the schedule of a run with `pairs` pairs; `None` when only its tasks say which pairs
    /// it has.
    pub fn block(&self, pairs: u64) -> Option<Range<u64>> {
        self.of.map(|of| block(self.number, of, pairs))
    }

    /// The part in words.
    pub fn name(&self) -> String {
        match self.of {
            Some(of) => format!("part {} of {of}", self.number),
            None => format!("part {}", self.number),
        }
    }
}

/// The places of the pairs of part `number` (from 1) when `pairs` pairs are cut into `of` parts. Parts follow each other, and
/// their sizes differ by at most one.
pub fn block(number: u64, of: u64, pairs: u64) -> Range<u64> {
    let end_of = |parts: u64| {
        let end = u128::from(parts) * u128::from(pairs) / u128::from(of.max(1));
        u64::try_from(end).unwrap_or(u64::MAX).min(pairs)
    };
    end_of(number.saturating_sub(1))..end_of(number)
}

/// The parts from which a run was merged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Merged {
    /// How many parts the run was cut into.
    pub parts: u64,
    /// The parts that are missing, from 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<u64>,
    /// Those that were not played to their end, from 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unfinished: Vec<u64>,
    /// The pairs that are therefore missing from the run: the first and the last of each range, from 1, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<[u64; 2]>,
}

impl Merged {
    /// The ranges of the schedule that are left out, from 0.
    pub fn left_out(&self) -> Vec<Range<u64>> {
        let stretches = self.left_out.iter();
        stretches.map(|[first, last]| first.saturating_sub(1)..*last).collect()
    }

    /// What is missing, in a sentence; `None` when nothing is.
    pub fn note(&self) -> Option<String> {
        if self.left_out.is_empty() {
            return None;
        }
        let some = |numbers: &[u64], what: &str| match numbers {
            [] => None,
            [number] => Some(format!("{number} is {what}")),
            numbers => Some(format!("{} are {what}", in_words(numbers))),
        };
        let why = [some(&self.missing, "missing"), some(&self.unfinished, "not finished")];
        let why: Vec<String> = why.into_iter().flatten().collect();
        let pairs = self
            .left_out()
            .into_iter()
            .map(|stretch| stretch.end.saturating_sub(stretch.start));
        Some(format!(
            "This is not the whole run: of its {} parts, {}; {} pairs are left out.",
            self.parts,
            why.join(" and "),
            pairs.sum::<u64>()
        ))
    }
}

/// Numbers in their order as words, with neighbours as a range: `2, 5 to 7`. At most a dozen ranges.
pub fn in_words(numbers: &[u64]) -> String {
    const MOST: usize = 12;
    let ranges = ranges(numbers.iter().copied());
    let words = ranges.iter().take(MOST).map(|[first, last]| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first} to {last}"),
    });
    let mut words: Vec<String> = words.collect();
    if ranges.len() > MOST {
        words.push("...".to_owned());
    }
    words.join(", ")
}

/// The same for programs: `2 5-7`.
pub fn in_ranges(numbers: impl Iterator<Item = u64>) -> String {
    let ranges = ranges(numbers).into_iter().map(|[first, last]| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    });
    ranges.collect::<Vec<_>>().join(" ")
}

/// The first and the last number of each range.
pub fn ranges(numbers: impl Iterator<Item = u64>) -> Vec<[u64; 2]> {
    let mut ranges: Vec<[u64; 2]> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some([_, last]) if *last + 1 == number => *last = number,
            _ => ranges.push([number, number]),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_in_words() {
        assert_eq!(in_words(&[2]), "2");
        assert_eq!(in_words(&[2, 3]), "2, 3");
        assert_eq!(in_words(&[1, 2, 3, 7, 9, 10]), "1 to 3, 7, 9, 10");
        assert_eq!(in_ranges([1, 2, 3, 7, 9, 10].into_iter()), "1-3 7 9-10");
        let many: Vec<u64> = (0..40).map(|number| 2 * number).collect();
        assert!(in_words(&many).ends_with("22, ..."));
    }

    #[test]
    fn what_is_left_out_is_said() {
        let whole = Merged {
            parts: 4,
            ..Merged::default()
        };
        assert_eq!(whole.note(), None);
        let partial = Merged {
            parts: 8,
            missing: vec![2, 3, 4],
            unfinished: vec![7],
            left_out: vec![[11, 40], [65, 70]],
        };
        assert_eq!(
            partial.note().unwrap(),
            "This is not the whole run: of its 8 parts, 2 to 4 are missing and 7 is not finished; 36 pairs are left out."
        );
        assert_eq!(partial.left_out(), [10..40, 64..70]);
    }

    proptest! {
        #[test]
        fn parts_cover_every_pair_once(pairs in 1_u64..2_000, of in 1_u64..300) {
            let of = of.min(pairs);
            let blocks: Vec<_> = (1..=of).map(|number| block(number, of, pairs)).collect();
            let covered: Vec<u64> = blocks.iter().cloned().flatten().collect();
            prop_assert_eq!(covered, (0..pairs).collect::<Vec<_>>());
            let sizes: Vec<u64> = blocks.iter().map(|block| block.end - block.start).collect();
            let (least, most) = (sizes.iter().min().unwrap(), sizes.iter().max().unwrap());
            prop_assert!(*least >= 1 && most - least <= 1);
        }

        #[test]
        fn huge_schedules_are_cut_exactly(pairs in (u64::MAX - 1_000)..u64::MAX, of in 1_u64..100) {
            let mut next = 0;
            for number in 1..=of {
                let block = block(number, of, pairs);
                prop_assert_eq!(block.start, next);
                next = block.end;
            }
            prop_assert_eq!(next, pairs);
        }
    }
}
