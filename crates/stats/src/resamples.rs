//! Intervals of a statistic with an unknown distribution: the data are resampled (bootstrap).

use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

/// The weights of the clusters in each resampled set. A weight says how often its cluster was drawn.
#[derive(Debug, Clone)]
pub struct Resamples(Vec<Vec<u32>>);

impl Resamples {
    /// Draws `count` sets, each of `clusters` clusters, with replacement (Efron 1979). It draws whole clusters, because
    /// samples of one position are not independent. With fewer than two clusters there are no sets.
    pub fn new(clusters: usize, count: usize, seed: u64) -> Self {
        let mut generator = Pcg64::new(u128::from(seed), 0xb007);
        let sets = (0..if clusters < 2 { 0 } else { count }).map(|_| {
            let mut weights = vec![0; clusters];
            for _ in 0..clusters {
                let draw = (u128::from(generator.next_u64()) * clusters as u128) >> 64;
                weights[draw as usize] += 1;
            }
            weights
        });
        Self(sets.collect())
    }

    /// The weights of the clusters in each set.
    pub fn sets(&self) -> &[Vec<u32>] {
        &self.0
    }

    /// The 95% percentile interval of a statistic; `None` when it is undefined for most sets.
    pub fn interval(&self, statistic: impl Fn(&[u32]) -> Option<f64>) -> Option<(f64, f64)> {
        let values: Vec<f64> = self.0.iter().filter_map(|set| statistic(set)).collect();
        percentiles(values, self.0.len())
    }
}

/// The 2.5th and the 97.5th percentile; `None` when less than half of the `wanted` values are there.
pub fn percentiles(mut values: Vec<f64>, wanted: usize) -> Option<(f64, f64)> {
    if values.is_empty() || 2 * values.len() < wanted {
        return None;
    }
    values.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
    Some((at(0.025), at(0.975)))
}
