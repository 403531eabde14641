//! Cholesky decomposition of sparse symmetric matrices, in the form L D L'.
//!
//! As in [`linear_algebra`](crate::linear_algebra), the order of all additions is fixed. Sources: T. A. Davis, *Direct
//! Methods for Sparse Linear Systems*, 2006; K. Takahashi, J. Fagan, M.-S. Chin, *Formation of a sparse bus impedance matrix
//! and its application to short circuit study*, 1973 (parts of the inverse).

use std::collections::BTreeSet;
use std::ops::{Add, Div, Mul, Sub};
use std::sync::Arc;

/// What the entries of a matrix are.
pub(crate) trait Number:
    Copy + From<f64> + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// The number; of one that depends on something, its present value.
    fn value(self) -> f64;
}

impl Number for f64 {
    fn value(self) -> f64 {
        self
    }
}

/// A number that depends on something, with its derivative. What is computed from such numbers comes with its derivative.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Dual {
    pub(crate) value: f64,
    pub(crate) slope: f64,
}

impl Number for Dual {
    fn value(self) -> f64 {
        self.value
    }
}

/// A constant.
impl From<f64> for Dual {
    fn from(value: f64) -> Self {
        Self { value, slope: 0.0 }
    }
}

impl Add for Dual {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            slope: self.slope + other.slope,
        }
    }
}

impl Sub for Dual {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            value: self.value - other.value,
            slope: self.slope - other.slope,
        }
    }
}

impl Mul for Dual {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self {
            value: self.value * other.value,
            slope: self.slope * other.value + self.value * other.slope,
        }
    }
}

impl Div for Dual {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        Self {
            value,
            slope: (self.slope - value * other.slope) / other.value,
        }
    }
}

/// Where a matrix, and its L, have entries.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    /// The step at which each node is eliminated.
    step: Vec<usize>,
    /// Where the entries of each column of L begin, and where the last ones end.
    starts: Vec<usize>,
    /// The rows of the entries below the diagonal, ascending in each column. Rows and columns are steps.
    rows: Vec<usize>,
    /// For each row its entries, as column and index in `rows`.
    by_row: Vec<Vec<(usize, usize)>>,
}

impl Pattern {
    /// Of a matrix with an entry for each edge. The node `last`, which may have edges to all others, is eliminated last
    /// and needs no edges here. `None` when L has more than `most` entries.
    ///
    /// The node with the fewest neighbours is eliminated first (minimum degree); its neighbours become neighbours of each
    /// other.
    pub(crate) fn new(nodes: usize, edges: &[(usize, usize)], last: usize, most: usize) -> Option<Self> {
        if edges.len() + nodes > most {
            return None;
        }
        let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); nodes];
        for &(a, b) in edges {
            neighbours[a].push(b);
            neighbours[b].push(a);
        }
        for list in &mut neighbours {
            list.sort_unstable();
            list.dedup();
        }
        let mut waiting: BTreeSet<(usize, usize)> = (0..nodes)
            .filter(|&node| node != last)
            .map(|node| (neighbours[node].len(), node))
            .collect();
        let mut order = Vec::with_capacity(nodes);
        let mut columns = Vec::with_capacity(nodes);
        let mut entries = nodes;
        while let Some((_, node)) = waiting.pop_first() {
            let around = std::mem::take(&mut neighbours[node]);
            for &neighbour in &around {
                waiting.remove(&(neighbours[neighbour].len(), neighbour));
                neighbours[neighbour] = merged(&neighbours[neighbour], &around, [node, neighbour]);
                waiting.insert((neighbours[neighbour].len(), neighbour));
            }
            entries += around.len();
            if entries > most {
                return None;
            }
            order.push(node);
            columns.push(around);
        }
        order.push(last);
        columns.push(Vec::new());
        Some(Self::eliminated(&order, columns))
    }

    /// From the order of the nodes, and those that were neighbours of each when it was eliminated.
    fn eliminated(order: &[usize], columns: Vec<Vec<usize>>) -> Self {
        let nodes = order.len();
        let mut step = vec![0; nodes];
        for (index, &node) in order.iter().enumerate() {
            step[node] = index;
        }
        let (mut starts, mut rows, mut by_row) = (vec![0], Vec::new(), vec![Vec::new(); nodes]);
        for (column, around) in columns.into_iter().enumerate() {
            let mut below: Vec<usize> = around.into_iter().map(|node| step[node]).collect();
            below.sort_unstable();
            // The last node is a neighbour of all.
            below.extend((column + 1 < nodes).then_some(nodes - 1));
            for row in below {
                by_row[row].push((column, rows.len()));
                rows.push(row);
            }
            starts.push(rows.len());
        }
        Self {
            step,
            starts,
            rows,
            by_row,
        }
    }

    /// Decomposes the matrix with these entries, each given once, on one side of the diagonal. `None` when it is not
    /// positive definite.
    pub(crate) fn decompose<T: Number>(
        self: &Arc<Self>,
        diagonal: &[T],
        entries: impl Iterator<Item = (usize, usize, T)>,
    ) -> Option<SparseCholesky<T>> {
        let nodes = self.step.len();
        let zero = T::from(0.0);
        let mut values = vec![zero; self.rows.len()];
        for (a, b, value) in entries {
            let (column, row) = (self.step[a].min(self.step[b]), self.step[a].max(self.step[b]));
            let start = self.starts[column];
            // An entry that is no edge would have no place.
            let index = self.rows[start..self.starts[column + 1]].binary_search(&row).ok()?;
            values[start + index] = values[start + index] + value;
        }
        let mut pivots = vec![zero; nodes];
        for (node, &value) in diagonal.iter().enumerate() {
            pivots[self.step[node]] = value;
        }
        let mut work = vec![zero; nodes];
        for column in 0..nodes {
            let own = self.starts[column]..self.starts[column + 1];
            for index in own.clone() {
                work[self.rows[index]] = values[index];
            }
            for &(earlier, index) in &self.by_row[column] {
                let factor = values[index] * pivots[earlier];
                pivots[column] = pivots[column] - values[index] * factor;
                let below = index + 1..self.starts[earlier + 1];
                for (&row, &value) in self.rows[below.clone()].iter().zip(&values[below]) {
                    work[row] = work[row] - value * factor;
                }
            }
            let pivot = pivots[column];
            if pivot.value().is_nan() || pivot.value() <= 0.0 {
                return None;
            }
            for index in own {
                values[index] = work[self.rows[index]] / pivot;
            }
        }
        Some(SparseCholesky {
            pattern: Arc::clone(self),
            values,
            pivots,
        })
    }
}

