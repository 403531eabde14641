//! Answers and missed moves as texts, and back without a change, for results that are kept.

use std::time::Duration;

use super::Missed;
use crate::audit::Estimated;
use crate::kept::KeptResult;
use crate::kept::result::{optional, word};
use crate::suite::{Answer, Solution};

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

#[cfg(test)]
mod tests {
    use super::*;
    use lmrlab_stats::PairOutcome;
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
