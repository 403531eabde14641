//! Whether two rows of numbers go together.

/// Pearson's coefficient of two rows of the same length, -1 to 1. `None` with fewer than two numbers, and when one row is all alike.
///
/// Source: Karl Pearson, *Note on regression and inheritance in the case of two parents*, 1895.
pub fn pearson(x: &[f64], y: &[f64]) -> Option<f64> {
    let count = x.len().min(y.len()) as f64;
    if count < 2.0 {
        return None;
    }
    let [mean_x, mean_y] = [x, y].map(|row| row.iter().sum::<f64>() / count);
    let [mut xx, mut xy, mut yy] = [0.0; 3];
    for (x, y) in x.iter().zip(y) {
        let (x, y) = (x - mean_x, y - mean_y);
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    let coefficient = xy / (xx * yy).sqrt();
    coefficient.is_finite().then_some(coefficient.clamp(-1.0, 1.0))
}

/// Spearman's coefficient of two rows of the same length: Pearson's of their ranks. Equal numbers share their mean rank. `None` as in
/// [`pearson`].
///
/// Source: Charles Spearman, *The proof and measurement of association between two things*, 1904.
pub fn spearman(x: &[f64], y: &[f64]) -> Option<f64> {
    pearson(&ranks(x), &ranks(y))
}

/// The rank of each number, from 1.
fn ranks(row: &[f64]) -> Vec<f64> {
    let rank = |value: &f64| {
        let (mut below, mut same) = (0.0, 0.0);
        for other in row {
            match other.total_cmp(value) {
                std::cmp::Ordering::Less => below += 1.0,
                std::cmp::Ordering::Equal => same += 1.0,
                std::cmp::Ordering::Greater => {}
            }
        }
        below + (same + 1.0) / 2.0
    };
    row.iter().map(rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// scipy.stats.spearmanr(x, y)
    const SCIPY: f64 = 0.909_107_605_435_329_4;

    #[test]
    fn ties_count_as_in_scipy() {
        let x = [3.2, -1.0, 4.4, 0.5, 4.4, 9.9, -7.5, 2.0];
        let y = [1.0, 0.0, 8.0, 0.0, 3.0, 2.5, -4.0, 1.0];
        assert!((spearman(&x, &y).unwrap() - SCIPY).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn order_alone_counts(values in proptest::collection::vec((-50.0..50.0f64, -50.0..50.0f64), 2..30)) {
            let (x, y): (Vec<f64>, Vec<f64>) = values.into_iter().unzip();
            let found = spearman(&x, &y);
            let cubes: Vec<f64> = x.iter().map(|x| x * x * x).collect();
            let turned: Vec<f64> = x.iter().map(|x| -x).collect();
            prop_assert_eq!(found, spearman(&cubes, &y));
            if let (Some(found), Some(turned)) = (found, spearman(&turned, &y)) {
                prop_assert!((found + turned).abs() < 1e-12);
            }
        }
    }

    /// Anscombe's first quartet (1973): 0.816. Its ranks by hand: the sum of squared differences is 40, so 1 - 6 * 40 / (11 * 120).
    #[test]
    fn published_examples() {
        let x = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0];
        let y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
        assert!((pearson(&x, &y).unwrap() - 0.81642).abs() < 1e-5);
        assert!((spearman(&x, &y).unwrap() - (1.0 - 240.0 / 1320.0)).abs() < 1e-12);
    }

    #[test]
    fn ties_share_their_rank() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0]), [3.5, 1.0, 3.5, 2.0]);
        assert_eq!(pearson(&[1.0, 1.0], &[1.0, 2.0]), None);
        assert_eq!(spearman(&[1.0], &[1.0]), None);
        assert!((spearman(&[1.0, 2.0, 9.0], &[5.0, 4.0, 1.0]).unwrap() + 1.0).abs() < 1e-12);
    }
}
