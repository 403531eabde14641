//! The linear algebra of symmetric matrices that statistics needs: Cholesky decomposition and eigenvectors.
//!
//! Other libraries choose instructions by processor, which changes the order of additions. Here the order is fixed, so
//! results are the same to the last bit on every machine.

/// A symmetric positive definite matrix in the form L L'.
#[derive(Debug, Clone)]
pub struct Cholesky {
    size: usize,
    /// L, row by row.
    lower: Vec<f64>,
}

impl Cholesky {
    /// Decomposes a matrix, given row by row. Only its lower half is read. `None` when it is not positive definite.
    pub fn new(mut matrix: Vec<f64>, size: usize) -> Option<Self> {
        for row in 0..size {
            let (above, current) = matrix.split_at_mut(row * size);
            for column in 0..row {
                let other = &above[column * size..column * size + column + 1];
                let sum = dot(&current[..column], &other[..column]);
                current[column] = (current[column] - sum) / other[column];
            }
            let rest = current[row] - dot(&current[..row], &current[..row]);
            if rest.is_nan() || rest <= 0.0 {
                return None;
            }
            current[row] = libm::sqrt(rest);
        }
        Some(Self { size, lower: matrix })
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.lower[row * self.size..row * self.size + row + 1]
    }

    /// L^-1 x in place of x.
    pub fn forward(&self, x: &mut [f64]) {
        for row in 0..self.size {
            let lower = self.row(row);
            x[row] = (x[row] - dot(&lower[..row], &x[..row])) / lower[row];
        }
    }

    /// L'^-1 x in place of x.
    pub fn backward(&self, x: &mut [f64]) {
        for row in (0..self.size).rev() {
            let lower = self.row(row);
            x[row] /= lower[row];
            let value = x[row];
            for (place, factor) in x[..row].iter_mut().zip(lower) {
                *place -= factor * value;
            }
        }
    }

    /// The matrix's inverse times x, in place of x.
    pub fn solve(&self, x: &mut [f64]) {
        self.forward(x);
        self.backward(x);
    }

    /// [`Self::solve`] for each row of a matrix that has as many columns as this one.
    pub fn solve_rows(&self, matrix: &mut [f64]) {
        for row in matrix.chunks_exact_mut(self.size) {
            self.solve(row);
        }
    }

    /// The logarithm of the determinant.
    pub fn log_determinant(&self) -> f64 {
        2.0 * (0..self.size)
            .map(|row| libm::log(self.lower[row * (self.size + 1)]))
            .sum::<f64>()
    }

    /// x' A^-1 x.
    pub fn inverse_form(&self, x: &[f64]) -> f64 {
        let mut x = x.to_vec();
        self.forward(&mut x);
        dot(&x, &x)
    }
}

/// The scalar product, in a fixed order that lets a processor add four products at a time.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (a_blocks, a_rest) = a.as_chunks::<4>();
    let (b_blocks, b_rest) = b.as_chunks::<4>();
    for (x, y) in a_blocks.iter().zip(b_blocks) {
        for lane in 0..4 {
            sums[lane] += x[lane] * y[lane];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(x, y)| x * y).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// The eigenvalues and eigenvectors (each of length 1) of a symmetric matrix, by Jacobi's rotations (1846).
pub fn eigen(mut matrix: Vec<Vec<f64>>) -> Vec<(f64, Vec<f64>)> {
    const MOST_SWEEPS: usize = 60;
    let size = matrix.len();
    let mut vectors: Vec<Vec<f64>> = (0..size)
        .map(|row| (0..size).map(|column| f64::from(u8::from(row == column))).collect())
        .collect();
    for _ in 0..MOST_SWEEPS {
        let all: f64 = matrix.iter().flatten().map(|x| x * x).sum();
        let diagonal: f64 = (0..size).map(|i| matrix[i][i] * matrix[i][i]).sum();
        if all - diagonal <= 1e-24 * all {
            break;
        }
        for p in 0..size {
            for q in p + 1..size {
                if matrix[p][q] == 0.0 {
                    continue;
                }
                let theta = (matrix[q][q] - matrix[p][p]) / (2.0 * matrix[p][q]);
                let t = theta.signum() / (theta.abs() + libm::sqrt(theta * theta + 1.0));
                let c = 1.0 / libm::sqrt(t * t + 1.0);
                let s = t * c;
                for row in &mut matrix {
                    (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
                }
                for k in 0..size {
                    let (x, y) = (matrix[p][k], matrix[q][k]);
                    matrix[p][k] = c * x - s * y;
                    matrix[q][k] = s * x + c * y;
                    let (x, y) = (vectors[p][k], vectors[q][k]);
                    vectors[p][k] = c * x - s * y;
                    vectors[q][k] = s * x + c * y;
                }
            }
        }
    }
    vectors
        .into_iter()
        .enumerate()
        .map(|(index, vector)| (matrix[index][index], vector))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_what_it_decomposed() {
        let matrix = vec![4.0, 0.0, 0.0, 2.0, 5.0, 0.0, 1.0, 3.0, 6.0];
        let cholesky = Cholesky::new(matrix, 3).expect("positive definite");
        let mut x = vec![9.0, 21.0, 25.0];
        cholesky.solve(&mut x);
        let product = |x: &[f64]| {
            [
                4.0 * x[0] + 2.0 * x[1] + x[2],
                2.0 * x[0] + 5.0 * x[1] + 3.0 * x[2],
                x[0] + 3.0 * x[1] + 6.0 * x[2],
            ]
        };
        for (found, expected) in product(&x).iter().zip([9.0, 21.0, 25.0]) {
            assert!((found - expected).abs() < 1e-12);
        }
        let form = cholesky.inverse_form(&[9.0, 21.0, 25.0]);
        assert!((form - dot(&x, &[9.0, 21.0, 25.0])).abs() < 1e-9);
        assert!(Cholesky::new(vec![1.0, 0.0, 2.0, 1.0], 2).is_none());
    }

    #[test]
    fn eigenvectors_rebuild_the_matrix() {
        let matrix = vec![vec![4.0, 1.0, -2.0], vec![1.0, 3.0, 0.5], vec![-2.0, 0.5, -1.0]];
        let found = eigen(matrix.clone());
        for (i, row) in matrix.iter().enumerate() {
            for (j, expected) in row.iter().enumerate() {
                let rebuilt: f64 = found.iter().map(|(value, v)| value * v[i] * v[j]).sum();
                assert!((rebuilt - expected).abs() < 1e-12);
            }
        }
    }
}
