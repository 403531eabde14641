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

    /// What it measures, for a title.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Nodes => "Nodes to depth",
            Self::Solved => "Positions solved",
            Self::Missed => "Missed moves",
            Self::Elo => "Elo",
        }
    }

    /// The value of a row with its interval.
    pub(crate) fn known(self, row: &Measures) -> Option<Known> {
        let column = match self {
            Self::Nodes => "nodes_ratio",
            Self::Solved => "solved_gain",
            Self::Missed => "missed_rate",
            Self::Elo => "elo",
        };
        Known::of(row, column)
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
            Self::Missed => Quantity {
                unchanged: as_named.and_then(|row| self.known(row)).map(|known| {
                    (
                        known.value,
                        format!("{AS_NAMED}: {}", Seen::Percent.number(known.value)),
                    )
                }),
                is_cost: true,
                ..Quantity::new("missed, of the dismissed moves", Seen::Percent)
            },
            Self::Elo => Quantity::elo("Elo against the policy as named", AS_NAMED),
        }
    }

    /// A value with its interval in a sentence.
    pub(crate) fn said(self, known: Known) -> String {
        let unit = match self {
            Self::Nodes => "times the nodes",
            Self::Solved => "positions",
            Self::Missed => "of the dismissed moves",
            Self::Elo => "Elo",
        };
        format!("{} {unit}", self.quantity(None).text(known))
    }
}
