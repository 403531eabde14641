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
        let upward = Ranked::new(points, true);
        let (auc, curve) = upward.curve(all)?;
        let greater_is_lower = greater_is_lower.unwrap_or(auc >= 0.5);
        let (ranked, auc, curve) = if greater_is_lower {
            (upward, auc, curve)
        } else {
            let downward = Ranked::new(points, false);
            let (auc, curve) = downward.curve(all)?;
            (downward, auc, curve)
        };
        let drawn: Vec<_> = resamples
            .sets()
            .iter()
            .filter_map(|set| ranked.curve(|cluster| set.get(cluster).copied().unwrap_or(0)))
            .collect();
        let wanted = resamples.sets().len();
        let heights = |x: usize| drawn.iter().map(|(_, curve)| curve[x]).collect();
        Some(Self {
            greater_is_lower,
            auc: Known {
                value: auc,
                interval: percentiles(drawn.iter().map(|(auc, _)| *auc).collect(), wanted),
            },
            curve: curve
                .iter()
                .enumerate()
                .map(|(x, value)| Known {
                    value: *value,
                    interval: percentiles(heights(x), wanted),
                })
                .collect(),
        })
    }
}

/// Moves in the order in which a predictor would reduce them.
struct Ranked(Vec<Ranking>);

impl Ranked {
    fn new(points: &[Ranking], greater_first: bool) -> Self {
        let mut points = points.to_vec();
        points.sort_by(|a, b| {
            let order = a.value.total_cmp(&b.value);
            if greater_first { order.reverse() } else { order }
        });
        Self(points)
    }

    /// The area under the curve, and its heights on the grid.
    fn curve(&self, weight: impl Fn(usize) -> u32) -> Option<(f64, Vec<f64>)> {
        let (mut raising, mut low) = (0_u64, 0_u64);
        for point in &self.0 {
            let sum = if point.raises { &mut raising } else { &mut low };
            *sum += u64::from(weight(point.cluster));
        }
        if raising == 0 || low == 0 {
            return None;
        }
        let mut heights = Vec::with_capacity(GRID);
        let mut area = 0.0;
        // From corner to corner; moves of equal value make a straight piece.
        let (mut x, mut y) = (0_u64, 0_u64);
        for group in self.0.chunk_by(|a, b| a.value == b.value) {
            let (mut dx, mut dy) = (0, 0);
            for point in group {
                let step = if point.raises { &mut dx } else { &mut dy };
                *step += u64::from(weight(point.cluster));
            }
            area += dx as f64 * (y as f64 + dy as f64 / 2.0);
            while dx > 0 && heights.len() < GRID {
                let at = heights.len() as f64 / (GRID - 1) as f64 * raising as f64;
                if at > (x + dx) as f64 {
                    break;
                }
                let within = (at - x as f64) / dx as f64;
                heights.push((y as f64 + within * dy as f64) / low as f64);
            }
            x += dx;
            y += dy;
        }
        heights.resize(GRID, 1.0);
        Some((area / (raising as f64 * low as f64), heights))
    }
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
