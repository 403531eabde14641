//! Do two quantities have the same order?

/// Spearman's rank correlation, -1 to 1: the correlation of the ranks, where equal values share the mean of their ranks.
/// `None` for fewer than two pairs, and when all values of one quantity are equal.
///
/// Source: C. Spearman, *The proof and measurement of association between two things*, 1904.
pub fn spearman(pairs: &[(f64, f64)]) -> Option<f64> {
    let first = ranks(&pairs.iter().map(|pair| pair.0).collect::<Vec<f64>>());
    let second = ranks(&pairs.iter().map(|pair| pair.1).collect::<Vec<f64>>());
    let middle = (pairs.len() as f64 + 1.0) / 2.0;
    let product = |x: &[f64], y: &[f64]| -> f64 { x.iter().zip(y).map(|(x, y)| (x - middle) * (y - middle)).sum() };
    let spread = (product(&first, &first) * product(&second, &second)).sqrt();
    (spread > 0.0).then(|| product(&first, &second) / spread)
}

/// The rank of each value, from 1.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut first = 0;
    while first < order.len() {
        let equal = |index: &&usize| values[**index] == values[order[first]];
        let count = order[first..].iter().take_while(equal).count();
        for index in &order[first..first + count] {
            ranks[*index] = first as f64 + (count as f64 + 1.0) / 2.0;
        }
        first += count;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn as_scipy_has_it() {
        let x = [3.2, -1.0, 4.4, 0.5, 4.4, 9.9, -7.5, 2.0];
        let y = [1.0, 0.0, 8.0, 0.0, 3.0, 2.5, -4.0, 1.0];
        let pairs: Vec<(f64, f64)> = x.into_iter().zip(y).collect();
        // scipy.stats.spearmanr(x, y)
        assert!((spearman(&pairs).unwrap() - SCIPY).abs() < 1e-12);
        assert_eq!(spearman(&[(1.0, 2.0)]), None);
        assert_eq!(spearman(&[(1.0, 2.0), (1.0, 3.0)]), None);
    }

    const SCIPY: f64 = 0.909_107_605_435_329_4;

    proptest! {
        #[test]
        fn order_alone_counts(values in proptest::collection::vec((-50.0..50.0f64, -50.0..50.0f64), 2..30)) {
            let found = spearman(&values);
            let stretched: Vec<(f64, f64)> = values.iter().map(|(x, y)| (x * x * x, 3.0 * y + 1.0)).collect();
            let turned: Vec<(f64, f64)> = values.iter().map(|(x, y)| (-x, *y)).collect();
            prop_assert_eq!(found, spearman(&stretched));
            if let (Some(found), Some(turned)) = (found, spearman(&turned)) {
                prop_assert!((found + turned).abs() < 1e-12 && found.abs() <= 1.0 + 1e-12);
            }
        }
    }
}
