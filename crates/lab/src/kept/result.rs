//! Single results as texts, and back without a change.

use std::str::{FromStr, SplitAsciiWhitespace};
use std::time::Duration;

use lmrlab_stats::PairOutcome;

use crate::audit::Estimated;
use crate::measures::Missed;
use crate::suite::{Answer, Solution};

/// What is not there.
const NOTHING: &str = "-";

/// A result that can be kept as a text.
pub trait KeptResult: Sized {
    /// The text.
    fn text(&self) -> String;

    /// The result of a text; nothing when it is no such text.
    fn of_text(text: &str) -> Option<Self>;
}

/// Nodes.
impl KeptResult for u64 {
    fn text(&self) -> String {
        self.to_string()
    }

    fn of_text(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

/// Half points of the first side.
impl KeptResult for PairOutcome {
    fn text(&self) -> String {
        self.half_points().to_string()
    }

    fn of_text(text: &str) -> Option<Self> {
        Self::from_half_points(text.parse().ok()?)
    }
}

/// Whether it is right, its points, depth, nodes and move, and the depth and the nodes of the solution. The times are not
/// kept: nothing that is compared depends on them.
impl KeptResult for Answer {
    fn text(&self) -> String {
        [
            u8::from(self.is_right).to_string(),
            word(self.points),
            self.depth.to_string(),
            self.nodes.to_string(),
            word(self.mv),
            word(self.solution.map(|solution| solution.depth)),
            word(self.solution.map(|solution| solution.nodes)),
        ]
        .join(" ")
    }

    fn of_text(text: &str) -> Option<Self> {
        let mut words = text.split_ascii_whitespace();
        let is_right = match words.next()? {
            "0" => false,
            "1" => true,
            _ => return None,
        };
        Some(Self {
            is_right,
            points: optional(&mut words)?,
            depth: words.next()?.parse().ok()?,
            nodes: words.next()?.parse().ok()?,
            mv: optional(&mut words)?,
            solution: (optional(&mut words)?.zip(optional(&mut words)?)).map(|(depth, nodes)| Solution {
                depth,
                nodes,
                time: Duration::ZERO,
            }),
            time: Duration::ZERO,
        })
    }
}

/// The moves, the missed ones, their rate and the ends of its interval.
impl KeptResult for Missed {
    fn text(&self) -> String {
        let interval = self.rate.and_then(|rate| rate.interval);
        [
            self.dismissed.to_string(),
            self.missed.to_string(),
            word(self.rate.map(|rate| rate.value)),
            word(interval.map(|(low, _)| low)),
            word(interval.map(|(_, high)| high)),
        ]
        .join(" ")
    }

    fn of_text(text: &str) -> Option<Self> {
        let mut words = text.split_ascii_whitespace();
        Some(Self {
            dismissed: words.next()?.parse().ok()?,
            missed: words.next()?.parse().ok()?,
            rate: {
                let value: Option<f64> = optional(&mut words)?;
                let interval = optional(&mut words)?.zip(optional(&mut words)?);
                value.map(|value| Estimated { value, interval })
            },
        })
    }
}

/// Something that may not be there. A number has as many digits as it needs to be the same again.
fn word<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| NOTHING.to_owned(), |value| value.to_string())
}

/// The same, read again; nothing when it is wrong.
fn optional<T: FromStr>(words: &mut SplitAsciiWhitespace<'_>) -> Option<Option<T>> {
    match words.next()? {
        NOTHING => Some(None),
        word => word.parse().ok().map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_kept_is_the_same_again(
            counts in any::<[u32; 4]>(),
            value in 0.0..1.0,
            low in 0.0..1.0,
            is_right: bool,
            which in 0_u8..4,
        ) {
            let [dismissed, missed, nodes, depth] = counts;
            let rate = (which > 0).then_some(Estimated {
                value,
                interval: (which > 1).then_some((low, value / 3.0)),
            });
            let all = Missed { dismissed: dismissed.into(), missed: missed.into(), rate };
            prop_assert_eq!(Missed::of_text(&all.text()), Some(all));
            let answer = Answer {
                mv: (which > 0).then(|| "e7e8q".parse().unwrap()),
                is_right,
                points: (which > 1).then_some(missed),
                depth,
                nodes: nodes.into(),
                time: Duration::ZERO,
                solution: (which > 2).then_some(Solution { depth, nodes: 7, time: Duration::ZERO }),
            };
            prop_assert_eq!(Answer::of_text(&answer.text()), Some(answer));
            prop_assert_eq!(u64::of_text(&u64::from(nodes).text()), Some(u64::from(nodes)));
        }
    }

    #[test]
    fn outcomes_are_the_same_again_and_other_texts_are_none() {
        for outcome in PairOutcome::ALL {
            assert_eq!(PairOutcome::of_text(&outcome.text()), Some(outcome));
        }
        assert_eq!(PairOutcome::of_text("5"), None);
        assert_eq!(Missed::of_text("3 1 0.3"), None);
        assert_eq!(Answer::of_text("2 - 1 1 - - -"), None);
    }
}
