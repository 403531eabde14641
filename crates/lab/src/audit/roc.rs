//! Receiver operating characteristics: how well a number separates moves that fail low from moves that raise alpha.

use lmrlab_results::outcome::table::Known;
use lmrlab_stats::{Resamples, percentiles};

/// Points of a curve along the horizontal axis, both ends included.
pub(super) const GRID: usize = 51;

/// One number seen as a predictor.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Roc {
    /// Whether moves with greater values fail low more often; otherwise moves with lesser values do.
    pub(super) greater_is_lower: bool,
    /// Take one move that fails low and one that raises alpha: the chance that the number ranks the first as the better one
    /// to reduce. Ties count half. (The area under the curve, equal to Mann and Whitney's U, 1947, as a share:
    /// Hanley and McNeil 1982.)
    pub(super) auc: Known,
    /// The curve when the moves of the highest ranks are reduced. Its height is the share of the moves failing low that
    /// are reduced. Its horizontal axis is the share of the moves raising alpha that are reduced: 0 to 1 in [`GRID`]
    /// points.
    pub(super) curve: Vec<Known>,
}

/// A move as a curve sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ranking {
    /// The predictor's value.
    pub(super) value: f64,
    /// Whether the move raises alpha.
    pub(super) raises: bool,
    /// The cluster that it belongs to: samples of one cluster depend on each other.
    pub(super) cluster: usize,
}

impl Roc {
    /// The curve of a predictor. `greater_is_lower` gives its direction; with `None` the samples decide it. Returns
    /// `None` unless some of the samples raise alpha and others do not.
    pub(super) fn new(points: &[Ranking], greater_is_lower: Option<bool>, resamples: &Resamples) -> Option<Self> {
        let all = |_: usize| 1;
        let greater_is_lower = match greater_is_lower {
            Some(is_so) => is_so,
            None => curve(&ranked(points, true), all)?.0 >= 0.5,
        };
        let ranked = ranked(points, greater_is_lower);
        let (auc, heights) = curve(&ranked, all)?;
        let drawn: Vec<_> = resamples
            .sets()
            .iter()
            .filter_map(|set| curve(&ranked, |cluster| set.get(cluster).copied().unwrap_or(0)))
            .collect();
        let wanted = resamples.sets().len();
        let drawn_at = |x: usize| drawn.iter().map(|(_, heights)| heights[x]).collect();
        let known = |(x, value)| Known {
            value,
            interval: percentiles(drawn_at(x), wanted),
        };
        Some(Self {
            greater_is_lower,
            auc: Known {
                value: auc,
                interval: percentiles(drawn.iter().map(|(auc, _)| *auc).collect(), wanted),
            },
            curve: heights.into_iter().enumerate().map(known).collect(),
        })
    }
}

/// Moves in the order in which a predictor would reduce them.
fn ranked(points: &[Ranking], greater_first: bool) -> Vec<Ranking> {
    let mut points = points.to_vec();
    points.sort_by(|a, b| {
        let order = a.value.total_cmp(&b.value);
        if greater_first { order.reverse() } else { order }
    });
    points
}

/// The area under the curve, and its heights on the grid.
fn curve(ranked: &[Ranking], weight: impl Fn(usize) -> u32) -> Option<(f64, Vec<f64>)> {
    // From corner to corner, in moves; moves of equal value make a straight piece.
    let (mut x, mut y) = (0.0, 0.0);
    let mut corners = vec![(x, y)];
    for group in ranked.chunk_by(|a, b| a.value == b.value) {
        for point in group {
            let sum = if point.raises { &mut x } else { &mut y };
            *sum += f64::from(weight(point.cluster));
        }
        corners.push((x, y));
    }
    if x == 0.0 || y == 0.0 {
        return None;
    }
    let pieces = corners
        .windows(2)
        .map(|ends| (ends[1].0 - ends[0].0) * (ends[0].1 + ends[1].1) / 2.0);
    let height = |index: usize| {
        let at = index as f64 / (GRID - 1) as f64 * x;
        let end = corners.partition_point(|corner| corner.0 < at || corner.0 == 0.0);
        let (from, to) = (corners[end - 1], corners[end]);
        (from.1 + (at - from.0) / (to.0 - from.0) * (to.1 - from.1)) / y
    };
    Some((pieces.sum::<f64>() / (x * y), (0..GRID).map(height).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(values: &[(f64, bool)]) -> Vec<Ranking> {
        let point = |(cluster, (value, raises)): (usize, &(f64, bool))| Ranking {
            value: *value,
            raises: *raises,
            cluster,
        };
        values.iter().enumerate().map(point).collect()
    }

    #[test]
    fn the_area_is_the_chance_to_rank_a_pair_rightly() {
        let resamples = Resamples::new(6, 200, 1);
        let perfect = points(&[(3.0, false), (2.0, false), (1.0, true), (0.0, true)]);
        let roc = Roc::new(&perfect, None, &resamples).unwrap();
        assert_eq!((roc.auc.value, roc.greater_is_lower), (1.0, true));
        assert_eq!(roc.curve[0].value, 1.0);

        let reversed = points(&[(3.0, true), (2.0, true), (1.0, false), (0.0, false)]);
        let roc = Roc::new(&reversed, None, &resamples).unwrap();
        assert_eq!((roc.auc.value, roc.greater_is_lower), (1.0, false));
        let roc = Roc::new(&reversed, Some(true), &resamples).unwrap();
        assert_eq!(roc.auc.value, 0.0);

        // Ties count half: pairs (2,2) tie, (2,1) right, (3,2) right, (3,1) right.
        let tied = points(&[(3.0, false), (2.0, false), (2.0, true), (1.0, true)]);
        assert_eq!(Roc::new(&tied, None, &resamples).unwrap().auc.value, 3.5 / 4.0);
    }

    #[test]
    fn a_constant_knows_nothing_and_one_class_has_no_curve() {
        let resamples = Resamples::new(4, 100, 1);
        let constant = points(&[(5.0, false), (5.0, true), (5.0, false), (5.0, true)]);
        let roc = Roc::new(&constant, None, &resamples).unwrap();
        assert_eq!(roc.auc.value, 0.5);
        assert!(
            roc.curve
                .iter()
                .enumerate()
                .all(|(index, point)| { (point.value - index as f64 / (GRID - 1) as f64).abs() < 1e-12 })
        );
        assert_eq!(Roc::new(&points(&[(1.0, true), (2.0, true)]), None, &resamples), None);
    }

    #[test]
    fn intervals_hold_the_estimate_and_narrow_with_more_clusters() {
        let width = |count: usize| {
            let values: Vec<_> = (0..count)
                .map(|index| ((index * 7919 % 101) as f64, index * 31 % 10 < 3))
                .collect();
            let resamples = Resamples::new(count, 400, 3);
            let auc = Roc::new(&points(&values), Some(true), &resamples).unwrap().auc;
            let (low, high) = auc.interval.unwrap();
            assert!(low <= auc.value && auc.value <= high);
            high - low
        };
        assert!(width(1_000) < 0.5 * width(60));
        assert_eq!(Resamples::new(1, 100, 1).interval(|_| Some(1.0)), None);
    }
}
