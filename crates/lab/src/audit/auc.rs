//! How well a number separates moves that fail low from moves that raise alpha: the area under its curve of receiver operating
//! characteristics. It is Mann and Whitney's U (1947) as a share (Hanley and McNeil 1982).

use lmrlab_results::outcome::table::Known;
use lmrlab_stats::{Resamples, percentiles};

/// One number seen as a predictor.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Auc {
    /// Whether moves with greater values fail low more often; otherwise moves with lesser values do.
    pub(super) greater_is_lower: bool,
    /// Take one move that fails low and one that raises alpha: the chance that the number ranks the first as the better one
    /// to reduce. Ties count half.
    pub(super) area: Known,
}

/// A move as a predictor sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ranking {
    /// The predictor's value.
    pub(super) value: f64,
    /// Whether the move raises alpha.
    pub(super) raises: bool,
    /// The cluster that it belongs to: samples of one cluster depend on each other.
    pub(super) cluster: usize,
}

impl Auc {
    /// The area of a predictor. `greater_is_lower` gives its direction; with `None` the samples decide it. Returns `None`
    /// unless some of the samples raise alpha and others do not.
    pub(super) fn new(points: &[Ranking], greater_is_lower: Option<bool>, resamples: &Resamples) -> Option<Self> {
        let mut points = points.to_vec();
        points.sort_by(|one, other| other.value.total_cmp(&one.value));
        let all = area(&points, |_| 1)?;
        let greater_is_lower = greater_is_lower.unwrap_or(all >= 0.5);
        let directed = |area: f64| if greater_is_lower { area } else { 1.0 - area };
        let sets = resamples.sets();
        let weight = |set: &[u32], cluster: usize| set.get(cluster).copied().unwrap_or(0);
        let drawn = sets
            .iter()
            .filter_map(|set| area(&points, |cluster| weight(set, cluster)));
        Some(Self {
            greater_is_lower,
            area: Known {
                value: directed(all),
                interval: percentiles(drawn.map(directed).collect(), sets.len()),
            },
        })
    }
}

/// The area when the moves with the greatest values, which come first, are the first to be reduced.
fn area(points: &[Ranking], weight: impl Fn(usize) -> u32) -> Option<f64> {
    let (mut low, mut raising, mut area) = (0.0, 0.0, 0.0);
    for group in points.chunk_by(|one, other| one.value == other.value) {
        let sum = |raises: bool| -> f64 {
            let of_kind = group.iter().filter(|point| point.raises == raises);
            of_kind.map(|point| f64::from(weight(point.cluster))).sum()
        };
        let (low_here, raising_here) = (sum(false), sum(true));
        area += raising_here * (low + low_here / 2.0);
        (low, raising) = (low + low_here, raising + raising_here);
    }
    (low > 0.0 && raising > 0.0).then(|| area / (low * raising))
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
        let auc = Auc::new(&perfect, None, &resamples).unwrap();
        assert_eq!((auc.area.value, auc.greater_is_lower), (1.0, true));

        let reversed = points(&[(3.0, true), (2.0, true), (1.0, false), (0.0, false)]);
        let auc = Auc::new(&reversed, None, &resamples).unwrap();
        assert_eq!((auc.area.value, auc.greater_is_lower), (1.0, false));
        let auc = Auc::new(&reversed, Some(true), &resamples).unwrap();
        assert_eq!(auc.area.value, 0.0);

        // Ties count half: pairs (2,2) tie, (2,1) right, (3,2) right, (3,1) right.
        let tied = points(&[(3.0, false), (2.0, false), (2.0, true), (1.0, true)]);
        assert_eq!(Auc::new(&tied, None, &resamples).unwrap().area.value, 3.5 / 4.0);
    }

    #[test]
    fn a_constant_knows_nothing_and_one_class_has_no_area() {
        let resamples = Resamples::new(4, 100, 1);
        let constant = points(&[(5.0, false), (5.0, true), (5.0, false), (5.0, true)]);
        let auc = Auc::new(&constant, None, &resamples).unwrap();
        assert_eq!(auc.area.value, 0.5);
        assert_eq!(Auc::new(&points(&[(1.0, true), (2.0, true)]), None, &resamples), None);
    }

    #[test]
    fn intervals_hold_the_estimate_and_narrow_with_more_clusters() {
        let width = |count: usize| {
            let values: Vec<_> = (0..count)
                .map(|index| ((index * 7919 % 101) as f64, index * 31 % 10 < 3))
                .collect();
            let resamples = Resamples::new(count, 400, 3);
            let auc = Auc::new(&points(&values), Some(true), &resamples).unwrap().area;
            let (low, high) = auc.interval.unwrap();
            assert!(low <= auc.value && auc.value <= high);
            high - low
        };
        assert!(width(1_000) < 0.5 * width(60));
        assert_eq!(Resamples::new(1, 100, 1).interval(|_| Some(1.0)), None);
    }
}
