//! Fewer points for a line that looks the same.

/// At most `most` points of a line: of each group, its first, lowest, highest and last one.
pub(super) fn thinned(points: &[(f64, f64)], most: usize) -> Vec<(f64, f64)> {
    if points.len() <= most {
        return points.to_vec();
    }
    let group = (points.len() * 4).div_ceil(most);
    let mut thinned = Vec::with_capacity(most);
    for chunk in points.chunks(group) {
        let by_y = |one: &&(f64, f64), other: &&(f64, f64)| one.1.total_cmp(&other.1);
        let chosen = [
            chunk.first(),
            chunk.iter().min_by(by_y),
            chunk.iter().max_by(by_y),
            chunk.last(),
        ];
        let mut chosen: Vec<(f64, f64)> = chosen.into_iter().flatten().copied().collect();
        chosen.sort_by(|one, other| one.0.total_cmp(&other.0));
        chosen.dedup();
        thinned.extend(chosen);
    }
    thinned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thin_line_keeps_its_ends_and_its_peaks() {
        let mut points: Vec<(f64, f64)> = (0..10_000).map(|i| (f64::from(i), 0.0)).collect();
        points[5_555].1 = 9.0;
        let thin = thinned(&points, 400);
        assert!(thin.len() <= 400, "{}", thin.len());
        assert_eq!((thin.first(), thin.last()), (points.first(), points.last()));
        assert!(thin.contains(&(5_555.0, 9.0)));
    }
}