/// The union of two sorted lists without two of its members.
fn merged(a: &[usize], b: &[usize], without: [usize; 2]) -> Vec<usize> {
    let mut union = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let next = match (a.get(i), b.get(j)) {
            (Some(&x), Some(&y)) => x.min(y),
            (Some(&x), None) | (None, Some(&x)) => x,
            (None, None) => break,
        };
        i += usize::from(a.get(i) == Some(&next));
        j += usize::from(b.get(j) == Some(&next));
        if !without.contains(&next) {
            union.push(next);
        }
    }
    union
}

/// A sparse symmetric positive definite matrix in the form L D L'.
#[derive(Debug, Clone)]
pub(crate) struct SparseCholesky<T = f64> {
    pattern: Arc<Pattern>,
    /// The entries of L below its diagonal of ones.
    values: Vec<T>,
    /// The diagonal of D.
    pivots: Vec<T>,
}

impl<T: Number> SparseCholesky<T> {
    /// The diagonal of the inverse, by node. It takes no more than the decomposition: of the inverse Z only those entries are
    /// computed where L has some, from the last column to the first, by Z = D⁻¹ L⁻¹ + (1 - L') Z.
    pub(crate) fn inverse_diagonal(&self) -> Vec<T> {
        let pattern = &*self.pattern;
        let nodes = self.pivots.len();
        let mut diagonal = self.pivots.clone();
        let mut inverse = self.values.clone();
        // For each row of the present column, its index there.
        let mut place = vec![usize::MAX; nodes];
        let mut sums = Vec::new();
        for column in (0..nodes).rev() {
            let own = pattern.starts[column]..pattern.starts[column + 1];
            let (rows, factors) = (&pattern.rows[own.clone()], &self.values[own.clone()]);
            for (index, &row) in rows.iter().enumerate() {
                place[row] = index;
            }
            sums.clear();
            sums.resize(rows.len(), T::from(0.0));
            for (index, &row) in rows.iter().enumerate() {
                sums[index] = sums[index] + diagonal[row] * factors[index];
                // All rows of this column below `row` are rows of that one, too.
                for below in pattern.starts[row]..pattern.starts[row + 1] {
                    let other = place[pattern.rows[below]];
                    if other != usize::MAX {
                        sums[index] = sums[index] + inverse[below] * factors[other];
                        sums[other] = sums[other] + inverse[below] * factors[index];
                    }
                }
            }
            let mut on_diagonal = T::from(1.0) / self.pivots[column];
            for (index, &row) in rows.iter().enumerate() {
                let entry = T::from(0.0) - sums[index];
                on_diagonal = on_diagonal - factors[index] * entry;
                inverse[own.start + index] = entry;
                place[row] = usize::MAX;
            }
            diagonal[column] = on_diagonal;
        }
        pattern.step.iter().map(|&step| diagonal[step]).collect()
    }
}

