//! Ranges of numbers as text: `3` or `3-17`.

use std::fmt;
use std::str::FromStr;

/// Numbers from the first to the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numbers {
    /// The first.
    pub first: u64,
    /// The last; not before the first.
    pub last: u64,
}

impl Numbers {
    /// How many there are.
    pub fn count(&self) -> u64 {
        self.last - self.first + 1
    }

    /// The ranges of some numbers in their order.
    pub fn ranges(numbers: impl Iterator<Item = u64>) -> Vec<Self> {
        let mut ranges: Vec<Self> = Vec::new();
        for number in numbers {
            match ranges.last_mut() {
                Some(range) if range.last + 1 == number => range.last = number,
                _ => ranges.push(Self {
                    first: number,
                    last: number,
                }),
            }
        }
        ranges
    }
}

impl fmt::Display for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.first == self.last {
            write!(f, "{}", self.first)
        } else {
            write!(f, "{}-{}", self.first, self.last)
        }
    }
}

/// Not a range of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a number such as 3, or a range such as 3-17")]
pub struct NoNumbers;

impl FromStr for Numbers {
    type Err = NoNumbers;

    fn from_str(text: &str) -> Result<Self, NoNumbers> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let number = |text: &str| text.parse::<u64>().map_err(|_| NoNumbers);
        let (first, last) = (number(first)?, number(last)?);
        (first <= last).then_some(Self { first, last }).ok_or(NoNumbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_numbers() {
        let ranges = Numbers::ranges([3, 4, 5, 9, 11, 12].into_iter());
        let text: Vec<String> = ranges.iter().map(Numbers::to_string).collect();
        assert_eq!(text, ["3-5", "9", "11-12"]);
        let read: Vec<Numbers> = text.iter().map(|text| text.parse().unwrap()).collect();
        assert_eq!(read, ranges);
        assert_eq!(ranges.iter().map(Numbers::count).sum::<u64>(), 6);
        for wrong in ["", "-", "3-", "5-3", "x"] {
            assert_eq!(wrong.parse::<Numbers>(), Err(NoNumbers));
        }
    }
}
