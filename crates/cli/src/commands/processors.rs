//! `--cpus`: the processors that a run may use.

use std::str::FromStr;

use lmrlab_results::failure::Failure;
use lmrlab_runner::processors::restrict;

/// The greatest number of a processor.
const MOST: usize = 4_095;

/// A list of processors as `taskset -c` has it: `2-7` or `0,2,4-6`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Processors(Vec<usize>);

impl FromStr for Processors {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("numbers of processors from 0 to {MOST} are needed, as in `2-7` or `0,2,4-6`");
        let number = |text: &str| {
            let number = text.trim().parse::<usize>().ok();
            number.filter(|number| *number <= MOST).ok_or_else(wrong)
        };
        let mut all = Vec::new();
        for part in text.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (number(first)?, number(last)?);
            if first > last {
                return Err(wrong());
            }
            all.extend(first..=last);
        }
        all.sort_unstable();
        all.dedup();
        Ok(Self(all))
    }
}

impl Processors {
    /// Restricts this program, and the engines that it starts, to these processors.
    pub(crate) fn restrict(&self) -> Result<(), Failure> {
        restrict(&self.0).map_err(|why| Failure::input(format!("`--cpus`: {why}"), "name processors of this machine"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_ranges() {
        let read = |text: &str| text.parse::<Processors>().map(|processors| processors.0);
        assert_eq!(read("2-4"), Ok(vec![2, 3, 4]));
        assert_eq!(read("7"), Ok(vec![7]));
        assert_eq!(read("4-6,0, 2,5"), Ok(vec![0, 2, 4, 5, 6]));
        for wrong in ["", "-", "a", "3-1", "1,,2", "0-99999999999", "-1"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
