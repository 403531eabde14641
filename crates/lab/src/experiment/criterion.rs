//! By what variants are compared: the values of a row with their intervals, and what better means.

use lmrlab_results::outcome::picture::Quantity;
use lmrlab_results::outcome::table::Known;
use lmrlab_results::rows::experiments::Measures;
use lmrlab_results::seen::Seen;

/// What variants are compared by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Criterion {
    /// Nodes to a depth, as a ratio to those of the policy as named.
    Nodes,
    /// Positions solved, less those of the policy as named.
    Solved,
    /// The share of dismissed moves that were missed.
    Missed,
    /// Elo against the policy as named.
    Elo,
}

/// The name of the policy as named in pictures.
const AS_NAMED: &str = "as named";

/// What is said about a criterion.
pub(super) struct Words {
    /// What it measures, for a title.
    pub(super) title: &'static str,
    /// Its column, which others have intervals of.
    column: &'static str,
    /// What stands behind a value in a sentence.
    unit: &'static str,
    /// What begins the list of the changes that are worse, and of those that are better. Nothing says what a missed move costs.
    pub(super) changes: Option<[&'static str; 2]>,
    /// What a rule far from the policy as named does.
    pub(super) far: &'static str,
    /// What the colours of a map of `POLICY` say.
    pub(super) colours: &'static str,
}

impl Criterion {
    /// Those for which some rows have a value.
    pub(crate) fn of<'r>(rows: impl Iterator<Item = &'r Measures> + Clone) -> Vec<Self> {
        let all = [Self::Nodes, Self::Solved, Self::Missed, Self::Elo];
        let is_measured = |criterion: &Self| rows.clone().any(|row| criterion.known(row).is_some());
        all.into_iter().filter(is_measured).collect()
    }

    /// The one that counts in the end: Elo, or else the first.
    pub(crate) fn decisive(all: &[Self]) -> Option<Self> {
        all.iter().find(|one| **one == Self::Elo).or(all.first()).copied()
    }

    pub(super) fn words(self) -> Words {
        match self {
            Self::Nodes => Words {
                title: "Nodes to depth",
                column: "nodes_ratio",
                unit: "times the nodes",
                changes: Some([
                    "More nodes than the policy as named",
                    "Fewer nodes than the policy as named",
                ]),
                far: "A rule far to the right without which (-) there are more nodes saves nodes.",
                colours: "Blue: fewer nodes than POLICY; orange: more.",
            },
            Self::Solved => Words {
                title: "Positions solved",
                column: "solved_gain",
                unit: "positions",
                changes: Some(["Fewer positions solved than by the policy as named", "More solved"]),
                far: "A rule far to the left without which (-) less is solved helps to solve.",
                colours: "Blue: more solved than by POLICY; orange: fewer.",
            },
            Self::Missed => Words {
                title: "Missed moves",
                column: "missed_rate",
                unit: "of the dismissed moves",
                changes: None,
                far: "The share that raises alpha at full depth, of the moves that were reduced and failed low.",
                colours: "The stronger the colour, the more was missed.",
            },
            Self::Elo => Words {
                title: "Elo",
                column: "elo",
                unit: "Elo",
                changes: Some(["Weaker than the policy as named", "Stronger than the policy as named"]),
                far: "A rule far to the left without which (-) the policy is weaker gains Elo.",
                colours: "Blue: stronger than POLICY; orange: weaker.",
            },
        }
    }

    /// The value of a row with its interval.
    pub(crate) fn known(self, row: &Measures) -> Option<Known> {
        Known::of(row, self.words().column)
    }

    /// What the values are, and what better means. A missed rate is compared with that of the policy as named, if it is
    /// known.
    pub(crate) fn quantity(self, as_named: Option<&Measures>) -> Quantity {
        match self {
            Self::Nodes => Quantity::ratio(
                "nodes to depth, divided by those of the policy as named",
                AS_NAMED,
                ["fewer nodes", "more nodes"],
            ),
            Self::Solved => Quantity {
                sides: ["fewer solved", "more solved"],
                ..Quantity::elo("solved, more than by the policy as named", AS_NAMED)
            },
            Self::Missed => {
                let rate = as_named.and_then(|row| self.known(row)).map(|known| known.value);
                let name = |rate| format!("{AS_NAMED}: {}", Seen::Percent.number(rate));
                Quantity {
                    unchanged: rate.map(|rate| (rate, name(rate))),
                    is_cost: true,
                    ..Quantity::new("missed, of the dismissed moves", Seen::Percent)
                }
            }
            Self::Elo => Quantity::elo("Elo against the policy as named", AS_NAMED),
        }
    }

    /// A value with its interval in a sentence.
    pub(crate) fn said(self, known: Known) -> String {
        format!("{} {}", self.quantity(None).text(known), self.words().unit)
    }
}
