//! The reductions of plain moves by depth and by the moves searched before.

use super::given::Given;
use super::plain_move::plain_move;
use crate::policy::Policy;

/// The reductions of plain quiet moves in whole plies: a row for each depth from 1, a column for each number of moves searched
/// before from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReductionTable {
    rows: Vec<Vec<i32>>,
    is_difference: bool,
}

impl ReductionTable {
    /// The plies by which a search reduces moves with these facts.
    pub fn new(policy: &Policy, depths: u32, moves: u32, given: &Given) -> Self {
        let cell = |depth, searched| policy.reduction(&plain_move(depth, searched, given));
        let row = |depth| (0..=moves).map(|searched| cell(depth, searched)).collect();
        Self {
            rows: (1..=depths).map(row).collect(),
            is_difference: false,
        }
    }

    /// By how much the reductions of another table of the same size are greater.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        let minus = |(old, new): (&Vec<i32>, &Vec<i32>)| new.iter().zip(old).map(|(n, o)| n - o).collect();
        Self {
            rows: self.rows.iter().zip(&other.rows).map(minus).collect(),
            is_difference: true,
        }
    }

    /// The cells, row by row: the depth in plies, the moves searched before, and the reduction.
    pub fn cells(&self) -> impl Iterator<Item = (u32, u32, i32)> {
        let rows = self.rows.iter().zip(1..);
        rows.flat_map(|(row, depth)| {
            row.iter()
                .zip(0..)
                .map(move |(cell, searched)| (depth, searched, *cell))
        })
    }

    /// The table as text: equal neighbours are merged, 0 is a dot. `paint` colours a cell by its plies; its text already has
    /// its full width.
    pub fn text(&self, paint: impl Fn(&str, i32) -> String) -> String {
        let column = |index: usize| self.rows.iter().filter_map(move |row| row.get(index).copied());
        let columns = runs(self.rows.first().map_or(0, Vec::len), |a, b| column(a).eq(column(b)));
        let lines = runs(self.rows.len(), |a, b| self.rows.get(a) == self.rows.get(b));
        let plus = if self.is_difference { "+" } else { "" };
        let cell = |plies: i32| match plies {
            0 => ".".to_owned(),
            1.. => format!("{plus}{plies}"),
            _ => plies.to_string(),
        };
        let label = |(first, last): (usize, usize), offset: usize| match first == last {
            true => format!("{}", first + offset),
            false => format!("{}-{}", first + offset, last + offset),
        };
        let corner = "depth";
        let labels = lines.iter().map(|line| label(*line, 1));
        let side = labels.map(|label| label.len()).fold(corner.len(), usize::max);
        let mut text = format!("{:side$}  moves searched before\n{corner:>side$}", "");
        let mut widths = Vec::new();
        for run in &columns {
            let heading = label(*run, 0);
            let cells = column(run.0).map(|plies| cell(plies).len());
            let width = cells.fold(heading.len().max(2), usize::max);
            text += &format!("  {heading:>width$}");
            widths.push((run.0, width));
        }
        for line in &lines {
            text += &format!("\n{:>side$}", label(*line, 1));
            for (place, width) in &widths {
                let plies = self.rows[line.0][*place];
                text += "  ";
                text += &paint(&format!("{:>width$}", cell(plies)), plies);
            }
        }
        text + "\n"
    }
}

/// Groups of equal neighbours: the first and the last index of each.
fn runs(count: usize, alike: impl Fn(usize, usize) -> bool) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for index in 0..count {
        match runs.last_mut() {
            Some((_, last)) if alike(*last, index) => *last = index,
            _ => runs.push((index, index)),
        }
    }
    runs
}