impl SparseCholesky {
    /// The matrix's inverse times `N` vectors at once; `x` has the `N` values of each node.
    pub(crate) fn solve<const N: usize>(&self, x: &[[f64; N]]) -> Vec<[f64; N]> {
        let pattern = &*self.pattern;
        let mut solution = vec![[0.0; N]; x.len()];
        for (node, values) in x.iter().enumerate() {
            solution[pattern.step[node]] = *values;
        }
        for column in 0..x.len() {
            let values = solution[column];
            let own = pattern.starts[column]..pattern.starts[column + 1];
            for (row, factor) in pattern.rows[own.clone()].iter().zip(&self.values[own]) {
                for (target, value) in solution[*row].iter_mut().zip(values) {
                    *target -= factor * value;
                }
            }
        }
        for column in (0..x.len()).rev() {
            let own = pattern.starts[column]..pattern.starts[column + 1];
            let mut values = solution[column].map(|value| value / self.pivots[column]);
            for (row, factor) in pattern.rows[own.clone()].iter().zip(&self.values[own]) {
                for (target, value) in values.iter_mut().zip(solution[*row]) {
                    *target -= factor * value;
                }
            }
            solution[column] = values;
        }
        pattern.step.iter().map(|&step| solution[step]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn solves_what_it_decomposed(
            edges in proptest::collection::btree_map((0_usize..8, 0_usize..8), 0.1_f64..3.0, 0..16),
            border in proptest::collection::vec(-1.0_f64..1.0, 8),
            x in proptest::collection::vec(-5.0_f64..5.0, 9),
        ) {
            let edges: Vec<(usize, usize, f64)> =
                edges.into_iter().filter(|((a, b), _)| a < b).map(|((a, b), value)| (a, b, -value)).collect();
            let mut diagonal = vec![1.5; 9];
            let mut matrix = vec![vec![0.0; 9]; 9];
            let all: Vec<(usize, usize, f64)> =
                edges.iter().copied().chain(border.iter().enumerate().map(|(a, value)| (a, 8, *value))).collect();
            for &(a, b, value) in &all {
                diagonal[a] += value.abs();
                diagonal[b] += value.abs();
                (matrix[a][b], matrix[b][a]) = (value, value);
            }
            for (node, value) in diagonal.iter().enumerate() {
                matrix[node][node] = *value;
            }
            let pairs: Vec<(usize, usize)> = edges.iter().map(|&(a, b, _)| (a, b)).collect();
            let pattern = Arc::new(Pattern::new(9, &pairs, 8, 100).expect("small"));
            let cholesky = pattern.decompose(&diagonal, all.iter().copied()).expect("positive definite");
            let two: Vec<[f64; 2]> = x.iter().map(|value| [*value, 1.0]).collect();
            let solution = cholesky.solve(&two);
            for (row, expected) in matrix.iter().zip(&two) {
                for vector in 0..2 {
                    let product: f64 = row.iter().zip(&solution).map(|(a, b)| a * b[vector]).sum();
                    prop_assert!((product - expected[vector]).abs() < 1e-9, "{product}");
                }
            }
            let inverse = cholesky.inverse_diagonal();
            for node in 0..9 {
                let mut unit = vec![[0.0]; 9];
                unit[node] = [1.0];
                let [expected] = cholesky.solve(&unit)[node];
                prop_assert!((inverse[node] - expected).abs() < 1e-9, "{} is not {expected}", inverse[node]);
            }
            // The slope of A⁻¹ is -A⁻¹ A' A⁻¹; here A' is the first edge, or the first entry of the diagonal.
            let (a, b) = pairs.first().copied().unwrap_or((0, 0));
            let slope = |row: usize, column: usize| f64::from((row, column) == (a, b));
            let dual = |row: usize, column: usize, value: f64| Dual { value, slope: slope(row, column) };
            let diagonal: Vec<Dual> = diagonal.iter().enumerate().map(|(node, &value)| dual(node, node, value)).collect();
            let entries = all.iter().map(|&(a, b, value)| (a, b, dual(a, b, value)));
            let duals = pattern.decompose(&diagonal, entries).expect("positive definite").inverse_diagonal();
            let mut ends = vec![[0.0; 2]; 9];
            (ends[a][0], ends[b][1]) = (1.0, 1.0);
            for (node, [at_a, at_b]) in cholesky.solve(&ends).into_iter().enumerate() {
                let expected = if a == b { -at_a * at_a } else { -2.0 * at_a * at_b };
                prop_assert!((duals[node].value - inverse[node]).abs() < 1e-12);
                prop_assert!((duals[node].slope - expected).abs() < 1e-9, "{:?}, {expected}", duals[node]);
            }
        }
    }

    #[test]
    fn a_chain_needs_no_entries_but_its_own() {
        let edges: Vec<(usize, usize)> = (0..999).map(|node| (node, node + 1)).collect();
        let pattern = Pattern::new(1_001, &edges, 1_000, 3_000).expect("sparse");
        assert_eq!(pattern.rows.len(), 999 + 1_000);
    }

    #[test]
    fn what_is_too_full_or_not_positive_is_refused() {
        let full: Vec<(usize, usize)> = (0..20).flat_map(|a| (a + 1..20).map(move |b| (a, b))).collect();
        assert!(Pattern::new(21, &full, 20, 100).is_none());
        let pattern = Arc::new(Pattern::new(3, &[(0, 1)], 2, 10).expect("sparse"));
        assert!(pattern.decompose(&[1.0, 1.0, 1.0], [(0, 1, 2.0)].into_iter()).is_none());
    }
}
